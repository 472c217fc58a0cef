import { Fault } from '../../../../kernel/fault.ts'
import { clientOf, HostError, hostById } from '../../hosts/model/index.ts'
import {
  claimRepository,
  linkerOf,
  lockRepository,
  type Repository,
  renewClaim,
  updateRepository,
} from '../../repositories/model/index.ts'
import { type IssueRow, nextDue, nextIssue, setIssue } from './queue.ts'
import { isSweepDue, SWEEP_MS, sweep } from './sweep.ts'
import { syncIssue } from './sync.ts'
import type { SyncServices, Target } from './target.ts'

/** Other repositories get their turn after this many issues. */
const MAX_ISSUES = 50
const FIRST_RETRY_MS = 10_000
const LONGEST_RETRY_MS = 60 * 60_000
const UNEXPECTED = 'An error of this server; its log has the details'

const retryAfter = (failures: number) =>
  Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 12))

const isExpected = (error: unknown): error is HostError | Fault =>
  error instanceof HostError || error instanceof Fault

const messageOf = (error: unknown) => (isExpected(error) ? error.message.slice(0, 500) : UNEXPECTED)

interface PassOptions {
  /** Called with errors of the program. Those of the host are saved for the people of the board. */
  onError(error: unknown): void
  isStopped(): boolean
}

/**
 * Handles one repository: what changed at the host, then the issues that wait. Only one server
 * handles a repository at a time, so its issues are handled in order.
 */
export async function syncRepository(
  services: SyncServices,
  repository_id: number,
  options: PassOptions,
): Promise<void> {
  const { store, clock } = services
  const repository = await store.write((tx) => claimRepository(tx, repository_id, clock()))
  if (!repository) return
  let set: Partial<Repository> = { failures: 0, error: null, rest_until: null }
  try {
    const target = await openTarget(services, repository)
    if (repository.issues) await syncAll(target, options)
  } catch (error) {
    set = failureOf(repository, error, clock())
    if (!isExpected(error)) options.onError(error)
  }
  await release(services, repository_id, set)
}

/** Sets when the repository is handled next: with its next issue, or for the next sweep. */
async function release(
  { store, clock }: SyncServices,
  repository_id: number,
  set: Partial<Repository>,
): Promise<void> {
  await store.write(async (tx) => {
    const current = await lockRepository(tx, repository_id)
    if (!current) return
    const now = clock()
    const nextSweep = (current.synced_at ?? now).getTime() + SWEEP_MS
    const waiting = current.listing_page === null ? await nextDue(tx, repository_id) : now
    const wake_at = new Date(Math.min(waiting?.getTime() ?? nextSweep, nextSweep))
    await updateRepository(tx, repository_id, { ...set, busy_until: null, wake_at })
  })
}

export async function openTarget(services: SyncServices, repository: Repository): Promise<Target> {
  const { host, linker } = await services.store.read(async (tx) => ({
    host: (await hostById(tx, repository.host_id))!,
    linker: await linkerOf(tx, repository),
  }))
  if (!linker)
    throw new HostError(
      'forbidden',
      'The person who linked the repository no longer sees the board. Link it again',
    )
  const client = await clientOf(services.server, host, repository.name)
  return { services, repository, host, client, linker, authors: new Map() }
}

async function syncAll(target: Target, options: PassOptions): Promise<void> {
  const { services, repository } = target
  const { store, clock } = services
  if (isSweepDue(repository, clock())) await sweep(target)
  for (let handled = 0; handled < MAX_ISSUES && !options.isStopped(); handled++) {
    const row = await store.write(async (tx) => {
      await renewClaim(tx, repository.repository_id, clock())
      return nextIssue(tx, repository, clock())
    })
    if (!row) return
    await syncOne(target, row, options)
  }
}

/** An error that concerns one issue does not stop the others. */
async function syncOne(target: Target, row: IssueRow, { onError }: PassOptions): Promise<void> {
  const { store, clock } = target.services
  try {
    await syncIssue(target, row)
  } catch (error) {
    const stopsAll =
      error instanceof HostError && ['limited', 'unauthorized', 'unreachable'].includes(error.kind)
    if (stopsAll) throw error
    if (!isExpected(error)) onError(error)
    const set = {
      attempts: row.attempts + 1,
      due_at: new Date(clock().getTime() + retryAfter(row.attempts)),
      error: messageOf(error),
    }
    await store.write((tx) => setIssue(tx, row, set))
  }
}

function failureOf({ failures }: Repository, error: unknown, now: Date): Partial<Repository> {
  const until = error instanceof HostError ? error.until : undefined
  return {
    failures: failures + 1,
    error: messageOf(error),
    rest_until: until ?? new Date(now.getTime() + retryAfter(failures)),
  }
}
