import { eq } from 'drizzle-orm'
import type { Caller, Clock, Server } from '../../kernel/caller.ts'
import type { Store } from '../../kernel/dispatch.ts'
import { callerFor } from '../callers/index.ts'
import { seenProject } from '../projects/index.ts'
import { secretOf } from './receivers.ts'
import { pullRequestReceivers as receivers } from './tables.ts'

/** Who speaks when a receiver is spoken to, for which board, and what proves it. */
export interface Listening {
  caller: Caller
  project_id: number
  secret: string
}

interface Parts {
  store: Store
  server: Server
  clock: Clock
}

/** Knows the receivers, so that the surface need not. */
export function receiverDesk({ store, server, clock }: Parts) {
  return {
    /** Nothing where there is none, or where whoever made it no longer sees the board. */
    async find(host: string, receiver_id: string): Promise<Listening | undefined> {
      const found = await store.read(async (tx) => {
        const one = eq(receivers.receiver_id, receiver_id.toLowerCase())
        const [row] = await tx.select().from(receivers).where(one)
        if (row?.host !== host) return undefined
        if (row.expires_at && row.expires_at <= clock()) return undefined
        const caller = await callerFor(tx, row.created_by)
        return (await seenProject({ tx, caller }, row.project_id)) && { row, caller }
      })
      if (!found) return undefined
      const { row, caller } = found
      const scopes = new Set([...caller.scopes].filter((scope) => scope === 'tasks:write'))
      return {
        caller: { ...caller, scopes, credential: `receiver:${row.row_id}` },
        project_id: row.project_id,
        secret: await secretOf(server, row.receiver_id),
      }
    },
    /** Of a receiver that there is not: checking it takes as long. */
    decoy: () => secretOf(server, 'none'),
  }
}
