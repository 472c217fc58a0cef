import { eq, getTableColumns } from 'drizzle-orm'
import { readWords } from '../../content/index.ts'
import type { Context, Tx, Writer } from '../../kernel/caller.ts'
import { param, prepared } from '../../store/prepared.ts'
import { quicken } from '../../store/quick.ts'
import { findLabels, type Label, labelsOf } from '../labels/index.ts'
import type { ActorRow } from '../people/index.ts'
import { folded, holdProject, nameOf, type Project, placeOf } from '../projects/index.ts'
import type { Section } from '../sections/index.ts'
import type { Located, Task } from './address.ts'
import {
  among,
  assigneesOf,
  assignTo,
  deadline,
  emitHandover,
  followOpen,
  handedTo,
  peopleOn,
  together,
} from './assignees.ts'
import { tally } from './counts.ts'
import { carryValues } from './custom/values.ts'
import { describe } from './description/describe.ts'
import { type Described, keepVersion, type Sent } from './description/descriptions.ts'
import { tellMentioned } from './description/mentions.ts'
import { Edit } from './edit.ts'
import { checkParent, childrenOf } from './family.ts'
import { revised } from './fields.ts'
import { keepMove } from './flow/moves.ts'
import { labelsOn, replaceLabels } from './labels.ts'
import { refuseTaken } from './lease/held.ts'
import { receiptOf } from './records.ts'
import { occur, upcoming } from './repeat/occur.ts'
import { isDay, isOpen } from './rules.ts'
import type { Revision, TaskReceipt } from './schema.ts'
import { tasks } from './tables.ts'
import { isText, keepText } from './texts.ts'
import { boardFor, place } from './transfer.ts'
import { dueIn } from './values.ts'

export type Rewrite = Omit<Revision, keyof Sent> & {
  described?: Described
  /** The task that it is put above in its column; null: below all. */
  above?: number | null
}

/** Changes what was given and differs; the rest of the task stays as it is. */
export async function updateTask(
  ctx: Context,
  { task, project }: Located,
  given: Rewrite,
): Promise<TaskReceipt> {
  const edit = new Edit(ctx, task)
  const target = await boardFor(ctx, project, given.project_id)
  const section = await place(edit, target, given)
  rewrite(edit, given)
  describe(edit, given)
  await adopt(edit, target, given.parent_task_id)
  await relabel(edit, target, given.labels)
  await carryValues(edit, target)
  if (isText(edit.set)) readWords(ctx, { ...task, ...edit.set })
  // A task that is put away is handed over when it comes back.
  const isShown = (given.status ?? task.status) === 'Normal'
  const handed = edit.entered && isShown ? await handedTo(ctx, target, section) : []
  const { saved, next } = await finish(edit, target, section, { given, handed })
  await tellMentioned(ctx, target, saved, given)
  if (target !== project) await bringChildren(ctx, saved, project)
  const receipt = receiptOf(ctx, saved, section, edit.changed)
  if (!next) return receipt
  return { ...receipt, next_occurrence: await occur(ctx, project, saved, next) }
}

interface Finish {
  given: Pick<Rewrite, 'assignee_ids' | 'due_date'>
  /** The assignees that the new column of the task sets. */
  handed: readonly ActorRow[]
  /** A column that is about to be deleted; no occurrence opens there. */
  leaving?: Section
}

/** Hands the task over, dates it, and writes it; also says which occurrence follows on it. */
export async function finish(
  edit: Edit,
  target: Project,
  section: Section,
  { given, handed, leaving }: Finish,
) {
  const assignees = await reassign(edit, target, given.assignee_ids, handed)
  await schedule(edit, given.due_date, assignees)
  const next = await upcoming(edit, section, assignees, leaving)
  return { saved: await save(edit), next }
}

function rewrite(edit: Edit, given: Rewrite): void {
  const { title, status } = given
  if (title !== undefined) edit.put('title', nameOf('title', title))
  for (const [name, value] of revised(edit.ctx, given)) edit.put(name, value)
  if (status !== undefined) edit.put('status', status)
}

async function adopt(edit: Edit, target: Project, given: number | null | undefined) {
  const { ctx, task } = edit
  const leaves = target.project_id !== task.project_id
  const parent = given === undefined && leaves ? null : given
  if (parent === undefined) return
  if (parent !== null && (leaves || parent !== task.parent_task_id)) {
    // Two tasks that become each other's sub-task at once would each find nothing wrong.
    await holdProject(ctx.tx, target)
    await checkParent(ctx.tx, target, parent, task)
  }
  edit.put('parent_task_id', parent)
}

async function relabel(edit: Edit, target: Project, refs: Revision['labels']): Promise<void> {
  const { ctx, task } = edit
  const leaves = target.project_id !== task.project_id
  if (refs === undefined && !leaves) return
  const before = await labelsOn(ctx.tx, task)
  const after = refs
    ? await findLabels(ctx, target, refs)
    : alike(before, await labelsOf(ctx.tx, target))
  const changed = await replaceLabels(ctx.tx, task, before, after)
  if (changed) edit.tell('labels', names(before), names(after))
}

