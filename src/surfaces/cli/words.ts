import { type AnyOperation, writes } from '../../kernel/operation.ts'

type Row = Record<string, unknown>

/** Of each noun: what a person calls one of them, and the field that tells it from the others. */
const THINGS: Record<string, [thing: string, id: string]> = {
  projects: ['board', 'project_id'],
  tasks: ['task', 'ticket_number'],
  sections: ['column', 'section_id'],
  labels: ['label', 'label_id'],
  teams: ['team', 'team_id'],
  invitations: ['invitation', 'invitation_id'],
  agents: ['agent', 'agent_id'],
  api_keys: ['key', 'api_key_id'],
  access_tokens: ['token', 'access_token_id'],
}

/** Titles of columns that are not simply the name of their field. */
const TITLES: Record<string, string> = {
  ticket_number: 'key',
  priority_name: 'priority',
  section: 'column',
  due_date: 'due',
  is_done: 'done set',
}

export function titleOf(op: AnyOperation, field: string): string {
  const [noun] = op.name.split('.')
  if (field === THINGS[noun!]?.[1] && field.endsWith('_id')) return 'id'
  const name = field.replace(/\.name$/, '')
  return TITLES[name] ?? name.replaceAll('_', ' ')
}

/** What is told where no general sentence fits; nothing leaves it to the record. */
const SENTENCES: Record<string, (data: Row) => string | undefined> = {
  'projects.get_instructions': ({ custom_instruction }) =>
    custom_instruction === null ? 'The board has no instructions of its own' : undefined,
  'teams.set_role': ({ name, role, was }) => `${name} is ${role} now, and was ${was}`,
  'teams.remove_member': ({ name, team_id }) => `Removed ${name} from team ${team_id}`,
  'teams.leave': ({ name, team_id }) => `${name} left team ${team_id}`,
  'projects.archive': ({ title, status, url }) =>
    `${status === 'Normal' ? 'Took' : 'Put'} "${title}" ${status === 'Normal' ? 'out of' : 'into'} the archive ${url}`,
  'projects.set_playbook': ({ version, changed }) =>
    `The playbook is at version ${version}${told(changed)}`,
  'projects.set_instructions': ({ changed }) =>
    (changed as unknown[]).length ? 'Changed the instructions' : 'The instructions were so already',
  'user_context.update_profile': ({ changed }) =>
    (changed as unknown[]).length ? `Updated the profile${told(changed)}` : 'Nothing to change',
}

const told = (changed: unknown) =>
  Array.isArray(changed) && changed.length ? `: ${changed.join(', ')}` : ''

/** What was done, in one line; nothing where only the whole record will do. */
export function sentenceOf(op: AnyOperation, data: Row): string | undefined {
  const own = SENTENCES[op.name]
  if (own) return own(data)
  if (!writes(op)) return undefined
  const [noun = '', verb = ''] = op.name.split('.')
  const [thing, id] = THINGS[noun] ?? []
  if (!thing || !id || data[id] === undefined || op.output.secret) return undefined
  const name = data.title ?? data.name ?? data.email
  const what = `${thing} ${data[id]}${name === undefined ? '' : ` "${name}"`}`
  const link = data.url ? ` ${data.url}` : ''
  if (Array.isArray(data.changed) && !data.changed.length)
    return `Nothing to change on ${what}${link}`
  const changed = verb === 'create' ? '' : told(data.changed)
  return `${past(verb)} ${what}${changed}${link}`
}

function past(verb: string): string {
  // Assigning takes away as well.
  const [first = '', ...more] = (verb === 'assign' ? 'update' : verb).split('_')
  const done = first.endsWith('e') ? `${first}d` : `${first}ed`
  return [done[0]!.toUpperCase() + done.slice(1), ...more].join(' ')
}
