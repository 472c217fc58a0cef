import { type CsvRow, csvOf } from '../../csv.ts'
import { ImportProblem } from '../../problem.ts'
import type { Report, SourceFile } from '../../source.ts'
import { type DateOrder, decideDateOrder, parseMoment } from '../shared/dates.ts'
import { dateOf } from '../shared/times.ts'
import { type Column, columnsOf, type KnownColumn } from './csv-columns.ts'
import { commentOf, fileOf, worklogOf } from './csv-values.ts'
import { hoursOf, type Issue, type JiraData, linkKind, projectKeyOf } from './issue.ts'
import { addPerson, personsOf } from './people.ts'
import type { Row } from './row.ts'
import { categoryOf } from './statuses.ts'
import { addSystemValues } from './system-values.ts'

const DATES: KnownColumn[] = ['Created', 'Updated', 'Resolved', 'Due date', 'Last Viewed']

export async function readCsv(file: SourceFile, data: JiraData, report: Report): Promise<void> {
  const { header, rows } = await csvOf(file)
  const columns = columnsOf(header)
  for (const needed of ['Issue key', 'Summary'])
    if (!columns.some(({ group, name }) => group === 'known' && name === needed))
      throw new ImportProblem(
        `The file has no column "${needed}"`,
        'Set the language of your Jira profile to English, then export "CSV (all fields)"',
        { file: file.path, line: 1, field: needed },
      )
  const headers = columns.filter(({ name }) => DATES.includes(name as KnownColumn))
  const samples = rows.flatMap((row) => headers.map(({ header }) => row.get(header)))
  const order = decideDateOrder(samples, likelyOrder(samples), report)
  if (headers.some(({ name }) => name === 'Created'))
    report.lose('Time zone of the dates', 'The file does not name it; times are read as UTC')
  for (const row of rows) personsOf(rowOf(row, columns), data.people)
  for (const raw of rows) {
    const row = rowOf(raw, columns)
    report.fields.add(accountOf(row))
    const issue = issueOf(row, data, order, report)
    if (issue) data.issues.push(issue)
  }
}

