import { eq } from 'drizzle-orm'
import type { Caller, Server } from '../../../../kernel/caller.ts'
import type { Store } from '../../../../kernel/dispatch.ts'
import { appWebhookSecret, hostById, hostOfReceiver } from '../../hosts/model/index.ts'
import { linkerOf } from './caller.ts'
import { type Repository, webhookSecret } from './store.ts'
import { repositories } from './tables.ts'

interface RepositoryTarget {
  caller: Caller
  project_id: number
  repository_id: number
  /** Which events it takes. */
  takes: { issues: boolean; pull_requests: boolean }
}

/** A webhook, with the boards that take its events about a repository. */
interface RepositoryReceiver {
  secret: string
  targetsOf(repository: string): Promise<RepositoryTarget[]>
}

interface Services {
  store: Store
  server: Server
}

/** The webhook with this id; undefined also if the person of its repository lost the board. */
export const receiverOf = async (
  services: Services,
  kind: string,
  receiver_id: string,
): Promise<RepositoryReceiver | undefined> =>
  (await repositoryReceiver(services, kind, receiver_id)) ??
  (kind === 'github' ? await appReceiver(services, receiver_id) : undefined)

async function repositoryReceiver(
  { store, server }: Services,
  kind: string,
  receiver_id: string,
): Promise<RepositoryReceiver | undefined> {
  const found = await store.read(async (tx) => {
    const byId = eq(repositories.receiver_id, receiver_id.toLowerCase())
    const [row] = await tx.select().from(repositories).where(byId)
    if (!row || (await hostById(tx, row.host_id))?.kind !== kind) return undefined
    const caller = await linkerOf(tx, row)
    return caller && { row, caller }
  })
  if (!found) return undefined
  const secret = await webhookSecret(server, found.row.receiver_id)
  return { secret, targetsOf: async () => [targetOf(found.row, found.caller)] }
}

const targetOf = (row: Repository, caller: Caller): RepositoryTarget => {
  const { repository_id, project_id, issues, pull_requests } = row
  return { caller, project_id, repository_id, takes: { issues, pull_requests } }
}

/** The webhook of a GitHub App has the events of all repositories that it is installed on. */
async function appReceiver(
  { store, server }: Services,
  receiver_id: string,
): Promise<RepositoryReceiver | undefined> {
  const host = await store.read((tx) => hostOfReceiver(tx, receiver_id.toLowerCase()))
  if (!host) return undefined
  const secret = await appWebhookSecret(server, host)
  // GitHub may have given the app no secret; then nothing verifies an event.
  if (!secret) return undefined
  const linked = eq(repositories.host_id, host.host_id)
  const targetsOf = (name: string) =>
    store.read(async (tx) => {
      const rows = await tx.select().from(repositories).where(linked)
      const targets: RepositoryTarget[] = []
      for (const row of rows) {
        if (row.name.toLowerCase() !== name.toLowerCase()) continue
        const caller = await linkerOf(tx, row)
        if (caller) targets.push(targetOf(row, caller))
      }
      return targets
    })
  return { secret, targetsOf }
}
