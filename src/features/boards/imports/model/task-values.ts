import type { Tx } from '../../../../kernel/caller.ts'
import { Fault } from '../../../../kernel/fault.ts'
import { assigneesOf } from '../../../tasks/assignees/model/index.ts'
import { checkParent } from '../../../tasks/edits/model/index.ts'
import { initialFields, parseDueDate } from '../../../tasks/fields/model/index.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import { type StoredValue, toStoredValue, valuesOn } from '../../custom_fields/model/index.ts'
import { labelsOn } from '../../labels/model/index.ts'
import { cleanName, type Project } from '../../projects/model/index.ts'
import type { Batch } from './batch.ts'
import { partId } from './boards.ts'
import type { WrittenRecord } from './schema.ts'
import type { StorableText } from './texts.ts'

type TaskRecord = NonNullable<WrittenRecord['task']>
type StoredField = [custom_field_id: number, value: StoredValue]

/** The values of a task that an import writes, as they are stored. */
export interface TaskValues {
  title: string
  text: StorableText | null
  section_id: number
  priority: number
  estimate: number
  start_date: Date | null
  due_date: string | null
  recurrence: string | null
  /** In ascending order, like the other lists. */
  labels: number[]
  assignees: number[]
  /** Undefined if the parent is not imported yet. */
  parent_task_id: number | null | undefined
  status: 'Normal' | 'Archive' | 'Deleted'
  fields: StoredField[]
}

export interface ResolvedTask {
  record: TaskRecord
  values: TaskValues
  problems: string[]
}

const ascending = (ids: Iterable<number>) => [...new Set(ids)].sort((a, b) => a - b)

/** The values of a record. `field` is its path in the request, for errors. */
export function resolveTask(
  batch: Batch,
  record: TaskRecord,
  text: StorableText | null,
  field: string,
): ResolvedTask {
  const { known, ctx } = batch
  const { board, column, labels = [], assignees = [], parent, archived = false } = record
  const { sections, label_ids } = batch.board(board, field)
  const section_id = known.get('column', partId(board, column))?.row_id
  const section =
    sections.find((one) => one.section_id === section_id) ??
    sections.find(({ done, hidden }) => !done && !hidden) ??
    sections[0]!
  const problems: string[] = []
  const { priority, estimate, start_date, recurrence, due_date } = inField(field, () => ({
    ...initialFields(ctx, record),
    due_date: parseDueDate(ctx, record.due_date ?? null),
  }))
  const known_labels = labels.flatMap(
    (name) => known.get('label', partId(board, name))?.row_id ?? [],
  )
  const values: TaskValues = {
    title: cleanName(`${field}.title`, record.title),
    text,
    section_id: section.section_id,
    ...{ priority, estimate, start_date, recurrence, due_date },
    labels: ascending(known_labels.filter((id) => label_ids.has(id))),
    assignees: ascending(assignees.map((who) => batch.actorId(who, `${field}.assignees`))),
    parent_task_id: parent === undefined ? null : known.get('task', parent)?.row_id,
    status: archived ? 'Archive' : 'Normal',
    fields: storedFields(batch, record, problems),
  }
  return { record, values, problems }
}

/** Prefixes the field of any fault with the path of its record in the request. */
function inField<T>(path: string, part: () => T): T {
  try {
    return part()
  } catch (error) {
    if (!(error instanceof Fault) || !error.details.field) throw error
    const details = { ...error.details, field: `${path}.${error.details.field}` }
    throw new Fault(error.code, error.message, details, error.hint)
  }
}

function storedFields(
  batch: Batch,
  { board, fields = [] }: TaskRecord,
  problems: string[],
): StoredField[] {
  const stored = new Map<number, StoredValue>()
  for (const { name, value } of fields) {
    const definition = batch.field(board, name)
    if (!definition || value === '') continue
    try {
      stored.set(definition.custom_field_id, toStoredValue(definition, value))
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      problems.push(error.message)
    }
  }
  return [...stored].sort(([a], [b]) => a - b)
}

/**
 * Leaves out a parent that the task cannot have: on another board, below the task itself, or too
 * deep.
 */
export async function checkResolvedParent(
  { ctx }: Batch,
  project: Project,
  { values, problems }: ResolvedTask,
  child?: Task,
): Promise<void> {
  const { parent_task_id } = values
  if (!parent_task_id || parent_task_id === child?.parent_task_id) return
  try {
    await checkParent(ctx.tx, project, parent_task_id, child)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    values.parent_task_id = child?.parent_task_id ?? null
    problems.push(error.message)
  }
}

/** The values of a task as they are now. */
export async function valuesHere(tx: Tx, task: Task): Promise<TaskValues> {
  const { title, section_id, priority, estimate, start_date, due_date, recurrence, status } = task
  const { description, content_type, parent_task_id } = task
  const fields = await valuesOn(tx, task)
  return {
    title,
    text: description === null ? null : { text: description, format: content_type },
    ...{ section_id, priority, estimate, start_date, due_date, recurrence },
    labels: ascending((await labelsOn(tx, task)).map(({ label_id }) => label_id)),
    assignees: ascending((await assigneesOf(tx, task)).map(({ actor_id }) => actor_id)),
    parent_task_id,
    status,
    fields: fields
      .map(
        ({ field, stored }): StoredField => [
          field.custom_field_id,
          { number: stored.number, text: stored.text },
        ],
      )
      .sort(([a], [b]) => a - b),
  }
}
