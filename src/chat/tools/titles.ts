import type { Fields } from './types.ts'

/**
 * What a call does, for people. `{name}` is a field of its input; `{task}`, `{tasks}` and `{board}`
 * come from whichever field names them. A part in [ ] is left out if one of its fields is missing.
 */
export const TITLES: Record<string, string> = {
  'projects.list': 'List boards',
  'projects.rename': 'Rename {board} to "{title}"',
  'projects.update': 'Change the settings of {board}[: access {access}]',
  'projects.archive': 'Set {board} to {status|Archive}',
  'projects.get_playbook': 'Read the playbook of {board}',
  'projects.set_playbook': 'Change the playbook of {board}',
  'guidance.versions': 'List the guidance versions of {board}',
  'guidance.version': 'Read guidance version {version_id} of {board}',
  'guidance.restore': 'Restore guidance version {version_id} of {board}',
  'projects.get_instructions': 'Read the instructions of {board}',
  'projects.set_instructions': 'Change the instructions of {board}',
  'projects.create': 'Create the board "{title}"',
  'projects.manifest': 'Look at {board}',
  'projects.members': 'List who can see {board}',
  'projects.invite_member': 'Invite {member_identifier} to {board}',
  'rules.list': 'List the rules of {board}',
  'rules.get': 'Look at rule {rule_id}',
  'rules.create': 'Add a rule to {board}',
  'rules.update': 'Change rule {rule_id}[: enabled {enabled}]',
  'rules.delete': 'Delete rule {rule_id}',
  'rules.preview': 'Test a rule on {board}',
  'rules.executions': 'Read the log of rule {rule_id}',
  'rules.reference': 'Read what rules consist of',
  'sections.list': 'List the columns of {board}',
  'sections.get': 'Look at column {section_id} of {board}',
  'sections.create': 'Add the column "{title}" to {board}',
  'sections.update': 'Change column {section_id} of {board}[: "{title}"]',
  'sections.delete': 'Delete column {section_id} of {board}',
  'labels.list': 'List the labels of {board}',
  'labels.create': 'Add the label "{name}" to {board}',
  'labels.update': 'Change label {label_id} of {board}[ to "{name}"]',
  'labels.delete': 'Delete label {label_id} of {board}',
  'user_context.get': 'Read your profile',
  'user_context.update_profile': 'Change your profile',
  'comments.list': 'Read the comments on {task}',
  'comments.add': 'Comment on {task}: "{text}"',
  'comments.update': 'Change comment {comment_id} to "{text}"',
  'comments.delete': 'Delete comment {comment_id}',
  'tasks.list': 'List tasks[ of {board}][ with "{query}"]',
  'tasks.get': 'Read {task}',
  'tasks.create': 'Create "{title}" on {board}',
  'tasks.create_many': 'Create {tasks} on {board}',
  'tasks.update': 'Change {task}[: {changes}]',
  'tasks.update_many': 'Change {tasks}[: {changes}]',
  'tasks.add_label': 'Label {tasks} "{label}"',
  'tasks.remove_label': 'Remove the label "{label}" from {tasks}',
  'tasks.move': 'Move {task} to board {target_project_id}',
  'tasks.assign_to': 'Assign {tasks} to {assignees}',
  'tasks.unassign': 'Unassign {assignees|everybody} from {tasks}',
  'tasks.hand_over': 'Hand {task} over to {to}',
  'tasks.snooze': 'Snooze {task} until {until|now}',
  'tasks.tree': 'List the subtasks of {task}',
  'tasks.duplicates': 'Find similar open tasks',
  'tasks.versions': 'List the versions of the description of {task}',
  'tasks.restore': 'Restore version {version_id} of the description of {task}',
  'tasks.next': 'Find the next task of {board}',
  'tasks.context': 'Read the context of {task}',
  'custom_fields.set': 'Set {field_name|a field} of {task} to "{value}"',
  'custom_fields.list': 'List the custom fields of {board}',
  'leases.claim': 'Claim {task}',
  'leases.release': 'Release {task}',
  'relations.create': 'Relate {source_ticket_number} to {target_ticket_number}: {relation_type}',
  'relations.list': 'List the relations of {task}',
  'relations.delete': 'Unlink {source_ticket_number} from {target_ticket_number}',
  'templates.list': 'List task templates',
  'templates.create': 'Save task {taskId} as a template[ "{name}"]',
  'templates.delete': 'Delete template {templateId}',
  'templates.apply': 'Create a task from template {templateId}',
  'drafts.list': 'List your drafts',
  'drafts.create': 'Draft a {draft_type|comment} on {task}',
  'drafts.update': 'Change draft {draft_id}',
  'drafts.publish': 'Publish draft {draft_id}',
  'drafts.delete': 'Delete draft {draft_id}',
  'pages.create': 'Write the page "{title|untitled}" on {task}',
  'pages.get': 'Read page {page_id}',
  'pages.update': 'Change page {page_id}[: {mode}]',
  'pages.list': 'List pages[ of {ticket_number}]',
  'pages.versions': 'List the versions of page {page_id}',
  'pages.restore': 'Restore version {version_id} of page {page_id}',
  'pages.archive': 'Archive page {page_id}',
  'pages.canvas': 'Read the source of canvas {page_id}',
  'pages.search': 'Search pages for "{query}"',
  'views.list': 'List views[ of {board}]',
  'views.get': 'Look at view {view_id}',
  'views.tasks': 'List the tasks of view {view_id}',
  'views.create': 'Save the view "{title}" on {board}',
  'views.update': 'Change view {view_id}[: "{title}"]',
  'views.delete': 'Delete view {view_id}',
  'views.set_default': 'Change the default view: {view_id}',
  'my_tasks.list': 'List your own tasks',
  'calendar.list': 'Look at the calendar from {from} to {to}',
  'inbox.list': 'List the inbox',
  'inbox.summary': 'Count what is in the inbox',
  'inbox.archive': 'Archive {notification_ids} in the inbox',
  'inbox.unarchive': 'Move {notification_ids} back to the inbox',
  'inbox.read': 'Mark {notification_ids} as read',
  'inbox.unread': 'Mark {notification_ids} as unread',
  'inbox.move_task': 'Move {task} to the inbox of user {user_id}',
  'time.start': 'Start the timer on {task}',
  'time.stop': 'Stop the timer on {task}',
  'time.pause': 'Pause the timer[ on {task_identifier}]',
  'time.resume': 'Resume the timer[ on {task_identifier}]',
  'time.status': 'Look at the timer on {task}',
  'time.running': 'List running timers',
  'time.list': 'List time entries',
  'time.log': 'Log {minutes} minutes on {task}',
  'attachments.list': 'List the files of {task}',
  'attachments.get': 'Look at file {attachment_id}',
  'attachments.create': 'Attach files to {task}',
  'attachments.delete': 'Delete file {attachment_id}',
  'decision_requests.create': 'Ask about {task}: "{question}"',
  'decision_requests.list': 'List decision requests',
  'decision_requests.get': 'Look at decision request {decision_request_id}',
  'decision_requests.answer': 'Answer decision request {decision_request_id}: "{selected_option}"',
  'decision_requests.cancel': 'Cancel decision request {decision_request_id}',
  'runs.create': 'Start a run of agent {agent_id} on {task}',
  'runs.list': 'List the runs on {task}',
  'runs.get': 'Look at run {run_id}',
  'runs.prompt': 'Prompt run {run_id}: "{text}"',
  'runs.stop': 'Stop run {run_id}',
  'feedback.report': 'Report a problem with {tool}',
  'reports.list': 'List the reports of {board}',
  'reports.get': 'Read report {report_id|of a board}',
  'reports.create': 'Save the report "{title}" on {board}',
  'reports.update': 'Change report {report_id|of a board}',
  'reports.delete': 'Delete report {report_id|of a board}',
  'search.tasks': 'Search tasks for "{query}"',
  'search.semantic': 'Search texts for "{query}"',
  'search.related': 'Find related texts[ for {ticket_number}]',
  'search.help': 'Look up "{query}" in the manual',
  'webhooks.get': 'Look at the webhook of agent {agent_id}',
  'webhooks.test': 'Send a test to the webhook of agent {agent_id}',
  'webhooks.replay': 'Deliver {delivery_id} again',
  'webhooks.delete': 'Delete the webhook of agent {agent_id}',
  'agents.presence': 'List agents that are online',
  'agents.list': 'List agents',
  'agents.get': 'Look at agent {agent_id}',
  'agents.deactivate': 'Deactivate agent {agent_id}',
  'agents.revoke': 'Revoke the tokens of agent {agent_id}',
  'agents.archive': 'Archive agent {agent_id}',
  'agents.delete': 'Delete agent {agent_id}',
  'skills.list': 'List skills',
  'skills.get': 'Read skill {skill_id}',
  'skills.create': 'Save the skill "{name|from a file}"',
  'skills.update': 'Change skill {skill_id}',
  'skills.delete': 'Delete skill {skill_id}',
  'skills.import': 'Import skills from {url}',
}

