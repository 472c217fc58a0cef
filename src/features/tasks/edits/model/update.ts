import { eq, getTableColumns } from 'drizzle-orm'
import { readWords } from '../../../../content/words.ts'
import type { Context, Tx, WriteContext } from '../../../../kernel/caller.ts'
import { param, preparedFor } from '../../../../store/prepared.ts'
import { refuseLeased } from '../../../agents/leases/model/index.ts'
import {
  findLabels,
  type Label,
  labelsOf,
  labelsOn,
  replaceLabels,
  syncLabelRows,
} from '../../../boards/labels/model/index.ts'
import {
  cleanName,
  foldName,
  lockProject,
  type Project,
  placeOf,
} from '../../../boards/projects/model/index.ts'
import type { Section } from '../../../boards/sections/model/index.ts'
import type { ActorRow } from '../../../identity/people/model/index.ts'
import { recordMove } from '../../../reports/flow/model/index.ts'
import { indexTask, isIndexedColumn } from '../../../search/text_index/model/index.ts'
import { isDay } from '../../../time/dates/model/index.ts'
import {
  assigneesOf,
  autoAssignees,
  dueTime,
  emitAssigneeChanges,
  replaceAssignees,
  resolveAssignees,
  syncAssigneeRows,
  uniqueActors,
  withBoardAccess,
} from '../../assignees/model/index.ts'
import {
  type DescriptionDraft,
  type DescriptionInput,
  notifyMentioned,
  saveVersion,
} from '../../descriptions/model/index.ts'
import { changedFields, parseDueDate } from '../../fields/model/index.ts'
import { receiptOf, type TaskReceipt } from '../../records/model/index.ts'
import { countRelations, relatedTasks } from '../../relations/model/index.ts'
import { isOpen } from '../../states/model/index.ts'
import {
  type Located,
  summaryColumns,
  type Task,
  tasks,
  updateCounts,
} from '../../tasks/model/index.ts'
import { carryValues } from './carry-values.ts'
import { describe } from './describe.ts'
import { Edit } from './edit.ts'
import { checkParent, childrenOf } from './hierarchy.ts'
import { createNext, planNext } from './next-task.ts'
import { findTargetBoard, moveToSection } from './placement.ts'
import type { Revision } from './schema.ts'

export type TaskUpdate = Omit<Revision, keyof DescriptionDraft> & {
  described?: DescriptionInput
  /** The task to place it above in its section; null places it below all others. */
  above?: number | null
}

/** Applies the changes that differ from the stored task. Fields that the update leaves out stay. */
export async function updateTask(
  ctx: Context,
  { task, project }: Located,
  update: TaskUpdate,
): Promise<TaskReceipt> {
  const edit = new Edit(ctx, task)
  const target = await findTargetBoard(ctx, project, update.project_id)
  const section = await moveToSection(edit, target, update)
  applyFields(edit, update)
  await describe(edit, update)
  await setParent(edit, target, update.parent_task_id)
  await updateLabels(edit, target, update.labels)
  await carryValues(edit, target)
  if (isIndexedColumn(edit.set)) readWords(ctx, { ...task, ...edit.set })
  // An archived or deleted task is auto-assigned only when it returns to its section.
  const isActive = (update.status ?? task.status) === 'Normal'
  const autoAssigned =
    edit.enteredSection && isActive ? await autoAssignees(ctx, target, section) : []
  const { saved, next } = await finish(edit, target, section, { update, autoAssigned })
  if (saved.completed_at && !task.completed_at) await warnIfBlocked(ctx, saved)
  await notifyMentioned(ctx, target, saved, update)
  if (target !== project) await moveChildren(ctx, saved, project)
  const receipt = receiptOf(ctx, saved, section, edit.changed)
  if (!next) return receipt
  return { ...receipt, next_occurrence: await createNext(ctx, project, saved, next) }
}

