import { truncate } from '../../../../content/index.ts'
import { describeFieldChange } from '../../../tasks/fields/model/index.ts'

type Data = Record<string, unknown>

/** A change of a task, with titles in place of the ids that the change log holds. */
export interface ActivityChange {
  type: string
  data: Data
  changed: readonly string[]
  before: Data
  after: Data
}

/** Describes a change in words that follow a name, as in "Ada moved it from Doing to Done". */
export function describeChange(change: ActivityChange): string {
  const { type, data } = change
  const description = DESCRIPTIONS[type]?.(data)
  if (description) return description
  if (type === 'task.updated') return describeUpdate(change)
  const [noun = '', verb = ''] = type.replaceAll('_', ' ').split('.')
  return `${verb} ${noun}`.trim()
}

const nameIn = (value: unknown) => (value as { name?: string } | undefined)?.name ?? 'somebody'

const DESCRIPTIONS: Record<string, (data: Data) => string> = {
  'task.created': ({ section }) =>
    section ? `created this task in ${section}` : 'created this task',
  'task.imported': ({ source }) => `imported this task from ${source}`,
  'task.assigned': ({ actor }) => `assigned ${nameIn(actor)}`,
  'task.unassigned': ({ actor }) => `unassigned ${nameIn(actor)}`,
  'task.due_soon': () => 'sent a reminder: due soon',
  'task.overdue': () => 'sent a reminder: overdue',
  'lease.claimed': () => 'claimed this task',
  'lease.released': ({ holder, reason }) =>
    reason === 'released'
      ? 'released this task'
      : `ended the lease of ${nameIn(holder)}: this task is ${reason}`,
  'relation.created': (data) => `added a relation: ${describeRelation(data)}`,
  'relation.deleted': (data) => `removed a relation: ${describeRelation(data)}`,
  'attachment.created': ({ filename }) => `attached ${filename}`,
  'attachment.deleted': ({ filename }) => `removed the file ${filename}`,
  'decision.requested': ({ question }) => `requested a decision: ${question}`,
  'decision.answered': ({ selected_option }) => `decided: ${selected_option}`,
  'decision.cancelled': ({ question }) => `cancelled the decision request: ${question}`,
  'pull_request.created': (data) => `added ${pullRequestIn(data)}`,
  'pull_request.updated': (data) => `updated ${pullRequestIn(data)}`,
  'evidence.added': ({ summary }) => `added evidence: ${summary}`,
  'evidence.updated': ({ summary }) => `updated evidence: ${summary}`,
  'evidence.removed': ({ summary }) => `removed evidence: ${summary}`,
  'escalation.created': ({ reason }) => `escalated this task: ${reason}`,
  'escalation.resolved': ({ note }) => `resolved the escalation${note ? `: ${note}` : ''}`,
  'run.created': ({ agent_name, origin }) =>
    origin === 'self' ? 'started a run' : `started a run of ${agent_name}`,
  'run.prompted': ({ agent_name, prompt }) => `prompted ${agent_name}: ${truncate(String(prompt))}`,
  'run.started': () => 'began to work',
  'run.waiting': () => 'is waiting for input',
  'run.stopped': ({ agent_name }) => `stopped the run of ${agent_name}`,
  'run.done': ({ summary }) => `finished the run${briefSuffix(summary)}`,
  'run.failed': ({ summary }) => `ended the run as failed${briefSuffix(summary)}`,
  'run.budget_reached': ({ text }) => `reached a budget: ${text}`,
  'page.created': (data) => `created ${pageIn(data)}`,
  'page.updated': (data) =>
    data.mode && data.mode !== 'replace' ? `added to ${pageIn(data)}` : `edited ${pageIn(data)}`,
  'page.restored': (data) => `restored ${pageIn(data)}`,
  'page.archived': (data) => `archived ${pageIn(data)}`,
  'pull_request.deleted': ({ title }) => `removed the pull request ${title ?? ''}`.trim(),
}

const pageIn = ({ title }: Data) => `the page "${title}"`

const briefSuffix = (summary: unknown) => (summary ? `: ${truncate(String(summary))}` : '')

const pullRequestIn = ({ title, state, checks }: Data) =>
  `the pull request ${title ? `"${title}", ` : ''}${state}, checks ${checks}`

/** Leaves out ticket keys of other boards, because the reader may not see those boards. */
function describeRelation({ relation_type, ticket_number, other_ticket_number }: Data): string {
  const board = (ticket: unknown) => String(ticket).split('-')[0]
  const isHere = board(ticket_number) === board(other_ticket_number)
  return `${relation_type} ${isHere ? other_ticket_number : 'a task on another board'}`
}

function describeUpdate({ changed, before, after }: ActivityChange): string {
  const parts = changed.flatMap((field) => {
    const was = before[field]
    const is = after[field]
    const describe = EDITS[field]
    return describe ? (describe(was, is, { before, after }) ?? []) : describeField(field, is)
  })
  return parts.join('; ') || 'changed this task'
}

type DescribeEdit = (
  was: unknown,
  is: unknown,
  change: { before: Data; after: Data },
) => string | string[] | undefined

const fromTo = (what: string, was: unknown, is: unknown) => `${what} from ${was} to ${is}`

const EDITS: Record<string, DescribeEdit> = {
  section_id: (_, __, { before, after }) =>
    fromTo('moved this task', before.section, after.section),
  project_id: (_, __, { before, after }) =>
    fromTo('moved this task', before.project, after.project),
  // The ticket number changes together with the board.
  ticket_number: () => undefined,
  rank: () => 'changed its position in the column',
  title: (was, is) => fromTo('renamed this task', `"${was}"`, `"${is}"`),
  ...describeFieldChange,
  labels: (was, is) => describeLabels(namesIn(was), namesIn(is)),
  status: (_, is) =>
    ({ Archive: 'archived this task', Deleted: 'deleted this task', Normal: 'restored this task' })[
      String(is)
    ],
  description: () => 'edited the description',
  content_type: () => undefined,
  parent_task_id: (_, is) => (is === null ? 'made this a top-level task' : 'made this a subtask'),
}

const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function describeLabels(was: string[], is: string[]): string[] {
  const added = is.filter((name) => !was.includes(name))
  const removed = was.filter((name) => !is.includes(name))
  return [
    ...(added.length ? [`added ${labels(added)}`] : []),
    ...(removed.length ? [`removed ${labels(removed)}`] : []),
  ]
}

const labels = (names: string[]) =>
  `the label${names.length > 1 ? 's' : ''} ${names.map((name) => `"${name}"`).join(', ')}`

/** Prefix of custom field names in a change. */
const CUSTOM_PREFIX = 'custom_fields.'

function describeField(field: string, is: unknown): string {
  const customName = field.startsWith(CUSTOM_PREFIX) && `"${field.slice(CUSTOM_PREFIX.length)}"`
  const name = customName || `the ${field.replaceAll('_', ' ')}`
  if (is === null) return `cleared ${name}`
  const isShort = typeof is === 'string' || typeof is === 'number' || typeof is === 'boolean'
  return isShort ? `set ${name} to ${is}` : `changed ${name}`
}
