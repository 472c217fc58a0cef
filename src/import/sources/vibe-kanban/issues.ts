import type { Task } from '../../record.ts'
import type { Report } from '../../source.ts'
import type { BoardColumns } from '../shared/board-columns.ts'
import { addValue, type BoardFields, type FieldValues } from '../shared/board-fields.ts'
import { fitText, fitTitle, joinTexts } from '../shared/task-limits.ts'
import { dateOf, momentOf } from '../shared/times.ts'
import type { Row } from './export-files.ts'
import type { People } from './people.ts'

export interface Issue {
  id: string
  project: string
  row: Row
}

export const DEFAULT_STATUS = 'To do'

/** Issues without an id of their own, or with that of another issue, get one from their project. */
export function identify(rows: readonly Row[]): Issue[] {
  const taken = new Set<string>()
  return rows.map((row) => {
    const { Project: project = '', Title = '' } = row
    const key = (row['Issue ID'] || Title || 'issue').slice(0, 200)
    let id = taken.has(key) ? `${project.slice(0, 200)}/${key}` : key
    for (let count = 2; taken.has(id); count++) id = `${project.slice(0, 200)}/${key}#${count}`
    taken.add(id)
    return { id, project, row }
  })
}

/** Finds issues by their keys; issues of the same project come first. */
export class IssueIndex {
  private readonly ids = new Map<string, string>()

  constructor(issues: readonly Issue[]) {
    for (const { id, project, row } of issues)
      for (const key of [`${project}\n${row['Issue ID']}`, `\n${row['Issue ID']}`])
        if (row['Issue ID'] && !this.ids.has(key)) this.ids.set(key, id)
  }

  find(key: string, project = ''): string | undefined {
    return this.ids.get(`${project}\n${key}`) ?? this.ids.get(`\n${key}`)
  }
}

interface Context {
  columns: BoardColumns
  fields: BoardFields
  people: People
  index: IssueIndex
  report: Report
}

export function readIssue({ id, project, row }: Issue, context: Context): Task {
  const { columns, fields, people, index, report } = context
  const text = (row.Description ?? '').trim()
  const { title, top } = fitTitle(row.Title ?? '', 'markdown', report)
  const description = joinTexts(top, text)
  const status = row.Status || DEFAULT_STATUS
  const own = columns.titles.get(status) ?? columns.fallback()
  const isElsewhere = Boolean(row.Completed) && !columns.isDone(own)
  const values: FieldValues = []
  if (isElsewhere) addValue(values, fields.field('status', 'Status', 'text'), own)
  const key = row['Issue ID'] ?? ''
  const parent = row['Parent Issue'] ? index.find(row['Parent Issue'], project) : undefined
  if (row['Parent Issue'] && parent === undefined)
    report.lose(`Parent of "${title}"`, `${row['Parent Issue']} is not in the export`)
  const assignees = people.idsOf(row['Assignee(s)'] ?? '')
  const creator = people.idOf(row.Creator ?? '')
  return {
    id,
    board: project || DEFAULT_PROJECT,
    column: isElsewhere ? columns.doneColumn() : own,
    title,
    ...(key === id && key.length <= 50 && { key }),
    ...(description && {
      description: fitText(description, `Description of "${title}"`, report),
      content_type: 'markdown' as const,
    }),
    ...(row.Priority && { priority: row.Priority.slice(0, 100) }),
    ...datesOf(row),
    ...(assignees.length && { assignees }),
    ...(parent !== undefined && parent !== id && { parent }),
    ...(/^cancell?ed$/i.test(status) && { archived: true }),
    ...(values.length && { fields: values }),
    ...(creator && { created_by: creator }),
  }
}

export const DEFAULT_PROJECT = 'Vibe Kanban'

function datesOf(row: Row) {
  const dates = {
    start_date: dateOf(row['Start Date']),
    due_date: dateOf(row['Due Date']),
    created_at: momentOf(row.Created),
    updated_at: momentOf(row.Updated),
    completed_at: momentOf(row.Completed),
  }
  return Object.fromEntries(Object.entries(dates).filter(([, date]) => date))
}
