import { and, eq, gt, isNull, lte, or } from 'drizzle-orm'
import type { Context, Server, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { findProject } from '../../../boards/projects/model/index.ts'
import { repositories } from './tables.ts'

export type Repository = typeof repositories.$inferSelect

/** In place of the id of a webhook: events come through that of the GitHub App of the host. */
export const APP_WEBHOOK = 'app'

/** How long a server that ends without notice blocks a repository. */
const BUSY_MS = 120_000

export const isRepository = (repository_id: number) => eq(repositories.repository_id, repository_id)

export const repositoryById = async (
  tx: Tx,
  repository_id: number,
): Promise<Repository | undefined> =>
  (await tx.select().from(repositories).where(isRepository(repository_id)))[0]

/** Loads a repository of a board that the caller can see. */
export async function findRepository(
  ctx: Pick<Context, 'tx' | 'caller' | 'needs'>,
  project_id: number,
  repository_id: number,
): Promise<Repository> {
  await findProject(ctx, project_id)
  const row = await repositoryById(ctx.tx, repository_id)
  if (row?.project_id === project_id) return row
  throw fault.notFound(
    'repository_id',
    `This board has no repository ${repository_id}`,
    repository_id,
    'List them: GET /api/v1/projects/{project_id}/repositories',
  )
}

/** Derived, because checking a signature needs the secret itself. The database never holds it. */
export async function webhookSecret(server: Pick<Server, 'sign'>, receiver_id: string) {
  const seed = await server.sign({ repository_webhook: receiver_id })
  return `whsec_${Bun.CryptoHasher.hash('sha256', seed, 'base64')}`
}

/** The address of a webhook has the name of the kind of host. */
export const webhookUrl = (
  { url }: Pick<Server, 'url'>,
  kind: string,
  { receiver_id }: Pick<Repository, 'receiver_id'>,
) => `${url}/hooks/${kind}/${receiver_id}`

/** Wakes the worker for a repository, at the latest at that moment. */
export const wake = (tx: Tx, repository_id: number, at: Date) =>
  tx
    .update(repositories)
    .set({ wake_at: at })
    .where(and(isRepository(repository_id), gt(repositories.wake_at, at)))

const isDue = (now: Date) =>
  and(
    lte(repositories.wake_at, now),
    or(isNull(repositories.rest_until), lte(repositories.rest_until, now)),
    or(isNull(repositories.busy_until), lte(repositories.busy_until, now)),
  )

export const dueRepositories = async (tx: Tx, now: Date, limit: number): Promise<number[]> =>
  (
    await tx
      .select({ repository_id: repositories.repository_id })
      .from(repositories)
      .where(isDue(now))
      .orderBy(repositories.wake_at)
      .limit(limit)
  ).map(({ repository_id }) => repository_id)

/** Takes a repository for this server; undefined if another one has it. */
export async function claimRepository(tx: Tx, repository_id: number, now: Date) {
  const [row] = await tx
    .update(repositories)
    .set({ busy_until: new Date(now.getTime() + BUSY_MS) })
    .where(and(isRepository(repository_id), isDue(now)))
    .returning()
  return row
}

export const renewClaim = (tx: Tx, repository_id: number, now: Date) =>
  tx
    .update(repositories)
    .set({ busy_until: new Date(now.getTime() + BUSY_MS) })
    .where(isRepository(repository_id))

export async function lockRepository(tx: Tx, repository_id: number) {
  const [row] = await forUpdate(tx.select().from(repositories).where(isRepository(repository_id)))
  return row
}

export const updateRepository = (tx: Tx, repository_id: number, set: Partial<Repository>) =>
  tx.update(repositories).set(set).where(isRepository(repository_id))