const names = (labels: readonly Label[]) => labels.map(({ name }) => name)

/** The labels of another board that have the same names. */
const alike = (labels: readonly Label[], there: readonly Label[]) =>
  there.filter(({ name }) => labels.some((label) => folded(label.name) === folded(name)))

async function reassign(
  edit: Edit,
  target: Project,
  ids: number[] | undefined,
  handed: readonly ActorRow[],
) {
  const { ctx, task } = edit
  const before = await assigneesOf(ctx.tx, task)
  if (ids === undefined && !edit.entered) return before
  const agents = before.filter(({ kind }) => kind === 'agent')
  const wanted = ids ? [...(await peopleOn(ctx, target, ids, before)), ...agents] : before
  const staying = target.project_id === task.project_id ? wanted : await among(ctx, target, wanted)
  const after = together(staying, handed)
  edit.handover = await assignTo(ctx.tx, task, before, after)
  return after
}

async function schedule(edit: Edit, given: Revision['due_date'], assignees: readonly ActorRow[]) {
  const due_date = given === undefined ? edit.task.due_date : dueIn(edit.ctx, given)
  edit.put('due_date', due_date)
  await settle(edit, due_date, assignees)
}

/** The same day ends at another moment when it is another person's. */
export async function settle(
  edit: Edit,
  due_date: string | null,
  assignees: readonly ActorRow[],
): Promise<void> {
  const { added, removed } = edit.handover
  const changesHands = added.length > 0 || removed.length > 0
  const isElsewhere = changesHands || returns(edit, assignees)
  if (due_date === edit.task.due_date && !(due_date && isDay(due_date) && isElsewhere)) return
  edit.set.due_at = await deadline(edit.ctx, due_date, assignees)
  // What was told of another moment says nothing about this one.
  if (edit.set.due_at?.getTime() !== edit.task.due_at?.getTime()) edit.set.reminded = 0
}

/** What was finished or put away stayed behind when its person went to another time zone. */
const returns = ({ task, set }: Edit, assignees: readonly ActorRow[]) =>
  assignees.some(({ kind }) => kind === 'person') && !isOpen(task) && isOpen({ ...task, ...set })

/** Writes and tells what changed; where nothing did, not even `updated_at` is touched. */
export async function save(edit: Edit<Writer>): Promise<Task> {
  const { ctx, task, set, fields } = edit
  if (!edit.changed.length) return task
  const saved = await write(ctx.tx, task.task_id, { ...set, updated_at: ctx.now })
  await tally(ctx.tx, task, saved)
  await keepMove(ctx.tx, ctx.now, task, saved)
  await followOpen(ctx.tx, task, saved)
  if (isText(set)) await keepText(ctx.tx, saved)
  if (set.description_version) await keepVersion(ctx, saved)
  const { task_id, ticket_number, title } = saved
  if (fields.length)
    ctx.emit(
      'task.updated',
      { ...placeOf(saved), task_id },
      { ticket_number, title, ...edit.change },
    )
  if (saved.project_id !== task.project_id) tellLeft(ctx, task)
  emitHandover(ctx, saved, edit.handover)
  return saved
}

/** Who saw it on its board learns that it is gone, whether or not they may see where to. */
const tellLeft = (ctx: Writer, { task_id, ticket_number, ...place }: Task) =>
  ctx.emit('task.left', { ...placeOf(place), task_id }, { ticket_number })

const { description: _, ...withoutText } = getTableColumns(tasks)

/** One for each set of columns that changed. A text that was just written is not read back. */
const statements = prepared((tx) => {
  const made = new Map<string, ReturnType<typeof build>>()
  const build = (names: readonly string[]) =>
    tx
      .update(tasks)
      .set(Object.fromEntries(names.map((name) => [name, param(name)])))
      .where(eq(tasks.task_id, param('of')))
      .returning(names.includes('description') ? withoutText : getTableColumns(tasks))
      .prepare(`task_update_${names.join('_')}`)
  return (names: readonly string[]) => {
    const key = names.join()
    const statement = made.get(key) ?? quicken(build(names), tx)
    made.set(key, statement)
    return statement
  }
})

async function write(tx: Tx, of: number, set: Partial<Task>): Promise<Task> {
  const [saved] = await statements(tx)(Object.keys(set).sort()).execute({ ...set, of })
  return { ...set, ...saved! } as Task
}

/** Sub-tasks stay with their parent, on whatever board it is. */
async function bringChildren(ctx: Context, parent: Task, from: Project): Promise<void> {
  const { team_id, task_id, project_id } = parent
  const children = await childrenOf(ctx.tx, team_id, [task_id])
  readWords(ctx, ...children)
  for (const task of children) {
    await refuseTaken(ctx, task)
    await updateTask(ctx, { task, project: from }, { project_id, parent_task_id: task_id })
  }
}
