import { eq } from 'drizzle-orm'
import type { Caller, Clock, Server } from '../../../../kernel/caller.ts'
import type { Store } from '../../../../kernel/dispatch.ts'
import { findVisibleProject } from '../../../boards/projects/model/index.ts'
import { callerFor } from '../../../identity/callers/model/index.ts'
import { receiverSecret } from './receiver-secret.ts'
import { pullRequestReceivers as receivers } from './tables.ts'

/** What the surface needs of a receiver: the caller its events act as, its board and its secret. */
export interface ReceiverContext {
  caller: Caller
  project_id: number
  secret: string
}

interface Services {
  store: Store
  server: Server
  clock: Clock
}

/** Looks up receivers for the surface that takes their requests. */
export function receiverLookup({ store, server, clock }: Services) {
  return {
    /** Undefined if there is none, or if its creator can no longer see the board. */
    async find(host: string, receiver_id: string): Promise<ReceiverContext | undefined> {
      const found = await store.read(async (tx) => {
        const byId = eq(receivers.receiver_id, receiver_id.toLowerCase())
        const [row] = await tx.select().from(receivers).where(byId)
        if (row?.host !== host) return undefined
        if (row.expires_at && row.expires_at <= clock()) return undefined
        const caller = await callerFor(tx, row.created_by)
        return (await findVisibleProject({ tx, caller }, row.project_id)) && { row, caller }
      })
      if (!found) return undefined
      const { row, caller } = found
      const scopes = new Set([...caller.scopes].filter((scope) => scope === 'tasks:write'))
      return {
        caller: { ...caller, scopes, credential: `receiver:${row.row_id}` },
        project_id: row.project_id,
        secret: await receiverSecret(server, row.receiver_id),
      }
    },
    /** Secret of a receiver that does not exist, so that checking an unknown one takes as long. */
    decoySecret: () => receiverSecret(server, 'none'),
  }
}
