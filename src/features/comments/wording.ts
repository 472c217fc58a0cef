import { truncate } from '../../content/index.ts'
import { priorityName, sizeOf } from '../tasks/index.ts'

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
  'task.created': ({ section }) => (section ? `created it in ${section}` : 'created it'),
  'task.assigned': ({ actor }) => `assigned ${nameIn(actor)}`,
  'task.unassigned': ({ actor }) => `unassigned ${nameIn(actor)}`,
  'task.due_soon': () => 'reminded that it is due soon',
  'task.overdue': () => 'reminded that it is overdue',
  'lease.claimed': () => 'took it',
  'lease.released': ({ holder, reason }) =>
    reason === 'released'
      ? 'gave it back'
      : `ended the lease of ${nameIn(holder)}: it is ${reason}`,
  'relation.created': (data) => `linked it: ${describeRelation(data)}`,
  'relation.deleted': (data) => `unlinked it: ${describeRelation(data)}`,
  'attachment.created': ({ filename }) => `attached ${filename}`,
  'attachment.deleted': ({ filename }) => `removed the file ${filename}`,
  'decision.requested': ({ question }) => `asked for a decision: ${question}`,
  'decision.answered': ({ selected_option }) => `decided: ${selected_option}`,
  'decision.cancelled': ({ question }) => `withdrew the question: ${question}`,
  'pull_request.created': (data) => `added ${pullRequestIn(data)}`,
  'pull_request.updated': (data) => `told of ${pullRequestIn(data)}`,
  'evidence.added': ({ summary }) => `added evidence: ${summary}`,
  'evidence.removed': ({ summary }) => `removed the evidence: ${summary}`,
  'escalation.created': ({ reason }) => `escalated it: ${reason}`,
  'escalation.resolved': ({ note }) => `resolved the escalation${note ? `: ${note}` : ''}`,
  'run.created': ({ agent_name, origin }) =>
    origin === 'self' ? 'went to work on it' : `set ${agent_name} to work on it`,
  'run.prompted': ({ agent_name, prompt }) => `told ${agent_name}: ${truncate(String(prompt))}`,
  'run.started': () => 'took up the work',
  'run.waiting': () => 'waits with the work',
  'run.stopped': ({ agent_name }) => `stopped the work of ${agent_name}`,
  'run.done': ({ summary }) => `finished the work${briefSuffix(summary)}`,
  'run.failed': ({ summary }) => `gave up the work${briefSuffix(summary)}`,
  'page.created': (data) => `wrote ${pageIn(data)}`,
  'page.updated': (data) =>
    data.mode && data.mode !== 'replace' ? `added to ${pageIn(data)}` : `changed ${pageIn(data)}`,
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
  return parts.join('; ') || 'changed it'
}

type DescribeEdit = (
  was: unknown,
  is: unknown,
  change: { before: Data; after: Data },
) => string | string[] | undefined

const fromTo = (what: string, was: unknown, is: unknown) => `${what} from ${was} to ${is}`

const EDITS: Record<string, DescribeEdit> = {
  section_id: (_, __, { before, after }) => fromTo('moved', before.section, after.section),
  project_id: (_, __, { before, after }) => fromTo('took it', before.project, after.project),
  // The ticket number changes together with the board.
  ticket_number: () => undefined,
  rank: () => 'put it elsewhere in its column',
  title: (was, is) => fromTo('renamed it', `"${was}"`, `"${is}"`),
  priority: (was, is) =>
    fromTo('set the priority', priorityName(was as number), priorityName(is as number)),
  estimate: (was, is) => fromTo('set the size', sizeOf(was as number), sizeOf(is as number)),
  labels: (was, is) => describeLabels(namesIn(was), namesIn(is)),
  status: (_, is) =>
    ({ Archive: 'archived it', Deleted: 'deleted it', Normal: 'brought it back' })[String(is)],
  description: () => 'rewrote the description',
  content_type: () => undefined,
  parent_task_id: (_, is) => (is === null ? 'made it a task of its own' : 'made it a sub-task'),
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
