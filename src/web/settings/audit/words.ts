import type { Output } from '../../data/client.ts'

export type Entry = Output<'audit.list'>['items'][number]

/** What can be asked for alone: how the names of what happened begin. */
export const KINDS: Record<string, string> = {
  'agent.': 'Agents',
  'credential.': 'Keys and tokens',
  'invitation.': 'Invitations',
  'member.': 'Members',
  member_: 'Members of boards',
  'password.': 'Passwords',
  'person.': 'Accounts',
  'team.': 'Teams',
  'webhook.': 'Webhooks',
  'session.': 'Sign-ins',
  'playbook.': 'Playbooks',
  'instructions.': 'Instructions of boards',
  'skill.': 'Skills of boards',
  'export.': 'Exports',
  'backup.': 'Backups',
  'calendar_feed.': 'Calendar feeds',
  'pull_request_receiver.': 'Pull request receivers',
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const titled = (value: unknown) => (text(value) ? ` “${text(value)}”` : '')
const KEYS: Record<string, string> = { key: 'API key', token: 'access token', session: 'session' }
const keyOf = ({ details }: Entry) =>
  `${KEYS[text(details.kind)] ?? 'credential'}${titled(details.name)}`
const on = ({ on: whom, actor }: Entry) =>
  whom && whom.user_id !== actor.user_id ? whom.name : 'themselves'
const bot = ({ on: whom }: Entry) => `the agent ${whom?.name ?? ''}`
const role = ({ changed }: Entry, side: 'before' | 'after') => text(changed.role?.[side])

const restoredFrom = ({ details }: Entry) =>
  details.restored === undefined ? '' : ` back to version ${spelled(details.restored)}`

/** What somebody did, after their name. */
const SAID: Record<string, (entry: Entry) => string> = {
  'agent.created': (one) => `made ${bot(one)}`,
  'agent.updated': (one) => `changed ${bot(one)}`,
  'agent.rotated': (one) => `gave ${bot(one)} a new token`,
  'agent.deactivated': (one) => `deactivated ${bot(one)}`,
  'agent.enabled': (one) => `let ${bot(one)} work again`,
  'agent.archived': (one) => `archived ${bot(one)}`,
  'agent.revoked': (one) => `took ${bot(one)} its access`,
  'agent.deleted': (one) => `deleted ${bot(one)}`,
  'agent.token_created': (one) => `made a token for ${bot(one)}`,
  'agent.token_revoked': (one) => `revoked a token of ${bot(one)}`,
  'calendar_feed.created': ({ details }) => `made the calendar feed${titled(details.title)}`,
  'calendar_feed.rotated': ({ details }) => `renewed the calendar feed${titled(details.title)}`,
  'calendar_feed.deleted': ({ details }) => `deleted the calendar feed${titled(details.title)}`,
  'credential.created': (one) => `made the ${keyOf(one)}`,
  'credential.revoked': (one) => `revoked the ${keyOf(one)}`,
  'invitation.created': ({ details }) =>
    `invited ${text(details.email) || 'somebody'}${details.role ? ` as ${text(details.role)}` : ''}`,
  'invitation.accepted': ({ details }) =>
    `came into the team${details.role ? ` as ${text(details.role)}` : ''}`,
  'invitation.revoked': () => 'revoked an invitation',
  'member.added': (one) => `came into the team as ${role(one, 'after')}`,
  'member.updated': (one) =>
    `changed the role of ${on(one)} from ${role(one, 'before')} to ${role(one, 'after')}`,
  'member.removed': (one) =>
    on(one) === 'themselves' ? 'left the team' : `removed ${on(one)} from the team`,
  'password.changed': () => 'changed their password',
  'person.created': (one) =>
    on(one) === 'themselves' ? 'got an account' : `made an account for ${on(one)}`,
  'project.member_added': (one) => `added ${on(one)} to a board`,
  'project.member_removed': (one) => `removed ${on(one)} from a board`,
  'pull_request_receiver.created': ({ details }) =>
    `made a receiver of pull requests${titled(details.host)}`,
  'pull_request_receiver.deleted': ({ details }) =>
    `deleted a receiver of pull requests${titled(details.host)}`,
  'person.deactivated': (one) => `deactivated the account of ${on(one)}`,
  'person.reactivated': (one) => `reactivated the account of ${on(one)}`,
  'project.access_changed': ({ details }) =>
    `changed who can see the board${titled(details.title)}`,
  'playbook.updated': (one) => `changed the playbook of a board${restoredFrom(one)}`,
  'instructions.updated': (one) => `changed the instructions of a board${restoredFrom(one)}`,
  'skill.created': ({ details }) => `added the skill /${text(details.slug)} to a board`,
  'skill.updated': ({ details }) => `changed the skill /${text(details.slug)} of a board`,
  'skill.deleted': ({ details }) => `deleted the skill /${text(details.slug)} of a board`,
  'session.opened': () => 'signed in',
  'session.closed': () => 'signed out a browser',
  'session.refused': ({ details }) =>
    `had ${spelled(details.attempts)} sign-ins with a wrong password`,
  'export.created': () => 'exported the team',
  'backup.created': () => 'backed up the server',
  'team.imported': ({ details }) => `imported the team${titled(details.name)}`,
  'team.created': ({ details }) => `made the team${titled(details.name)}`,
  'webhook.configured': (one) => `configured the webhook of ${bot(one)}`,
  'webhook.rotated': (one) => `gave the webhook of ${bot(one)} a new secret`,
  'webhook.deleted': (one) => `deleted the webhook of ${bot(one)}`,
}

export const wordsOf = (entry: Entry): string => SAID[entry.type]?.(entry) ?? entry.type

const SHOWN: Record<string, string> = {
  session: 'in the browser',
  key: 'with an API key',
  token: 'with an access token',
  agent: 'with an agent’s token',
  operator: 'on the server itself',
}

/** From where: what they showed to be let in. */
export const whereOf = (entry: Entry): string =>
  entry.address ? `${shownBy(entry)}, from ${entry.address}` : shownBy(entry)

function shownBy({ credential, type }: Entry): string {
  if (type === 'session.refused') return 'at the sign-in page'
  if (type === 'invitation.accepted') return 'by the link that they were given'
  const [kind = '', number] = credential?.split(':') ?? []
  const words = SHOWN[kind]
  if (!words) return credential ? `by ${credential}` : 'without a credential'
  return number && kind !== 'session' ? `${words} (${credential})` : words
}

/** A value as a person would write it. */
export function spelled(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.map(spelled).join(', ') || '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