/** Completing a blocked task is allowed, but often a mistake. */
async function warnIfBlocked(ctx: Context, task: Task): Promise<void> {
  if (!(await countRelations(ctx, task))) return
  const blockers = (await relatedTasks(ctx, task, 'BlockedBy')).filter(
    ({ done, status }) => !done && status === 'Normal',
  )
  if (!blockers.length) return
  const names = blockers.slice(0, 5).map(({ ticket_number }) => ticket_number)
  const others = blockers.length > names.length ? ` and ${blockers.length - names.length} more` : ''
  ctx.warn(
    'section_id',
    'blocked',
    `${task.ticket_number} is done now, although tasks that block it are still open: ${names.join(', ')}${others}`,
  )
}

interface FinishOptions {
  update: Pick<TaskUpdate, 'assignee_ids' | 'due_date'>
  /** The actor that the new section assigns its tasks to. */
  autoAssigned: readonly ActorRow[]
  /** A section about to be deleted; the next occurrence must not open there. */
  leaving?: Section
}

/** Updates assignees and due date, saves the task, and plans its next occurrence if it repeats. */
export async function finish(
  edit: Edit,
  target: Project,
  section: Section,
  { update, autoAssigned, leaving }: FinishOptions,
) {
  const assignees = await updateAssignees(edit, target, update.assignee_ids, autoAssigned)
  await updateDueDate(edit, update.due_date, assignees)
  const next = await planNext(edit, section, assignees, leaving)
  return { saved: await save(edit), next }
}

function applyFields(edit: Edit, update: TaskUpdate): void {
  const { title, status } = update
  if (title !== undefined) edit.put('title', cleanName('title', title))
  for (const [name, value] of changedFields(edit.ctx, update)) edit.put(name, value)
  if (status !== undefined) edit.put('status', status)
}

async function setParent(edit: Edit, target: Project, parent_task_id: number | null | undefined) {
  const { ctx, task } = edit
  const leaves = target.project_id !== task.project_id
  const parent = parent_task_id === undefined && leaves ? null : parent_task_id
  if (parent === undefined) return
  if (parent !== null && (leaves || parent !== task.parent_task_id)) {
    // Without the lock, two concurrent updates could make two tasks each other's subtask.
    await lockProject(ctx.tx, target)
    await checkParent(ctx.tx, target, parent, task)
  }
  edit.put('parent_task_id', parent)
}

async function updateLabels(edit: Edit, target: Project, refs: Revision['labels']): Promise<void> {
  const { ctx, task } = edit
  const leaves = target.project_id !== task.project_id
  if (refs === undefined && !leaves) return
  const before = await labelsOn(ctx.tx, task)
  const after = refs
    ? await findLabels(ctx, target, refs)
    : labelsWithSameNames(before, await labelsOf(ctx.tx, target))
  const changed = await replaceLabels(ctx.tx, task, before, after)
  if (changed) edit.record('labels', names(before), names(after))
}

const names = (labels: readonly Label[]) => labels.map(({ name }) => name)

/** The labels of the target board that have the same names. */
const labelsWithSameNames = (labels: readonly Label[], candidates: readonly Label[]) =>
  candidates.filter(({ name }) => labels.some((label) => foldName(label.name) === foldName(name)))

async function updateAssignees(
  edit: Edit,
  target: Project,
  ids: number[] | undefined,
  autoAssigned: readonly ActorRow[],
) {
  const { ctx, task } = edit
  const before = await assigneesOf(ctx.tx, task)
  if (ids === undefined && !edit.enteredSection) return before
  const agents = before.filter(({ kind }) => kind === 'agent')
  const requested = ids
    ? [...(await resolveAssignees(ctx, target, ids, before)), ...agents]
    : before
  const visible =
    target.project_id === task.project_id
      ? requested
      : await withBoardAccess(ctx, target, requested)
  const after = uniqueActors(visible, autoAssigned)
  await changeAssignees(edit, before, after)
  return after
}

export async function changeAssignees(
  edit: Edit,
  before: readonly ActorRow[],
  after: readonly ActorRow[],
): Promise<void> {
  const { ctx, task } = edit
  const { added, removed } = await replaceAssignees(ctx.tx, task, before, after)
  edit.assigneeChanges = { added, removed }
  if (added.length || removed.length) edit.set.assigned = after.length > 0
}

