import type { Change, Tx } from '../kernel/caller.ts'
import type { ChangeKind } from '../kernel/changes.ts'
import type { ChangeAuthor } from '../kernel/dispatch.ts'
import { send } from './send.ts'
import { audit } from './tables.ts'

/**
 * Changes of access rights, of credentials, of instructions for agents, and of what a board does and
 * sends by itself.
 */
export const AUDITED: readonly ChangeKind[] = [
  'agent',
  'authenticator_app',
  'backup',
  'board_webhook',
  'calendar_feed',
  'code_host',
  'credential',
  'export',
  'grant',
  'identity',
  'instructions',
  'invitation',
  'member',
  'passkey',
  'password',
  'person',
  'playbook',
  'project.access_changed',
  'project.limits_changed',
  'project.member_added',
  'project.member_removed',
  'pull_request_receiver',
  'recovery_codes',
  'rule.created',
  'rule.deleted',
  'rule.updated',
  'session',
  'skill',
  'team.created',
  'team.imported',
  'team.policy_changed',
  'trash',
  'webhook',
]
const audited = new Set<string>(AUDITED)

/** Skills of a board instruct others and are audited; a person's own skills are private. */
export function isAudited({ type, place }: { type: string; place: Change['place'] }): boolean {
  const [noun] = type.split('.') as [string]
  if (noun === 'skill') return place.project_id !== undefined
  return audited.has(noun) || audited.has(type)
}

/** Copies an audited change into the audit table, in the transaction of the change. */
export async function insertAudit(
  tx: Tx,
  author: ChangeAuthor,
  now: Date,
  { type, place, data }: Change,
) {
  const { team_id = null, project_id = null } = place
  const subject_id = asNumber(data.user_id) ?? asNumber(data.owner_id) ?? author.actor_id
  // A change without a team, such as a new key of a person, is copied for each of their teams.
  const teams = team_id === null ? [...(author.teams?.keys() ?? [])] : []
  const targets = [
    { team_id, subject_id },
    ...teams.map((team_id) => ({ team_id, subject_id: null })),
  ]
  const { actor_id, credential = null, address = null } = author
  const values = { type, project_id, actor_id, credential, address, data }
  const rows = targets.map((target) => ({ ...values, ...target, created_at: now }))
  await send(tx, tx.insert(audit).values(rows))
}

const asNumber = (id: unknown) => (typeof id === 'number' ? id : undefined)
