import { isWrite, type OperationDescription } from '../../kernel/operation.ts'
import { cell } from './cell.ts'
import type { Call } from './chat/event.ts'
import { callLine } from './chat/print-events.ts'

type Row = Record<string, unknown>

/** For each noun: the word for one of them, and its id field. */
const THINGS: Record<string, [thing: string, id: string]> = {
  projects: ['board', 'project_id'],
  tasks: ['task', 'ticket_number'],
  sections: ['column', 'section_id'],
  labels: ['label', 'label_id'],
  skills: ['skill', 'skill_id'],
  comments: ['comment', 'comment_id'],
  pages: ['page', 'page_id'],
  drafts: ['draft', 'draft_id'],
  chat: ['thread', 'thread_id'],
  views: ['view', 'view_id'],
  my_tasks: ['task', 'ticket_number'],
  my_views: ['view', 'view_id'],
  calendar: ['task', 'ticket_number'],
  calendar_feeds: ['feed', 'feed_id'],
  templates: ['template', 'template_id'],
  attachments: ['file', 'attachment_id'],
  inbox: ['notification', 'notification_id'],
  decision_requests: ['decision request', 'decision_request_id'],
  custom_fields: ['field', 'field_id'],
  reports: ['report', 'report_id'],
  pull_requests: ['pull request', 'pull_request_id'],
  pull_request_receivers: ['receiver', 'receiver_id'],
  teams: ['team', 'team_id'],
  invitations: ['invitation', 'invitation_id'],
  agents: ['agent', 'agent_id'],
  runs: ['run', 'run_id'],
  sessions: ['run', 'run_id'],
  evidence: ['evidence', 'evidence_id'],
  escalations: ['escalation', 'escalation_id'],
  api_keys: ['key', 'api_key_id'],
  access_tokens: ['token', 'access_token_id'],
}

/** Column titles that differ from the field name. */
const TITLES: Record<string, string> = {
  ticket_number: 'key',
  'task.ticket_number': 'key',
  'task.title': 'title',
  priority_name: 'priority',
  section: 'column',
  due_date: 'due',
  is_done: 'done set',
}

export function titleOf(op: OperationDescription, field: string): string {
  const [noun] = op.name.split('.')
  if (field === THINGS[noun!]?.[1] && field.endsWith('_id')) return 'id'
  const name = field.replace(/\.name$/, '')
  return TITLES[name] ?? name.replaceAll('_', ' ')
}

const runState = ({ run_id, ticket_number, state, changed }: Row) =>
  `Run ${run_id} of ${ticket_number} is ${state}${(changed as unknown[]).length ? '' : ' already'}`

const deliveryResult = ({ delivery_id, type, delivered, status, error, ms }: Row) =>
  delivered
    ? `Delivered ${type} in ${ms} ms, answered with ${status}: delivery ${delivery_id}`
    : `Not delivered: ${error} (delivery ${delivery_id})`

