import { type CsvRow, csvOf } from '../../csv.ts'
import { ImportProblem } from '../../problem.ts'
import type { Report, SourceFile } from '../../source.ts'
import { type DateOrder, decideDateOrder, parseDate, parseMoment } from '../shared/dates.ts'
import {
  addPerson,
  defaultType,
  type Issue,
  type LinearData,
  type State,
  type Team,
} from './issue.ts'

const DATES = ['Created', 'Updated', 'Started', 'Completed', 'Canceled', 'Due Date']
const PRIORITIES = ['no priority', 'urgent', 'high', 'medium', 'low']

/** Columns that are not custom fields; every other column is one, under its own name. */
const OWN = new Set([
  ...['ID', 'Team', 'Title', 'Description', 'Status', 'Estimate', 'Priority', 'Project ID'],
  ...['Creator', 'Assignee', 'Labels', 'Cycle Number', 'Cycle Name', 'Created', 'Updated'],
  ...['Completed', 'Canceled', 'Archived', 'Due Date', 'Parent issue', 'Project Milestone ID'],
  ...['UUID', 'Related to', 'Blocked by', 'Blocks', 'Duplicate of'],
])
const DAYS = new Set(['Cycle Start', 'Cycle End', 'Started', 'Triaged'])
const SELECTS = new Set(['Project', 'Project Milestone', 'Milestone', 'SLA Status'])

export async function readCsv(file: SourceFile, data: LinearData, report: Report): Promise<void> {
  const { header, rows } = await csvOf(file)
  for (const needed of ['ID', 'Title', 'Status'])
    if (!header.includes(needed))
      throw new ImportProblem(
        `The file has no column "${needed}"`,
        'Export it again: Settings, Import and export, Export CSV',
        { file: file.path, line: 1, field: needed },
      )
  const samples = rows.flatMap((row) => DATES.map((name) => row.get(name)))
  const order = decideDateOrder(samples, 'month first', report)
  for (const row of rows) {
    report.fields.add(accountOf(row, header))
    const issue = issueOf(row, header, order, data)
    if (issue) data.issues.push(issue)
    else report.lose(`Line ${row.line}`, `"${row.get('ID')}" is not the id of an issue`)
  }
}

function accountOf(row: CsvRow, header: readonly string[]): unknown {
  const known: Record<string, unknown> = {}
  const others: Record<string, unknown> = {}
  for (const name of header)
    if (OWN.has(name) || DAYS.has(name) || SELECTS.has(name) || TEXTS.has(name))
      known[name] = row.get(name)
    else others[name] = row.get(name)
  return { ...known, 'Other columns': others }
}
const TEXTS = new Set(['Initiatives', 'Roadmaps', 'Time in status (minutes)'])

const listIn = (text: string) =>
  text
    .split(/,\s*/)
    .map((item) => item.trim())
    .filter(Boolean)

function issueOf(
  row: CsvRow,
  header: readonly string[],
  order: DateOrder,
  { people, teams }: LinearData,
): Issue | undefined {
  const id = row.get('ID')
  const key = /^([A-Za-z0-9_]+)-\d+$/.exec(id)?.[1]
  if (!key) return undefined
  const date = (name: string) => parseMoment(row.get(name), { order })
  const person = (text: string) =>
    addPerson(people, text.includes('@') ? { email: text } : { name: text })
  addState(teams, key, row)
  const duplicateOf = listIn(row.get('Duplicate of'))
  return {
    id,
    uuid: row.get('UUID'),
    team: key,
    title: row.get('Title'),
    description: row.get('Description'),
    state: row.get('Status') || 'Backlog',
    priority: Math.max(0, PRIORITIES.indexOf(row.get('Priority').toLowerCase())),
    labels: listIn(row.get('Labels')).map((name) => ({ name })),
    assignee: person(row.get('Assignee')),
    creator: person(row.get('Creator')),
    created: date('Created'),
    updated: date('Updated'),
    completed: date('Completed'),
    isClosed: row.get('Canceled') !== '',
    isArchived: row.get('Archived') !== '',
    due: date('Due Date')?.slice(0, 10),
    parent: row.get('Parent issue'),
    values: valuesOf(row, header, order, duplicateOf),
    blocks: listIn(row.get('Blocks')),
    blockedBy: listIn(row.get('Blocked by')),
    related: [...listIn(row.get('Related to')), ...duplicateOf],
    links: [],
    files: [],
    comments: [],
  }
}

function valuesOf(
  row: CsvRow,
  header: readonly string[],
  order: DateOrder,
  duplicateOf: readonly string[],
): Issue['values'] {
  const values: Issue['values'] = []
  const add = (
    name: string,
    value: string | number,
    type?: 'number' | 'text' | 'select' | 'date',
  ) => void (value !== '' && values.push({ name, value, type }))
  const estimate = row.get('Estimate')
  if (estimate)
    add('Estimate', Number(estimate) || estimate, Number(estimate) ? 'number' : undefined)
  const cycle =
    row.get('Cycle Name') || (row.get('Cycle Number') && `Cycle ${row.get('Cycle Number')}`)
  add('Cycle', cycle, 'select')
  add('Duplicate of', duplicateOf.join(', '), 'text')
  for (const name of new Set(header)) {
    const text = row.all(name).join(', ')
    if (!name || OWN.has(name) || !text) continue
    if (DAYS.has(name)) add(name, parseDate(text, { order })?.slice(0, 10) ?? text, 'date')
    else add(name, text, SELECTS.has(name) ? 'select' : TEXTS.has(name) ? 'text' : undefined)
  }
  return values
}

/** Only the dates of its issues tell the type of a status with an unusual name. */
function addState(teams: Map<string, Team>, key: string, row: CsvRow): void {
  const team = teams.get(key) ?? { key, name: row.get('Team') || key, states: [] }
  teams.set(key, team)
  const name = row.get('Status') || 'Backlog'
  const known = team.states.find((state) => state.name.toLowerCase() === name.toLowerCase())
  const type = defaultType(name) ?? typeFromDates(row)
  if (known && type === 'started' && known.type === 'unstarted') known.type = type
  if (!known) team.states.push({ name, type })
}

function typeFromDates(row: CsvRow): State['type'] {
  if (row.get('Completed')) return 'completed'
  if (row.get('Canceled')) return 'canceled'
  return row.get('Started') ? 'started' : 'unstarted'
}