/** Jira writes months by name. Spreadsheets that save its files again write 9/8/2021 in the US. */
const likelyOrder = (samples: readonly string[]): DateOrder =>
  samples.some((sample) => /^\d{1,2}\/\d{1,2}\//.test(sample) && !/^\d\d\/\d\d\//.test(sample))
    ? 'month first'
    : 'day first'

function rowOf(row: CsvRow, columns: readonly Column[]): Row {
  const known = new Map<string, string[]>()
  const groups: Row['groups'] = []
  for (const column of columns) {
    const values = row.all(column.header)
    if (column.group !== 'known') groups.push({ column, values })
    else known.set(column.name, [...(known.get(column.name) ?? []), ...values])
  }
  const all = (name: KnownColumn) => known.get(name) ?? []
  return { line: row.line, all, get: (name) => all(name)[0]?.trim() ?? '', known, groups }
}

/** The row as the field table describes it. */
function accountOf(row: Row): unknown {
  const known = Object.fromEntries<unknown>(row.known)
  for (const { column, values } of row.groups)
    known[column.group] = Object.assign(known[column.group] ?? {}, { [column.name]: values })
  return known
}

function issueOf(row: Row, data: JiraData, order: DateOrder, report: Report): Issue | undefined {
  const key = row.get('Issue key')
  if (!/^[^\s-]+(?:-[^\s-]+)*-\d+$/.test(key)) {
    report.lose(`Line ${row.line}`, key ? `"${key}" is not an issue key` : 'It has no issue key')
    return undefined
  }
  const readAll = <T>(
    name: KnownColumn,
    parse: (value: string, order: DateOrder) => T | undefined,
  ) =>
    row.all(name).flatMap((value) => {
      const parsed = parse(value, order)
      if (!parsed) report.lose(`${name} of ${key}`, `It cannot be read: ${value.slice(0, 100)}`)
      return parsed ?? []
    })
  const issue: Issue = {
    key,
    id: row.get('Issue id'),
    project: projectOf(row, key),
    ...textsOf(row),
    ...datesOf(row, order),
    status: row.get('Status') || 'To Do',
    category: categoryOf(row.get('Status Category')),
    priority: row.get('Priority'),
    resolution: row.get('Resolution'),
    labels: [
      ...row.all('Labels').flatMap((labels) => labels.split(/\s+/)),
      ...row.all('Components'),
    ],
    assignee: addPerson(data.people, row.get('Assignee Id'), row.get('Assignee')),
    creator:
      addPerson(data.people, row.get('Reporter Id'), row.get('Reporter')) ??
      addPerson(data.people, row.get('Creator Id'), row.get('Creator')),
    parent: parentOf(row),
    parentTitle: row.get('Parent summary') || row.get('Epic Link Summary'),
    rank: row.get('Rank'),
    values: [],
    links: linksOf(row),
    comments: readAll('Comment', commentOf),
    worklogs: readAll('Log Work', worklogOf),
    files: readAll('Attachment', fileOf),
  }
  addValues(issue, row)
  return issue
}

function projectOf(row: Row, issueKey: string) {
  const key = row.get('Project key') || projectKeyOf(issueKey)
  return {
    key,
    name: row.get('Project name') || key,
    description: row.get('Project description'),
    lead: row.get('Project lead'),
  }
}

function textsOf(row: Row) {
  const text = (name: KnownColumn) => {
    const value = row.all(name)[0] ?? ''
    return value.trim() ? { wiki: value } : undefined
  }
  return {
    summary: row.get('Summary'),
    description: text('Description'),
    environment: text('Environment'),
    sections: [],
  }
}

function datesOf(row: Row, order: DateOrder) {
  const date = (name: KnownColumn) => parseMoment(row.get(name), { order })
  return {
    created: date('Created'),
    updated: date('Updated'),
    resolved: date('Resolved') ?? date('Status Category Changed'),
    due: dateOf(date('Due date')),
    start: dateOf(date('Start date')),
  }
}

const parentOf = (row: Row) =>
  row.get('Parent key') || row.get('Parent id') || row.get('Parent') || row.get('Epic Link')

const linksOf = ({ groups }: Row) =>
  groups.flatMap(({ column, values }) => {
    if (!column.group.endsWith('issue link')) return []
    const isInward = column.group === 'Inward issue link'
    const phrase = `${column.name} (${isInward ? 'inward' : 'outward'})`
    return values.map((key) => ({ phrase, kind: linkKind(column.name, isInward), key }))
  })

/** Matches placeholders that Jira exports for unsupported values: `{}` or a Java class name. */
const UNREADABLE = /^(?:\{\}|com\.atlassian\.[\w.$]+@[0-9a-f]+)$/

/** Custom fields that only serve the views of Jira. */
const TECHNICAL = /^(?:Development|Issue color|Epic Colou?r|Rank \(Obsolete\))$/

function addValues(issue: Issue, row: Row): void {
  const seconds = (name: KnownColumn) => hoursOf(Number(row.get(name)) || 0)
  addSystemValues(issue, {
    type: row.get('Issue Type'),
    fixVersions: row.all('Fix versions'),
    affectsVersions: row.all('Affects versions'),
    sprints: row.all('Sprint'),
    security: row.get('Security Level'),
    votes: Number(row.get('Votes')) || 0,
    estimate: seconds('Original estimate'),
    remaining: seconds('Remaining Estimate'),
    spent: seconds('Time Spent'),
  })
  const reporter = row.get('Reporter')
  const creator = row.get('Creator')
  if (creator && reporter && creator !== reporter)
    issue.values.push({ name: 'Creator', value: creator, type: 'text' })
  for (const { column, values } of row.groups) {
    if (column.group !== 'Custom field' && column.group !== 'Other columns') continue
    const value = [...new Set(values)].filter((text) => !UNREADABLE.test(text)).join(', ')
    const isTitle = column.name === 'Epic Name' && value.trim() === issue.summary.trim()
    if (value.trim() && !TECHNICAL.test(column.name) && !isTitle)
      issue.values.push({ name: column.name, value })
  }
}
