import { eq } from 'drizzle-orm'
import type { Caller, Server } from '../../../../kernel/caller.ts'
import type { Store } from '../../../../kernel/dispatch.ts'
import { hostById } from '../../hosts/model/index.ts'
import { linkerOf } from './caller.ts'
import { webhookSecret } from './store.ts'
import { repositories } from './tables.ts'

interface RepositoryReceiver {
  caller: Caller
  project_id: number
  secret: string
  repository_id: number
  /** Which events it takes. */
  takes: { issues: boolean; pull_requests: boolean }
}

/** The repository whose webhook has this id; undefined also if its person lost the board. */
export async function receiverOf(
  { store, server }: { store: Store; server: Server },
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
  const { repository_id, project_id, issues, pull_requests } = found.row
  return {
    ...{ caller: found.caller, project_id, repository_id },
    secret: await webhookSecret(server, found.row.receiver_id),
    takes: { issues, pull_requests },
  }
}