/** Sentences for results that the general one does not fit. Undefined prints the record. */
const SENTENCES: Record<string, (data: Row) => string | undefined> = {
  'projects.get_instructions': ({ custom_instruction }) =>
    custom_instruction === null ? 'The board has no instructions' : undefined,
  'teams.set_role': ({ name, role, was }) => `${name} is now ${role} (was ${was})`,
  'teams.remove_member': ({ name, team_id }) => `Removed ${name} from team ${team_id}`,
  'teams.leave': ({ name, team_id }) => `${name} left team ${team_id}`,
  'projects.remove_member': ({ name, sees }) =>
    `Removed ${name} from the board${sees ? ', but as a team member they still see it' : ''}`,
  'projects.archive': ({ title, status, url }) =>
    `${status === 'Normal' ? 'Unarchived' : 'Archived'} "${title}" ${url}`,
  'projects.set_playbook': ({ version, changed }) =>
    `The playbook is now at version ${version}${changedFields(changed)}`,
  'guidance.restore': ({ kind, restored, changed }) =>
    (changed as unknown[]).length
      ? `Restored version ${restored} of the ${kind}${changedFields(changed)}`
      : `Version ${restored} of the ${kind} is already in use`,
  'projects.set_instructions': ({ changed }) =>
    (changed as unknown[]).length ? 'Changed the instructions' : 'The instructions did not change',
  'projects.set_limits': ({ changed, paused, budget_usd }) =>
    (changed as unknown[]).length
      ? `The agents of the board are ${paused ? 'paused' : 'not paused'}, with ${budget_usd === null ? 'no budget' : `a budget of ${budget_usd} USD a month`}`
      : 'The limits did not change',
  'tasks.hand_over': ({ ticket_number, handed_to }) =>
    `Handed ${ticket_number} over to ${(handed_to as Row).name}`,
  'comments.react': ({ comment_id }) => `Reacted to comment ${comment_id}`,
  'comments.unreact': ({ comment_id }) => `Removed your reaction from comment ${comment_id}`,
  'chat.reply': ({ thread_id }) => `Replied in thread ${thread_id}`,
  'chat.stop': ({ thread_id, stopped }) =>
    stopped ? `Stopped the answer in thread ${thread_id}` : 'No answer is running in that thread',
  'chat.undo': ({ call }) => callLine(call as Call),
  'relations.create': ({ source_ticket_number, relation_type, target_ticket_number }) =>
    `${source_ticket_number} is ${relation_type} ${target_ticket_number}`,
  'relations.delete': ({ source_ticket_number, target_ticket_number }) =>
    `Unlinked ${source_ticket_number} and ${target_ticket_number}`,
  'pages.archive': ({ page_id, title, archived }) =>
    archived
      ? `Archived page ${page_id} "${title}"${(archived as number) > 1 ? `, and ${count((archived as number) - 1, 'page')} nested in it` : ''}`
      : `Page ${page_id} "${title}" is already archived`,
  'attachments.create': ({ ticket_number, attachments }) =>
    `Attached ${(attachments as Row[]).map(({ attachment_id, filename }) => `${filename} (${attachment_id})`).join(', ')} to ${ticket_number}`,
  'views.set_default': ({ title, is_default }) =>
    `The board ${is_default ? 'opens' : 'no longer opens'} with "${title}"`,
  'decision_requests.cancel': ({ decision_request_id }) =>
    `Cancelled decision request ${decision_request_id}`,
  'inbox.read': ({ changed }) => `Marked ${notificationCount(changed)} as read`,
  'inbox.unread': ({ changed }) => `Marked ${notificationCount(changed)} as unread`,
  'inbox.archive': ({ changed }) => `Archived ${notificationCount(changed)}`,
  'inbox.unarchive': ({ changed }) => `Moved ${notificationCount(changed)} back to the inbox`,
  'inbox.move_task': ({ ticket_number, user_id }) =>
    `Moved ${ticket_number} to the inbox of user ${user_id}`,
  'feedback.report': ({ count }) =>
    count === 1 ? 'Reported for the first time' : `Reported; ${count} reports so far`,
  'custom_fields.set': ({ ticket_number, changed }) =>
    (changed as unknown[]).length
      ? `Updated task ${ticket_number}${changedFields(changed)}`
      : `Nothing to change on task ${ticket_number}`,
  'pull_requests.create': ({ ticket_number, url, created, changed }) =>
    created
      ? `Linked ${ticket_number} to ${url}`
      : (changed as unknown[]).length
        ? `Updated ${url} on ${ticket_number}${changedFields(changed)}`
        : `${ticket_number} is already linked to ${url}`,
  'pull_requests.sync': ({ linked }) =>
    (linked as Row[]).length
      ? `Updated ${(linked as Row[]).map(({ ticket_number }) => ticket_number).join(', ')}`
      : 'No task on this board has that pull request',
  'templates.create': ({ template_id, name }) => `Created template ${template_id} "${name}"`,
  'templates.apply': ({ ticket_number, title, url }) =>
    `Created task ${ticket_number} "${title}" ${url}`,
  'my_tasks.add': ({ ticket_number, title, url, understood }) =>
    ticket_number
      ? `Added task ${ticket_number} "${title}" ${url}`
      : `Would add "${(understood as Row).title}" to "${(understood as Row).project_title}"`,
  'calendar_feeds.create': ({ title, url }) =>
    `Created feed "${title}". Save its address now, it is not shown again: ${url}`,
  'leases.claim': ({ ticket_number, expires_at, lease_id }) =>
    `Claimed ${ticket_number} until ${cell(expires_at)}: lease ${lease_id}`,
  'leases.heartbeat': ({ ticket_number, expires_at }) =>
    `Renewed the lease of ${ticket_number} until ${cell(expires_at)}`,
  'leases.release': () => 'Released the lease',
  'leases.get': ({ ticket_number, lease }) =>
    lease ? undefined : `${ticket_number} is not claimed`,
  'runs.create': ({ run_id, ticket_number, state, created }) =>
    `Run ${run_id} of ${ticket_number} is ${state}${created ? '' : ', and was open already'}`,
  'runs.update': runState,
  'runs.prompt': runState,
  'runs.stop': runState,
  'runs.append': ({ run_id, entry_count }) =>
    `The transcript of run ${run_id} has ${count(entry_count, 'entry', 'entries')} now`,
  'evidence.add': ({ evidence_id, kind, ticket_number }) =>
    `Added evidence ${evidence_id}, a ${String(kind).replace('_', ' ')}, to ${ticket_number}`,
  'escalations.create': ({ escalation_id, ticket_number, to }) =>
    `Escalated ${ticket_number} to ${cell(to)}: escalation ${escalation_id}`,
  'escalations.resolve': ({ escalation_id, ticket_number }) =>
    `Resolved escalation ${escalation_id} of ${ticket_number}`,
  'webhooks.test': deliveryResult,
  'webhooks.replay': deliveryResult,
  'webhooks.delete': ({ released }) =>
    `Deleted the webhook; returned ${count(released, 'message')} to polling`,
  'messages.ack': ({ acknowledged, unknown }) =>
    `Acknowledged ${count(acknowledged, 'message')}${unknownIds(unknown)}`,
  'skills.import': ({ dry_run, skills }) =>
    dry_run
      ? undefined
      : (skills as Row[])
          .map(({ slug, state, problem }) => `/${slug}: ${problem ? `skipped, ${problem}` : state}`)
          .join('\n'),
  'mail.test': ({ sent, address, said }) =>
    sent ? `Sent to ${address}: ${said}` : `Not sent to ${address}: ${said}`,
  'user_context.update_profile': ({ changed }) =>
    (changed as unknown[]).length
      ? `Updated the profile${changedFields(changed)}`
      : 'Nothing to change',
}

