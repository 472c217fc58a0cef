import { briefly } from '../../content/index.ts'
import { priorityName, sizeOf } from '../tasks/index.ts'

type Told = Record<string, unknown>

/** A change of a task, with titles where the log has the numbers of rows. */
export interface Happening {
  type: string
  data: Told
  changed: readonly string[]
  before: Told
  after: Told
}

/** What happened in words that follow a name: "Ada moved it from Doing to Done". */
export function inWords(happening: Happening): string {
  const { type, data } = happening
  const known = SAID[type]?.(data)
  if (known) return known
  if (type === 'task.updated') return edited(happening)
  const [noun = '', verb = ''] = type.replaceAll('_', ' ').split('.')
  return `${verb} ${noun}`.trim()
}

const nameIn = (value: unknown) => (value as { name?: string } | undefined)?.name ?? 'somebody'

const SAID: Record<string, (data: Told) => string> = {
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
  'relation.created': (data) => `linked it: ${related(data)}`,
  'relation.deleted': (data) => `unlinked it: ${related(data)}`,
  'attachment.created': ({ filename }) => `attached ${filename}`,
  'attachment.deleted': ({ filename }) => `removed the file ${filename}`,
  'decision.requested': ({ question }) => `asked for a decision: ${question}`,
  'decision.answered': ({ selected_option }) => `decided: ${selected_option}`,
  'decision.cancelled': ({ question }) => `withdrew the question: ${question}`,
  'pull_request.created': (data) => `added ${requested(data)}`,
  'pull_request.updated': (data) => `told of ${requested(data)}`,
  'evidence.added': ({ summary }) => `added evidence: ${summary}`,
  'evidence.removed': ({ summary }) => `removed the evidence: ${summary}`,
  'escalation.created': ({ reason }) => `escalated it: ${reason}`,
  'escalation.resolved': ({ note }) => `resolved the escalation${note ? `: ${note}` : ''}`,
  'run.created': ({ agent_name, origin }) =>
    origin === 'self' ? 'went to work on it' : `set ${agent_name} to work on it`,
  'run.prompted': ({ agent_name, prompt }) => `told ${agent_name}: ${briefly(String(prompt))}`,
  'run.started': () => 'took up the work',
  'run.waiting': () => 'waits with the work',
  'run.stopped': ({ agent_name }) => `stopped the work of ${agent_name}`,
  'run.done': ({ summary }) => `finished the work${shortly(summary)}`,
  'run.failed': ({ summary }) => `gave up the work${shortly(summary)}`,
  'page.created': (data) => `wrote ${pageIn(data)}`,
  'page.updated': (data) =>
    data.mode && data.mode !== 'replace' ? `added to ${pageIn(data)}` : `changed ${pageIn(data)}`,
  'page.restored': (data) => `restored ${pageIn(data)}`,
  'page.archived': (data) => `archived ${pageIn(data)}`,
  'pull_request.deleted': ({ title }) => `removed the pull request ${title ?? ''}`.trim(),
}

const pageIn = ({ title }: Told) => `the page "${title}"`

const shortly = (summary: unknown) => (summary ? `: ${briefly(String(summary))}` : '')

const requested = ({ title, state, checks }: Told) =>
  `the pull request ${title ? `"${title}", ` : ''}${state}, checks ${checks}`

/** A key of another board says nothing to those who cannot see that board. */
function related({ relation_type, ticket_number, other_ticket_number }: Told): string {
  const board = (ticket: unknown) => String(ticket).split('-')[0]
  const isHere = board(ticket_number) === board(other_ticket_number)
  return `${relation_type} ${isHere ? other_ticket_number : 'a task on another board'}`
}

function edited({ changed, before, after }: Happening): string {
  const said = changed.flatMap((field) => {
    const was = before[field]
    const is = after[field]
    const known = EDITS[field]
    return known ? (known(was, is, { before, after }) ?? []) : plainly(field, is)
  })
  return said.join('; ') || 'changed it'
}

type Edits = (
  was: unknown,
  is: unknown,
  all: { before: Told; after: Told },
) => string | string[] | undefined

const fromTo = (what: string, was: unknown, is: unknown) => `${what} from ${was} to ${is}`

const EDITS: Record<string, Edits> = {
  section_id: (_, __, { before, after }) => fromTo('moved', before.section, after.section),
  project_id: (_, __, { before, after }) => fromTo('took it', before.project, after.project),
  // It follows from the board.
  ticket_number: () => undefined,
  rank: () => 'put it elsewhere in its column',
  title: (was, is) => fromTo('renamed it', `"${was}"`, `"${is}"`),
  priority: (was, is) =>
    fromTo('set the priority', priorityName(was as number), priorityName(is as number)),
  estimate: (was, is) => fromTo('set the size', sizeOf(was as number), sizeOf(is as number)),
  labels: (was, is) => relabelled(namesIn(was), namesIn(is)),
  status: (_, is) =>
    ({ Archive: 'archived it', Deleted: 'deleted it', Normal: 'brought it back' })[String(is)],
  description: () => 'rewrote the description',
  content_type: () => undefined,
  parent_task_id: (_, is) => (is === null ? 'made it a task of its own' : 'made it a sub-task'),
}

const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function relabelled(was: string[], is: string[]): string[] {
  const added = is.filter((name) => !was.includes(name))
  const removed = was.filter((name) => !is.includes(name))
  return [
    ...(added.length ? [`added ${labels(added)}`] : []),
    ...(removed.length ? [`removed ${labels(removed)}`] : []),
  ]
}

const labels = (names: string[]) =>
  `the label${names.length > 1 ? 's' : ''} ${names.map((name) => `"${name}"`).join(', ')}`

/** Before the names that people gave to fields of theirs. */
const CUSTOM = 'custom_fields.'

function plainly(field: string, is: unknown): string {
  const own = field.startsWith(CUSTOM) && `"${field.slice(CUSTOM.length)}"`
  const name = own || `the ${field.replaceAll('_', ' ')}`
  if (is === null) return `cleared ${name}`
  const isShort = typeof is === 'string' || typeof is === 'number' || typeof is === 'boolean'
  return isShort ? `set ${name} to ${is}` : `changed ${name}`
}
