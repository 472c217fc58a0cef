import { Type as t } from '@sinclair/typebox'
import { and, asc, count, eq, inArray, or, type SQL } from 'drizzle-orm'
import type { Caller, Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import {
  findProject,
  mayManage,
  type Project,
  ProjectId,
  placeOf,
  projectById,
  projects,
  visibleProjects,
} from '../../../boards/projects/model/index.ts'
import {
  resolveTaskIds,
  type Task,
  TaskId,
  TicketNumber,
  tasks,
  tasksById,
} from '../../tasks/model/index.ts'
import { purge } from './purge.ts'

/** Tasks per transaction, which limits how long other writers wait. */
const STEP = 5
/** The most tasks of one call of `trash.delete`, which are deleted in one transaction. */
const MAX_TASKS = 10

const Deleted = t.Object({
  deleted: t.Integer({ description: 'How many tasks were deleted, or would be' }),
})
const bounds = { minItems: 1, maxItems: MAX_TASKS }

export const remove = operation({
  name: 'trash.delete',
  summary: 'Delete tasks in the trash forever, with all that belongs to them',
  needs: 'tasks:write',
  destroys: true,
  isUnchecked: true,
  on: { rest: 'POST /api/v1/trash/delete' },
  input: t.Object({
    task_ids: t.Optional(t.Array(TaskId, bounds)),
    ticket_numbers: t.Optional(t.Array(TicketNumber, bounds)),
  }),
  output: Deleted,
  async run(references, ctx) {
    requirePerson(ctx.caller)
    const ids = await resolveTaskIds(ctx, references)
    const found = await tasksById(ctx.tx, ids)
    const chosen = ids.map((id) => found.get(id)!)
    for (const task of chosen) await requireMayDelete(ctx, task)
    return { deleted: await deleteForever(ctx, chosen) }
  },
})

export const empty = operation({
  name: 'trash.empty',
  summary: 'Delete every task in the trash that you may delete forever',
  needs: 'tasks:write',
  destroys: true,
  isUnchecked: true,
  on: {
    rest: 'POST /api/v1/trash/empty',
    cli: { usage: 'trash empty', example: '--project-id HOM --dry-run' },
  },
  input: t.Object({
    project_id: t.Optional({ ...ProjectId, description: 'Only tasks of this board' }),
    dry_run: t.Optional(t.Boolean({ description: 'Only count the tasks' })),
  }),
  output: Deleted,
  steps: {
    hasMore: async (input, { tx, caller }) =>
      !input.dry_run && (await countDeletable({ tx, caller }, input)) > STEP,
    runStep: async (input, ctx) => deleteForever(ctx, await nextDeletable(ctx, input)),
  },
  async run(input, ctx, _, stepped = 0) {
    requirePerson(ctx.caller)
    if (input.project_id !== undefined) await findProject(ctx, input.project_id)
    if (input.dry_run) return { deleted: await countDeletable(ctx, input) }
    return { deleted: stepped + (await deleteForever(ctx, await nextDeletable(ctx, input))) }
  },
})

function requirePerson({ kind }: Caller): void {
  if (kind === 'person') return
  throw fault.forbidden(
    'Agents cannot delete tasks forever',
    'Leave the task in the trash, and ask a person who manages the board',
  )
}

async function requireMayDelete(ctx: Context, task: Task): Promise<void> {
  const { task_id, ticket_number, status, created_by } = task
  if (status !== 'Deleted')
    throw fault.conflict(
      `${ticket_number} is not in the trash`,
      { field: 'task_ids', value: task_id, status },
      'Delete it first: update it with status Deleted',
    )
  const project = (await projectById(ctx.tx, task.project_id))!
  if (created_by === ctx.caller.person_id || mayManage(ctx.caller, project)) return
  throw fault.forbidden(
    `Only its creator and those who manage the board can delete ${ticket_number} forever`,
    'Ask somebody who manages the board',
  )
}

/** Deletes the tasks, and records for each board which they were. */
async function deleteForever(ctx: Context, found: readonly Task[]): Promise<number> {
  let deleted = 0
  for (const board of Map.groupBy(found, ({ project_id }) => project_id).values()) {
    deleted += await purge(ctx, board)
    const tickets = board.map(({ ticket_number }) => ticket_number)
    ctx.emit('trash.deleted', placeOf(board[0]!), { tickets })
  }
  return deleted
}

type Reader = Pick<Context, 'tx' | 'caller'>
interface Scope {
  project_id?: number
}

async function countDeletable(reader: Reader, scope: Scope): Promise<number> {
  const where = await deletable(reader, scope)
  const [row] = await reader.tx.select({ total: count() }).from(tasks).where(where)
  return Number(row!.total)
}

const nextDeletable = async (ctx: Reader, scope: Scope): Promise<Task[]> =>
  ctx.tx
    .select()
    .from(tasks)
    .where(await deletable(ctx, scope))
    .orderBy(asc(tasks.task_id))
    .limit(STEP)

/** Tasks in the trash that the caller created, or on boards that the caller manages. */
async function deletable(reader: Reader, { project_id }: Scope): Promise<SQL | undefined> {
  const { tx, caller } = reader
  const boards = await visibleBoards(tx, reader, project_id)
  const idsOf = (some: readonly Project[]) => [0, ...some.map((board) => board.project_id)]
  const managed = boards.filter((board) => mayManage(caller, board))
  return and(
    eq(tasks.status, 'Deleted'),
    inArray(tasks.team_id, [0, ...new Set(boards.map(({ team_id }) => team_id))]),
    inArray(tasks.project_id, idsOf(boards)),
    or(inArray(tasks.project_id, idsOf(managed)), eq(tasks.created_by, caller.person_id)),
  )
}

const visibleBoards = (tx: Tx, reader: Reader, project_id?: number): Promise<Project[]> =>
  tx
    .select()
    .from(projects)
    .where(
      and(
        visibleProjects(reader),
        project_id === undefined ? undefined : eq(projects.project_id, project_id),
      ),
    )