const count = (number: unknown, one: string, plural = `${one}s`) =>
  number === 1 ? `one ${one}` : `${number || 'no'} ${plural}`

const notificationCount = (changed: unknown) => count((changed as unknown[]).length, 'notification')

const unknownIds = (unknown: unknown) =>
  (unknown as unknown[]).length ? `; unknown: ${(unknown as unknown[]).join(', ')}` : ''

const changedFields = (changed: unknown) =>
  Array.isArray(changed) && changed.length ? `: ${changed.join(', ')}` : ''

/** Describes the result of a write in one line. Undefined prints the whole record instead. */
export function sentenceOf(op: OperationDescription, data: Row): string | undefined {
  const sentence = SENTENCES[op.name]
  if (sentence) return sentence(data)
  if (!isWrite(op)) return undefined
  const [noun = '', verb = ''] = op.name.split('.')
  const [thing, id] = THINGS[noun] ?? []
  if (!thing || !id || data[id] === undefined || op.output.secret) return undefined
  const name = data.title ?? data.name ?? data.email
  const subject = `${thing} ${data[id]}${name === undefined ? '' : ` "${name}"`}`
  const link = data.url ? ` ${data.url}` : ''
  if (Array.isArray(data.changed) && !data.changed.length && verb !== 'create')
    return `Nothing to change on ${subject}${link}`
  const changed = verb === 'create' ? '' : changedFields(data.changed)
  return `${pastTense(verb)} ${subject}${changed}${link}`
}

function pastTense(verb: string): string {
  // These two verbs can also remove assignees or end a snooze, so the sentence says "Updated".
  const [first = '', ...rest] = (/^(assign|snooze)$/.test(verb) ? 'update' : verb).split('_')
  const participle = first.endsWith('e') ? `${first}d` : `${first}ed`
  return [participle[0]!.toUpperCase() + participle.slice(1), ...rest].join(' ')
}
