import type { Person, Task } from '../../record.ts'
import type { Report } from '../../source.ts'
import type { BoardColumns } from '../shared/board-columns.ts'
import { addValue, type BoardFields, type FieldValues } from '../shared/board-fields.ts'
import { joinSections } from '../shared/checklist-text.ts'
import { type Json, numberOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { fitText, fitTitle, joinTexts } from '../shared/task-limits.ts'
import { momentOf } from '../shared/times.ts'
import { colorName } from './colors.ts'
import type { TaskLinks } from './links.ts'

/** What is known about the project when its tasks are read. */
export interface TaskContext {
  board: string
  /** The identifier of the project, which begins the keys of its tasks. */
  key: string
  columns: BoardColumns
  fields: BoardFields
  people: Map<string, Person>
  categories: Map<string, string>
  tags: Map<string, string>
  swimlanes: Map<string, string>
  links: TaskLinks
  report: Report
}

export function readTask(task: Json, context: TaskContext): Task {
  const { links, people, report } = context
  const id = stringOf(task.id)
  const text = joinSections(links.replace(stringOf(task.description)), links.section(task))
  const { title, top } = fitTitle(stringOf(task.title), 'markdown', report)
  const description = joinTexts(top, text)
  const values: FieldValues = []
  const isClosed = numberOf(task.is_active) === 0
  const column = columnOf(stringOf(task.column_id), isClosed, context, values)
  addValues(task, context, values)
  const labels = labelsOf(task, context)
  const priority = PRIORITIES[Math.min(4, Math.max(0, numberOf(task.priority) ?? 0))]
  const repeat = repeatOf(task, report)
  const owner = people.get(stringOf(task.owner_id))?.id
  const creator = people.get(stringOf(task.creator_id))?.id
  const parent = links.parents.get(id)
  return {
    id,
    board: context.board,
    column,
    title,
    ...(context.key && { key: `${context.key}-${id}`.slice(0, 50) }),
    ...(description && {
      description: fitText(description, `Description of "${title}"`, report),
      content_type: 'markdown' as const,
    }),
    ...(priority && { priority }),
    ...datesOf(task, isClosed),
    ...(repeat && { recurrence: repeat }),
    ...(labels.length && { labels }),
    ...(owner && { assignees: [owner] }),
    ...(creator && { created_by: creator }),
    ...(parent !== undefined && { parent }),
    ...(values.length && { fields: values }),
  }
}

const DEFAULT_COLOR = 'Yellow'

/** 3 is the highest priority of a new project, and 0 is its default. */
const PRIORITIES = [0, 4, 3, 2, 1]

/** A closed task in another column goes to a column for what is done. */
function columnOf(
  id: string,
  isDone: boolean,
  { columns, fields }: TaskContext,
  values: FieldValues,
): string {
  const own = columns.titles.get(id) ?? columns.fallback()
  if (!isDone || columns.isDone(own)) return own
  addValue(values, fields.field('column', 'Column', 'text'), own)
  return columns.doneColumn()
}

function datesOf(task: Json, isClosed: boolean) {
  const dates = {
    start_date: dayOrMoment(task.date_started),
    due_date: dayOrMoment(task.date_due),
    created_at: momentOf(task.date_creation),
    updated_at: momentOf(task.date_modification),
    completed_at: isClosed ? momentOf(task.date_completed) : undefined,
  }
  return Object.fromEntries(Object.entries(dates).filter(([, date]) => date))
}

/** A CSV export may have days without a time. */
const dayOrMoment = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : momentOf(value)

function labelsOf(task: Json, { categories, tags }: TaskContext): string[] {
  const category = categories.get(stringOf(task.category_id))
  const names = tagsOf(task).flatMap((tag) => tags.get(tag) ?? [])
  return [...new Set([...(category ? [category] : []), ...names])]
}

/** The API has tags by their ids, or as a list if there are none. */
export const tagsOf = ({ tags }: Json): string[] =>
  Object.values(Array.isArray(tags) ? tags : objectOf(tags))
    .map((tag) => stringOf(tag) || stringOf(objectOf(tag).name))
    .filter(Boolean)

function addValues(task: Json, context: TaskContext, values: FieldValues): void {
  const { fields, swimlanes } = context
  const text = (key: string, name: string, value: string) => {
    if (value) addValue(values, fields.field(key, name, 'text'), value)
  }
  text('reference', 'Reference', stringOf(task.reference))
  text('external', 'External source', stringOf(task.external_provider))
  const swimlane = swimlanes.get(stringOf(task.swimlane_id))
  if (swimlane !== undefined && swimlanes.size > 1)
    addValue(
      values,
      fields.field('swimlane', 'Swimlane', 'select', [...swimlanes.values()]),
      swimlane,
    )
  const color = colorName(stringOf(task.color_id))
  if (color !== DEFAULT_COLOR) text('color', 'Color', color)
  addNumber('complexity', 'Complexity', task.score, fields, values)
  addHours(task, fields, values)
  for (const [name, value] of metadataOf(task)) text(`metadata ${name}`, name, stringOf(value))
}

/** Older versions answer with a list of objects. */
const metadataOf = ({ metadata }: Json): [string, unknown][] =>
  Array.isArray(metadata)
    ? objectsOf(metadata).flatMap((entry) => Object.entries(entry))
    : Object.entries(objectOf(metadata))

function addNumber(
  key: string,
  name: string,
  value: unknown,
  fields: BoardFields,
  values: FieldValues,
): void {
  const number = numberOf(value)
  if (number) addValue(values, fields.field(key, name, 'number'), number)
}

function addHours(item: Json, fields: BoardFields, values: FieldValues): void {
  addNumber('estimated', 'Estimated hours', item.time_estimated, fields, values)
  addNumber('spent', 'Spent hours', item.time_spent, fields, values)
}

const FREQUENCIES = ['DAILY', 'MONTHLY', 'YEARLY']

/** Tasks repeat after a number of days, months or years, from the due date or the completion. */
function repeatOf(task: Json, report: Report): string | undefined {
  if (numberOf(task.recurrence_status) !== 1) return undefined
  const factor = numberOf(task.recurrence_factor) ?? 0
  const frequency = FREQUENCIES[numberOf(task.recurrence_timeframe) ?? 0]
  if (Number.isInteger(factor) && factor > 0 && factor < 1000 && frequency)
    return [
      `FREQ=${frequency}`,
      ...(factor > 1 ? [`INTERVAL=${factor}`] : []),
      ...(numberOf(task.recurrence_basedate) === 1 ? ['FROM=COMPLETION'] : []),
    ].join(';')
  report.lose(`Repeat of "${stringOf(task.title)}"`, 'it repeats after no time, or backwards')
}

/** The subtasks as tasks of their own, in the column of their task until they are done. */
export function readSubtasks(task: Json, context: TaskContext): Task[] {
  const { people, report, fields } = context
  return objectsOf(task.subtasks).flatMap((subtask) => {
    const id = stringOf(subtask.id)
    if (!id) return []
    const values: FieldValues = []
    const isDone = numberOf(subtask.status) === 2 || numberOf(task.is_active) === 0
    const column = columnOf(stringOf(task.column_id), isDone, context, values)
    addHours(subtask, fields, values)
    const { title, top } = fitTitle(stringOf(subtask.title), 'markdown', report)
    const description = joinTexts(top, '')
    const due = momentOf(subtask.due_date)
    const owner = people.get(stringOf(subtask.user_id))?.id
    return {
      id: `subtask-${id}`,
      board: context.board,
      column,
      title,
      parent: stringOf(task.id),
      ...(description && { description, content_type: 'markdown' as const }),
      ...(due && { due_date: due }),
      ...(owner && { assignees: [owner] }),
      ...(values.length && { fields: values }),
    }
  })
}
