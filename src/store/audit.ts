import type { Change, Tx } from '../kernel/caller.ts'
import type { By } from '../kernel/dispatch.ts'
import { audit } from './tables.ts'

/** Who is there, what they may do, and what opens the door for them. */
const AUDITED =
  /^(agent|calendar_feed|credential|invitation|member|password|person|pull_request_receiver|webhook)\.|^project\.(member_|access_)|^team\.created$/

export const isAudited = (type: string) => AUDITED.test(type)

/** Such a change once more, in its own transaction, for whoever asks who may do what since when. */
export async function keepAudit(tx: Tx, by: By, now: Date, { type, place, data }: Change) {
  const { team_id = null, project_id = null } = place
  const subject_id = numbered(data.user_id) ?? numbered(data.owner_id) ?? by.actor_id
  // What is about a person alone, such as a key, is the business of all their teams.
  const teams = team_id === null ? [...(by.teams?.keys() ?? [])] : []
  const places = [
    { team_id, subject_id },
    ...teams.map((team_id) => ({ team_id, subject_id: null })),
  ]
  const told = { type, project_id, actor_id: by.actor_id, credential: by.credential ?? null, data }
  await tx.insert(audit).values(places.map((at) => ({ ...told, ...at, created_at: now })))
}

const numbered = (id: unknown) => (typeof id === 'number' ? id : undefined)
