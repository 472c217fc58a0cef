import type { Client } from '../../../catalog.ts'
import type { Read } from '../reader.ts'

type Result<Name extends keyof Client> = Awaited<ReturnType<Client[Name]>>
type Manifest = Result<'projects.manifest'>
type Flow = Result<'flow.report'>
type TaskRow = Result<'tasks.list'>['items'][number]
type Section = Manifest['sections'][number]

/** What the facts of a board are read from. Operations that several facts need are called once. */
export interface FactSource {
  read: Read
  board: Manifest
  flow: Flow
  /** How many days of history a prompt is about. */
  days: number
}

/** A part of the facts: a heading and its lines. Empty parts are left out. */
type Fact = (source: FactSource) => Promise<string>

const ROWS = 6
const TITLE_LENGTH = 80
const TEXT_LENGTH = 600
const HOUR = 3600
const DAY = 24 * HOUR

export const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text

/** One line, so that a text with line breaks cannot look like another part. */
const oneLine = (text: string, length = TITLE_LENGTH) =>
  cut(text.replace(/\s+/g, ' ').trim(), length)

const part = (heading: string, lines: readonly string[]) =>
  lines.length ? `## ${heading}\n${lines.join('\n')}` : ''

const columns: Fact = async ({ board }) =>
  part(
    'Columns',
    board.sections.map(
      ({ section_id, title, role, task_count, wip_limit }) =>
        `- ${oneLine(title)} (section_id ${section_id}, ${role}): ${task_count}${wip_limit ? ` of at most ${wip_limit}` : ''}`,
    ),
  )

const guidance: Fact = async ({ board: { playbook, custom_instruction } }) =>
  part(
    'Rules of the board',
    [
      playbook?.working_rules,
      playbook?.definition_of_done.length &&
        `Done means: ${playbook.definition_of_done.join('; ')}`,
      playbook?.notes,
      custom_instruction,
    ].flatMap((text) => (text ? [`- ${oneLine(text, TEXT_LENGTH)}`] : [])),
  )

const FIELDS = ['ticket_number', 'title', 'section', 'priority_name', 'due_date', 'assignees']

const taskLine = ({ ticket_number, title, section, priority_name, due_date, assignees }: TaskRow) =>
  [
    `- ${ticket_number} ${oneLine(title)}`,
    oneLine(section, 30),
    priority_name === 'None' ? '' : priority_name,
    due_date ? `due ${due_date.slice(0, 10)}` : '',
    assignees.map(({ name }) => oneLine(name, 30)).join(', ') || 'unassigned',
  ]
    .filter(Boolean)
    .join(' · ')

const queryFact =
  (heading: string, query: string, sort: string): Fact =>
  ({ read, board }) =>
    listFact(read, heading, { project_id: board.project_id, query, sort })

interface TaskFilter {
  project_id: number
  section_id?: number
  query: string
}

async function listFact(
  read: Read,
  heading: string,
  { sort, ...filter }: TaskFilter & { sort: string },
): Promise<string> {
  const { items, page } = await read('tasks.list', {
    ...{ ...filter, sort, fields: FIELDS, limit: ROWS },
  })
  const lines = items.map(taskLine)
  if (page.has_more) lines.push(`- more: svc_tasks list ${JSON.stringify(filter)}`)
  return part(`${heading} (${page.total ?? 'over 10,000'})`, lines)
}

const overdue = queryFact('Overdue', 'is:open is:overdue', 'dueDate:asc')
const blocked = queryFact('Blocked', 'is:open is:blocked', 'updatedAt:asc')
const dueSoon = queryFact('Due within a week', 'is:open due:week -is:overdue', 'dueDate:asc')

/** In the order in which agents take them. */
const ready: Fact = async ({ read, board: { project_id } }) => {
  const { items } = await read('tasks.next', { project_id, fields: FIELDS, limit: ROWS })
  return part('Ready to start, in this order', items.map(taskLine))
}

/** The tasks of all columns with a role, oldest first. */
const inRole =
  (role: Section['role'], sort: string): Fact =>
  async ({ read, board }) => {
    const parts = board.sections
      .filter((section) => section.role === role && section.task_count > 0)
      .map(({ section_id, title }) => {
        const filter = { project_id: board.project_id, section_id, query: 'is:open', sort }
        return listFact(read, `In ${oneLine(title)}`, filter)
      })
    return (await Promise.all(parts)).join('\n\n')
  }

function age(seconds: number): string {
  if (seconds < HOUR) return 'under 1 h'
  return seconds < DAY ? `${Math.round(seconds / HOUR)} h` : `${Math.round(seconds / DAY)} d`
}

const inProgress: Fact = async ({ flow: { going, going_total }, board }) => {
  const titles = new Map(board.sections.map(({ section_id, title }) => [section_id, title]))
  const lines = going
    .slice(0, ROWS)
    .map(
      ({ ticket_number, title, section_id, age_seconds }) =>
        `- ${ticket_number} ${oneLine(title)} · ${oneLine(titles.get(section_id) ?? '', 30)} · for ${age(age_seconds)}`,
    )
  return part(`In progress (${going_total}), longest first`, lines)
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const done: Fact = async ({ flow, days }) => {
  const recent = flow.days.slice(-days)
  const count = sum(recent.map(({ completed }) => completed))
  const lines = flow.done
    .slice(0, Math.min(count, ROWS))
    .map(({ ticket_number, title, completed_at }) => {
      const moved = 'moved to another board'
      return `- ${ticket_number ?? moved} ${oneLine(title ?? '')} · ${completed_at.slice(0, 10)}`
    })
  return part(`Done in ${days === 1 ? 'the last day' : `the last ${days} days`} (${count})`, lines)
}

const pace: Fact = async ({ flow, days }) => {
  const counts = flow.days.map(({ completed }) => completed)
  const previous = sum(counts.slice(-2 * days, -days))
  const { cycle, lead, completed } = flow
  const spread = ({ median, p85 }: Flow['cycle']) =>
    median === null || p85 === null ? 'unknown' : `${age(median)} median, ${age(p85)} at 85%`
  return part('Pace', [
    ...(counts.length >= 2 * days ? [`- Done in the ${days} days before: ${previous}`] : []),
    `- Last ${counts.length} days: ${completed} done; cycle time ${spread(cycle)}; lead time ${spread(lead)}`,
  ])
}

const decisions: Fact = async ({ read, board: { project_id } }) => {
  const filter = { project_id, status: 'pending', limit: ROWS } as const
  const { items, page } = await read('decision_requests.list', filter)
  const lines = items.map(
    ({ decision_request_id, ticket_number, question }) =>
      `- ${ticket_number} ${oneLine(question, 120)} (decision_request_id ${decision_request_id})`,
  )
  return part(`Decisions pending (${page.total})`, lines)
}

export const FACTS = {
  columns,
  guidance,
  overdue,
  blocked,
  dueSoon,
  ready,
  intake: inRole('intake', 'createdAt:asc'),
  verify: inRole('verify', 'updatedAt:asc'),
  inProgress,
  done,
  pace,
  decisions,
} as const satisfies Record<string, Fact>

export type FactName = keyof typeof FACTS

/** The operations that all facts together call. */
export const FACT_OPERATIONS = [
  'projects.manifest',
  'flow.report',
  'tasks.list',
  'tasks.next',
  'decision_requests.list',
] as const
