import { readWords } from '../../../../content/words.ts'
import { actorsOf } from '../../../identity/people/model/index.ts'
import { assigneesOf, replaceAssignees } from '../../../tasks/assignees/model/index.ts'
import { Edit, rankAtEnd, save, updateDueTime } from '../../../tasks/edits/model/index.ts'
import { type Task, taskById } from '../../../tasks/tasks/model/index.ts'
import { fieldsById, replaceValue, valuesOn } from '../../custom_fields/model/index.ts'
import { labelsOf, labelsOn, replaceLabels } from '../../labels/model/index.ts'
import type { Batch } from './batch.ts'
import { digestsOf, type Merge, mergeFields, overwriteFields } from './digests.ts'
import { type FieldName, type Outcome, OVERWRITABLE } from './schema.ts'
import type { ImportedRow } from './store.ts'
import {
  checkResolvedParent,
  type ResolvedTask,
  type TaskValues,
  valuesHere,
} from './task-values.ts'

interface Updated {
  outcome: Outcome
  ticket_number?: string
  changed_here?: FieldName[]
  conflicts?: FieldName[]
}

/** Updates the fields of a task that changed in the source and not here, or those it overwrites. */
export async function updateImportedTask(
  batch: Batch,
  row: ImportedRow,
  resolved: ResolvedTask,
): Promise<Updated> {
  const { ctx, known } = batch
  const task = await taskById(ctx.tx, row.row_id)
  if (!task) return { outcome: 'kept' }
  const { record, values } = resolved
  const { ticket_number } = task
  const { project } = batch.board(record.board, 'records')
  await checkResolvedParent(batch, project, resolved, task)
  const here = await valuesHere(ctx.tx, task)
  const merge = mergeOf(record, row.digests ?? {}, values, here)
  // A task that moved to another board keeps its column and its parent there.
  const isElsewhere = task.project_id !== project.project_id
  const isDeleted = task.status === 'Deleted' && !merge.apply.includes('status')
  if (merge.apply.length && !isElsewhere && !isDeleted)
    await applyFields(batch, task, { record, values }, new Set(merge.apply))
  await known.update(row, { digests: merge.digests })
  const outcome = merge.keep.length ? 'kept' : merge.apply.length ? 'updated' : 'unchanged'
  return {
    outcome: isElsewhere || isDeleted ? 'kept' : outcome,
    ticket_number,
    ...(merge.changedHere.length && { changed_here: namesOf(merge.changedHere) }),
    ...(merge.keep.length && { conflicts: namesOf(merge.keep) }),
  }
}

function mergeOf(
  { overwrite }: ResolvedTask['record'],
  base: Record<string, string>,
  values: TaskValues,
  here: TaskValues,
): Merge {
  const [source, current] = [digestsOf({ ...values }), digestsOf({ ...here })]
  if (!overwrite) return mergeFields(base, source, current)
  const names = Object.entries(OVERWRITABLE).flatMap(([stored, name]) =>
    overwrite.includes(name) ? stored : [],
  )
  return overwriteFields(names, base, source, current)
}

const namesOf = (stored: readonly string[]): FieldName[] =>
  stored.flatMap((name) => (name in OVERWRITABLE ? OVERWRITABLE[name as StoredName] : []))

type StoredName = keyof typeof OVERWRITABLE

async function applyFields(
  batch: Batch,
  task: Task,
  { record, values }: Pick<ResolvedTask, 'record' | 'values'>,
  names: ReadonlySet<string>,
): Promise<void> {
  const { ctx } = batch
  const edit = new Edit(ctx, task)
  for (const name of ['title', 'priority', 'estimate', 'start_date', 'recurrence'] as const)
    if (names.has(name)) edit.put(name, values[name])
  if (names.has('status')) edit.put('status', values.status)
  if (names.has('parent_task_id')) edit.put('parent_task_id', values.parent_task_id ?? null)
  if (names.has('text')) putText(edit, values)
  const returns = names.has('status') && values.status === 'Normal'
  if (returns || names.has('section_id'))
    await enterSection(
      batch,
      record.board,
      edit,
      names.has('section_id') ? values.section_id : task.section_id,
    )
  if (names.has('labels')) await putLabels(edit, values)
  if (names.has('assignees')) await putAssignees(edit, values)
  if (names.has('due_date')) {
    edit.put('due_date', values.due_date)
    await updateDueTime(edit, values.due_date, await assigneesOf(ctx.tx, task))
  }
  if (names.has('fields')) await putFields(edit, values)
  readWords(ctx, { ...task, ...edit.set })
  await save(edit)
}

function putText(edit: Edit, { text }: TaskValues): void {
  const { task } = edit
  edit.changedTexts.push('description')
  edit.put('content_type', text?.format ?? task.content_type)
  edit.set.description = text?.text ?? null
  edit.set.description_version = task.description_version + 1
}

async function enterSection(
  batch: Batch,
  board: string,
  edit: Edit,
  section_id: number,
): Promise<void> {
  const { ctx } = batch
  const { sections } = batch.board(board, 'records')
  const byId = (id: number) => sections.find((one) => one.section_id === id)
  const [from, to] = [byId(edit.task.section_id), byId(section_id)]
  if (from && to) edit.enter(from, to, await rankAtEnd(ctx.tx, to))
}

async function putLabels(edit: Edit, { labels }: TaskValues): Promise<void> {
  const { ctx, task } = edit
  const before = await labelsOn(ctx.tx, task)
  const after = (await labelsOf(ctx.tx, task)).filter(({ label_id }) => labels.includes(label_id))
  if (await replaceLabels(ctx.tx, task, before, after))
    edit.record(
      'labels',
      before.map(({ name }) => name),
      after.map(({ name }) => name),
    )
}

/** Assigns without the changes that notify people and start agents. */
async function putAssignees(edit: Edit, { assignees }: TaskValues): Promise<void> {
  const { ctx, task } = edit
  const before = await assigneesOf(ctx.tx, task)
  const after = [...(await actorsOf(ctx.tx, assignees)).values()]
  await replaceAssignees(ctx.tx, task, before, after)
  edit.set.assigned = after.length > 0
  edit.record(
    'assignees',
    before.map(({ name }) => name),
    after.map(({ name }) => name),
  )
}

async function putFields(edit: Edit, { fields }: TaskValues): Promise<void> {
  const { ctx, task } = edit
  const definitions = await fieldsById.getMany(
    ctx.tx,
    fields.map(([id]) => id),
  )
  const before = await valuesOn(ctx.tx, task)
  const isKept = (id: number) => fields.some(([other]) => other === id)
  for (const { field } of before)
    if (!isKept(field.custom_field_id)) await replaceValue(ctx.tx, task, field, undefined)
  for (const [id, stored] of fields) {
    const field = definitions.get(id)
    if (field) await replaceValue(ctx.tx, task, field, stored)
  }
  edit.record(
    'custom_fields',
    [],
    fields.flatMap(([id]) => definitions.get(id)?.name ?? []),
  )
}