const MAX_TITLE = 160
const MAX_PART = 60
const PART = /\{(\w+)(?:\|([^}]*))?\}/g

/** The title of a call with this input, which may be anything. */
export function titleOf(op: string, summary: string, input: unknown, board?: string): string {
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Fields
  const render = (name: string) => renderPart(name, fields, board)
  const template = TITLES[op] ?? summary
  const expanded = template.replace(/\[([^\]]*)\]/g, (_, part: string) =>
    [...part.matchAll(PART)].every(([, name]) => render(name!) !== undefined) ? part : '',
  )
  const title = expanded.replace(
    PART,
    (_, name: string, fallback = '…') => render(name) ?? fallback,
  )
  return clip(title, MAX_TITLE)
}

function renderPart(name: string, fields: Fields, board: string | undefined): string | undefined {
  if (name === 'board') {
    const { project_id } = fields
    if (typeof project_id !== 'number') return undefined
    return board === undefined ? `board ${project_id}` : clip(board, MAX_PART)
  }
  if (name === 'task')
    return valueText(fields.ticket_number ?? fields.task_identifier ?? fields.task_id)
  if (name === 'tasks')
    return fields.tasks ? taskCount(fields.tasks) : valueText(fields.ticket_numbers)
  if (name === 'changes') return changesIn(fields)
  return valueText(fields[name])
}

const ADDRESS = ['task_id', 'ticket_number', 'unique_index', 'task_ids', 'ticket_numbers']
const OMITTED = [...ADDRESS, 'lease_id', 'content_type', 'if_version']

/** A description is only named; the card shows its text. */
function changesIn(fields: Fields): string | undefined {
  const changes = Object.entries(fields)
    .filter(([name]) => !OMITTED.includes(name))
    .map(([name, value]) =>
      name === 'description' ? name : `${fieldLabel(name)} ${valueText(value)}`,
    )
  return changes.length ? changes.join(', ') : undefined
}

const fieldLabel = (name: string) => clip(name.replace(/_id$/, '').replaceAll('_', ' '), 30)

const taskCount = (tasks: unknown) =>
  Array.isArray(tasks) ? `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}` : undefined

function valueText(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (value === null) return 'none'
  if (Array.isArray(value)) {
    const first = value.slice(0, 3).map(valueText).join(', ')
    return value.length > 3 ? `${first} and ${value.length - 3} more` : first || 'none'
  }
  if (typeof value === 'object') return '…'
  return clip(String(value), MAX_PART)
}

/** Makes one line without control or invisible characters, and truncates it. */
function clip(text: string, max: number): string {
  const line = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
  const characters = [...line]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line
}
