import type { Change, Tx } from '../kernel/caller.ts'
import type { By } from '../kernel/dispatch.ts'
import { audit } from './tables.ts'

/** Changes to who may do what, to what opens the door, and to what agents are told. */
const AUDITED =
  /^(agent|backup|calendar_feed|credential|export|instructions|invitation|member|password|person|playbook|pull_request_receiver|session|webhook)\.|^project\.(member_|access_)|^team\.(created|imported)$/

/** Skills of a board instruct others; a person's own skills are nobody else's business. */
export const isAudited = ({ type, place }: Pick<Change, 'type' | 'place'>) =>
  AUDITED.test(type) || (type.startsWith('skill.') && place.project_id !== undefined)

/** Writes such a change once more, in its own transaction. */
export async function keepAudit(tx: Tx, by: By, now: Date, { type, place, data }: Change) {
  const { team_id = null, project_id = null } = place
  const subject_id = numbered(data.user_id) ?? numbered(data.owner_id) ?? by.actor_id
  // What is about a person alone, such as a key, is the business of all their teams.
  const teams = team_id === null ? [...(by.teams?.keys() ?? [])] : []
  const places = [
    { team_id, subject_id },
    ...teams.map((team_id) => ({ team_id, subject_id: null })),
  ]
  const { actor_id, credential = null, address = null } = by
  const told = { type, project_id, actor_id, credential, address, data }
  await tx.insert(audit).values(places.map((at) => ({ ...told, ...at, created_at: now })))
}

const numbered = (id: unknown) => (typeof id === 'number' ? id : undefined)