async function updateDueDate(
  edit: Edit,
  input: Revision['due_date'],
  assignees: readonly ActorRow[],
) {
  const due_date = input === undefined ? edit.task.due_date : parseDueDate(edit.ctx, input)
  edit.put('due_date', due_date)
  await updateDueTime(edit, due_date, assignees)
}

/**
 * Recomputes `due_at`: a due day ends in the time zone of its assignee, so it moves with a new one.
 */
export async function updateDueTime(
  edit: Edit,
  due_date: string | null,
  assignees: readonly ActorRow[],
): Promise<void> {
  const { added, removed } = edit.assigneeChanges
  const changesHands = added.length > 0 || removed.length > 0
  const changesZone = changesHands || reopens(edit, assignees)
  if (due_date === edit.task.due_date && !(due_date && isDay(due_date) && changesZone)) return
  edit.set.due_at = await dueTime(edit.ctx, due_date, assignees)
  // Reminders were sent for the former due time, so they start again for the new one.
  if (edit.set.due_at?.getTime() !== edit.task.due_at?.getTime()) edit.set.reminded = 0
}

/**
 * A closed task does not follow its assignee to another time zone, so it is recomputed on
 * reopening.
 */
const reopens = ({ task, set }: Edit, assignees: readonly ActorRow[]) =>
  assignees.some(({ kind }) => kind === 'person') && !isOpen(task) && isOpen({ ...task, ...set })

/** Writes the edit and emits its changes. An edit without changes does not touch `updated_at`. */
export async function save(edit: Edit<WriteContext>): Promise<Task> {
  const { ctx, task, set, fields } = edit
  if (!edit.changed.length) return task
  const saved = await write(ctx.tx, task.task_id, { ...set, updated_at: ctx.now })
  await updateCounts(ctx.tx, task, saved)
  await recordMove(ctx.tx, ctx.now, task, saved)
  await syncAssigneeRows(ctx.tx, task, saved)
  await syncLabelRows(ctx.tx, task, saved)
  if (isIndexedColumn(set)) await indexTask(ctx.tx, saved)
  if (set.description_version) await saveVersion(ctx, saved)
  const { task_id, ticket_number, title } = saved
  if (fields.length)
    ctx.emit(
      'task.updated',
      { ...placeOf(saved), task_id },
      { ticket_number, title, ...edit.change },
    )
  if (saved.project_id !== task.project_id) emitLeft(ctx, task)
  emitAssigneeChanges(ctx, saved, edit.assigneeChanges)
  return saved
}

/** Tells viewers of the former board that the task is gone, without saying where it went. */
const emitLeft = (ctx: WriteContext, { task_id, ticket_number, ...place }: Task) =>
  ctx.emit('task.left', { ...placeOf(place), task_id }, { ticket_number })

/**
 * One statement per set of changed columns. It does not read back a description that it just wrote.
 */
const rowUpdate = preparedFor((tx, names) =>
  tx
    .update(tasks)
    .set(Object.fromEntries(names.map((name) => [name, param(name)])))
    .where(eq(tasks.task_id, param('of')))
    .returning(names.includes('description') ? summaryColumns : getTableColumns(tasks))
    .prepare(`task_update_${names.join('_')}`),
)

async function write(tx: Tx, of: number, set: Partial<Task>): Promise<Task> {
  const [saved] = await rowUpdate(tx, Object.keys(set).sort()).execute({ ...set, of })
  return { ...set, ...saved! } as Task
}

/** Subtasks follow their parent to another board. */
async function moveChildren(ctx: Context, parent: Task, from: Project): Promise<void> {
  const { team_id, task_id, project_id } = parent
  const children = await childrenOf(ctx.tx, team_id, [task_id])
  readWords(ctx, ...children)
  for (const task of children) {
    await refuseLeased(ctx, task)
    await updateTask(ctx, { task, project: from }, { project_id, parent_task_id: task_id })
  }
}
