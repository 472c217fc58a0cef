import { and, between, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { Inserter } from '../../../../store/bulk.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { send } from '../../../../store/send.ts'
import { type Section, type SectionRole, sections } from '../../../boards/sections/model/index.ts'
import { type Task, tasks } from '../../../tasks/tasks/model/index.ts'
import { taskMoves } from './tables.ts'

type TaskPosition = Pick<
  Task,
  'team_id' | 'project_id' | 'task_id' | 'section_id' | 'status' | 'completed_at'
>

const sectionOf = (task: TaskPosition | undefined) =>
  task?.status === 'Normal' ? task.section_id : null

/** Records a move or a completion, in the transaction that makes it. */
export async function recordMove(
  tx: Tx,
  now: Date,
  before: TaskPosition | undefined,
  after: TaskPosition,
): Promise<void> {
  const from_id = sectionOf(before)
  const to_id = sectionOf(after)
  const leaves = before !== undefined && before.project_id !== after.project_id
  if (before && leaves && from_id !== null)
    await insertMove(tx, now, before, { from_id, to_id: null })
  const arrivedFrom = leaves ? null : from_id
  const completes = after.completed_at !== null && !before?.completed_at
  if (arrivedFrom === to_id && !completes) return
  await insertMove(tx, now, after, { from_id: arrivedFrom, to_id, completes })
}

interface Step {
  from_id: number | null
  to_id: number | null
  completes?: boolean
}

const insertMove = (
  tx: Tx,
  now: Date,
  { team_id, project_id, task_id }: TaskPosition,
  { from_id, to_id, completes = false }: Step,
) => {
  const row = { team_id, project_id, task_id, from_id, to_id, completes, moved_at: now }
  return send(tx, insertMoveStatement(tx).execute(row))
}

const insertMoveStatement = prepared((tx) =>
  tx
    .insert(taskMoves)
    .values({
      team_id: param('team_id'),
      project_id: param('project_id'),
      task_id: param('task_id'),
      from_id: param('from_id'),
      to_id: param('to_id'),
      role: sql`(select ${sections.role} from ${sections}
        where ${sections.section_id} = ${param('to_id')})`,
      completes: param('completes'),
      moved_at: param('moved_at'),
    })
    .prepare('task_moves_add'),
)

/** Records the completion of all open tasks of a section that is about to count as done. */
export async function recordCompletion(tx: Tx, now: Date, section: Section): Promise<void> {
  const { team_id, section_id } = section
  const open = await tx
    .select(positionColumns)
    .from(tasks)
    .where(
      and(eq(tasks.team_id, team_id), eq(tasks.section_id, section_id), isNull(tasks.completed_at)),
    )
  for (const task of open) await recordMove(tx, now, task, { ...task, completed_at: now })
}

const positionColumns = {
  team_id: tasks.team_id,
  project_id: tasks.project_id,
  task_id: tasks.task_id,
  section_id: tasks.section_id,
  status: tasks.status,
  completed_at: tasks.completed_at,
}

interface Range {
  team_id: number
  first: number
  last: number
}

/**
 * Records the section of each imported task and the time it entered, from the task's own columns.
 */
export async function recordImportedMoves(inserter: Inserter, { team_id, first, last }: Range) {
  const { created_at, section_changed_at } = tasks
  for (let next = first; next <= last; ) {
    await inserter.beforeStatement()
    const rows = await inserter.tx
      .select({ ...positionColumns, created_at, section_changed_at, role: sections.role })
      .from(tasks)
      .innerJoin(sections, eq(sections.section_id, tasks.section_id))
      // The plus keeps the database on the primary key: any index of the team needs a sort.
      .where(and(between(tasks.task_id, next, last), sql`+${tasks.team_id} = ${team_id}`))
      .orderBy(tasks.task_id)
      .limit(BATCH_SIZE)
    if (!rows.length) return
    next = rows.at(-1)!.task_id + 1
    await insertInitialMoves(inserter, rows)
  }
}

/** Records when new tasks entered their sections and were completed. */
export const insertInitialMoves = (inserter: Inserter, rows: readonly ImportedTask[]) =>
  inserter.insert(taskMoves, rows.flatMap(initialMoves))

const BATCH_SIZE = 200
type ImportedTask = TaskPosition & {
  created_at: Date
  section_changed_at: Date | null
  role: SectionRole
}

function initialMoves({ team_id, project_id, task_id, role, ...task }: ImportedTask) {
  const { status, section_id, completed_at, created_at, section_changed_at } = task
  const step = { team_id, project_id, task_id, from_id: null }
  const entry = {
    ...step,
    to_id: section_id,
    role,
    completes: false,
    moved_at: section_changed_at ?? created_at,
  }
  const completion = { ...step, to_id: null, role: null, completes: true }
  return [
    ...(status === 'Normal' ? [entry] : []),
    ...(completed_at ? [{ ...completion, moved_at: completed_at }] : []),
  ]
}
