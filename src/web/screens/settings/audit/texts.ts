import type { Output } from '../../../data/client.ts'

export type Entry = Output<'audit.list'>['items'][number]

/** The kinds to filter by, by the prefix of their event types. */
export const KINDS: Record<string, string> = {
  'agent.': 'Agents',
  'credential.': 'Keys and tokens',
  'invitation.': 'Invitations',
  'member.': 'Members',
  member_: 'Board members',
  'password.': 'Passwords',
  'person.': 'Accounts',
  'team.': 'Teams',
  'webhook.': 'Webhooks',
  'session.': 'Sign-ins',
  'playbook.': 'Playbooks',
  'instructions.': 'Board instructions',
  'skill.': 'Board skills',
  'export.': 'Exports',
  'backup.': 'Backups',
  'calendar_feed.': 'Calendar feeds',
  'pull_request_receiver.': 'Pull request receivers',
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const quoted = (value: unknown) => (text(value) ? ` “${text(value)}”` : '')
const KEYS: Record<string, string> = { key: 'API key', token: 'access token', session: 'session' }
const credentialName = ({ details }: Entry) =>
  `${KEYS[text(details.kind)] ?? 'credential'}${quoted(details.name)}`
const targetName = ({ on: whom, actor }: Entry) =>
  whom && whom.user_id !== actor.user_id ? whom.name : 'themselves'
const agentName = ({ on: whom }: Entry) => `the agent ${whom?.name ?? ''}`
const role = ({ changed }: Entry, side: 'before' | 'after') => text(changed.role?.[side])

const restoredFrom = ({ details }: Entry) =>
  details.restored === undefined ? '' : ` back to version ${formatValue(details.restored)}`

/** Descriptions of events, to follow the actor's name. */
const DESCRIPTIONS: Record<string, (entry: Entry) => string> = {
  'agent.created': (one) => `created ${agentName(one)}`,
  'agent.updated': (one) => `changed ${agentName(one)}`,
  'agent.rotated': (one) => `gave ${agentName(one)} a new token`,
  'agent.deactivated': (one) => `deactivated ${agentName(one)}`,
  'agent.enabled': (one) => `enabled ${agentName(one)}`,
  'agent.archived': (one) => `archived ${agentName(one)}`,
  'agent.revoked': (one) => `revoked the access of ${agentName(one)}`,
  'agent.deleted': (one) => `deleted ${agentName(one)}`,
  'agent.token_created': (one) => `created a token for ${agentName(one)}`,
  'agent.token_revoked': (one) => `revoked a token of ${agentName(one)}`,
  'calendar_feed.created': ({ details }) => `created the calendar feed${quoted(details.title)}`,
  'calendar_feed.rotated': ({ details }) => `renewed the calendar feed${quoted(details.title)}`,
  'calendar_feed.deleted': ({ details }) => `deleted the calendar feed${quoted(details.title)}`,
  'credential.created': (one) => `created the ${credentialName(one)}`,
  'credential.revoked': (one) => `revoked the ${credentialName(one)}`,
  'invitation.created': ({ details }) =>
    `invited ${text(details.email) || 'somebody'}${details.role ? ` as ${text(details.role)}` : ''}`,
  'invitation.accepted': ({ details }) =>
    `joined the team${details.role ? ` as ${text(details.role)}` : ''}`,
  'invitation.revoked': () => 'revoked an invitation',
  'member.added': (one) => `joined the team as ${role(one, 'after')}`,
  'member.updated': (one) =>
    `changed the role of ${targetName(one)} from ${role(one, 'before')} to ${role(one, 'after')}`,
  'member.removed': (one) =>
    targetName(one) === 'themselves' ? 'left the team' : `removed ${targetName(one)} from the team`,
  'password.changed': () => 'changed their password',
  'person.created': (one) =>
    targetName(one) === 'themselves'
      ? 'created their account'
      : `created an account for ${targetName(one)}`,
  'project.member_added': (one) => `added ${targetName(one)} to a board`,
  'project.member_removed': (one) => `removed ${targetName(one)} from a board`,
  'pull_request_receiver.created': ({ details }) =>
    `created a pull request receiver${quoted(details.host)}`,
  'pull_request_receiver.deleted': ({ details }) =>
    `deleted a pull request receiver${quoted(details.host)}`,
  'person.deactivated': (one) => `deactivated the account of ${targetName(one)}`,
  'person.reactivated': (one) => `reactivated the account of ${targetName(one)}`,
  'project.access_changed': ({ details }) =>
    `changed who can see the board${quoted(details.title)}`,
  'playbook.updated': (one) => `changed the playbook of a board${restoredFrom(one)}`,
  'instructions.updated': (one) => `changed the instructions of a board${restoredFrom(one)}`,
  'skill.created': ({ details }) => `added the skill /${text(details.slug)} to a board`,
  'skill.updated': ({ details }) => `changed the skill /${text(details.slug)} of a board`,
  'skill.deleted': ({ details }) => `deleted the skill /${text(details.slug)} of a board`,
  'session.opened': () => 'signed in',
  'session.closed': () => 'signed out a browser',
  'session.refused': ({ details }) =>
    `had ${formatValue(details.attempts)} sign-ins with a wrong password`,
  'export.created': () => 'exported the team',
  'backup.created': () => 'backed up the server',
  'team.imported': ({ details }) => `imported the team${quoted(details.name)}`,
  'team.created': ({ details }) => `created the team${quoted(details.name)}`,
  'webhook.configured': (one) => `configured the webhook of ${agentName(one)}`,
  'webhook.rotated': (one) => `gave the webhook of ${agentName(one)} a new secret`,
  'webhook.deleted': (one) => `deleted the webhook of ${agentName(one)}`,
}

export const describeEntry = (entry: Entry): string =>
  DESCRIPTIONS[entry.type]?.(entry) ?? entry.type

const CREDENTIAL_TEXTS: Record<string, string> = {
  session: 'in the browser',
  key: 'with an API key',
  token: 'with an access token',
  agent: 'with an agent’s token',
  operator: 'on the server itself',
}

/** The credential and the address that an action came from. */
export const sourceText = (entry: Entry): string =>
  entry.address ? `${credentialText(entry)}, from ${entry.address}` : credentialText(entry)

function credentialText({ credential, type }: Entry): string {
  if (type === 'session.refused') return 'on the sign-in page'
  if (type === 'invitation.accepted') return 'with an invitation link'
  const [kind = '', number] = credential?.split(':') ?? []
  const words = CREDENTIAL_TEXTS[kind]
  if (!words) return credential ? `by ${credential}` : 'without a credential'
  return number && kind !== 'session' ? `${words} (${credential})` : words
}

/** Formats a value for reading. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.map(formatValue).join(', ') || '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
