import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { HostIssue } from '../../hosts/model/index.ts'
import { type Repository, updateRepository } from '../../repositories/model/index.ts'
import { requestIssue, requestOldest } from './queue.ts'
import { issues } from './tables.ts'
import type { Target } from './target.ts'

export const SWEEP_MS = 3 * 60_000
/** Hosts note times in seconds, so an issue may change again after the sweep has seen it. */
const OVERLAP_MS = 2000
/** The first sweep begins this much before the link, because clocks differ. */
const FIRST_OVERLAP_MS = 15 * 60_000
const MAX_PAGES = 40
/** Issues that each sweep compares although nothing says that they changed. */
const RECHECKED = 10

export const isSweepDue = ({ listing_page, synced_at }: Repository, now: Date): boolean =>
  listing_page !== null || !synced_at || now.getTime() - synced_at.getTime() >= SWEEP_MS

/** Requests the issues that changed at the host, whether or not a webhook reported them. */
export async function sweep(target: Target): Promise<void> {
  const { repository, services } = target
  if (repository.listing_page !== null) await listOpenIssues(target, repository.listing_page)
  else await listChangedIssues(target)
  await services.store.write((tx) =>
    updateRepository(tx, repository.repository_id, { synced_at: services.clock() }),
  )
}

/** One page of the issues that were open when the repository was linked. */
async function listOpenIssues(target: Target, page: number): Promise<void> {
  const { client, repository, services } = target
  const { store, clock } = services
  const { items, hasMore } = await client.issues(repository.name, { page })
  const swept_to = new Date(repository.created_at.getTime() - FIRST_OVERLAP_MS)
  await store.write(async (tx) => {
    for (const { number } of items)
      if (!(await known(tx, repository, number)))
        await requestIssue(tx, repository, number, clock())
    const set = hasMore ? { listing_page: page + 1 } : { listing_page: null, swept_to }
    await updateRepository(tx, repository.repository_id, set)
  })
}

async function listChangedIssues(target: Target): Promise<void> {
  const { client, repository, services } = target
  const since = repository.swept_to ?? repository.created_at
  const changed: HostIssue[] = []
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { items, hasMore } = await client.issues(repository.name, { page, since })
    changed.push(...items)
    if (!hasMore) break
  }
  const commented = await client.commentedSince(repository.name, since)
  const latest = Math.max(since.getTime(), ...changed.map(({ updatedAt }) => updatedAt.getTime()))
  await services.store.write(async (tx) => {
    const now = services.clock()
    for (const { number, updatedAt } of changed)
      if (await isNews(tx, repository, number, updatedAt, latest))
        await requestIssue(tx, repository, number, now)
    for (const number of commented)
      if (await known(tx, repository, number)) await requestIssue(tx, repository, number, now)
    await requestOldest(tx, repository, now, RECHECKED)
    await updateRepository(tx, repository.repository_id, { swept_to: new Date(latest) })
  })
}

const known = async (tx: Tx, { repository_id }: Repository, number: number) =>
  (
    await tx
      .select({ seen: issues.host_updated_at })
      .from(issues)
      .where(and(eq(issues.repository_id, repository_id), eq(issues.number, number)))
  )[0]

async function isNews(
  tx: Tx,
  repository: Repository,
  number: number,
  updatedAt: Date,
  latest: number,
): Promise<boolean> {
  const row = await known(tx, repository, number)
  const isRecent = latest - updatedAt.getTime() <= OVERLAP_MS
  return !row || isRecent || row.seen?.getTime() !== updatedAt.getTime()
}
