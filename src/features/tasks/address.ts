import { and, eq } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { held, manyWriters } from '../../store/columns.ts'
import { param, prepared } from '../../store/prepared.ts'
import { recall } from '../../store/recall.ts'
import { type Project, seenProject } from '../projects/index.ts'
import { allow } from '../teams/index.ts'
import type { Address } from './schema.ts'
import { formerTickets, tasks } from './tables.ts'

export type Task = typeof tasks.$inferSelect
export interface Located {
  task: Task
  project: Project
}

const statements = prepared((tx) => ({
  byId: tx
    .select()
    .from(tasks)
    .where(eq(tasks.task_id, param('task_id')))
    .prepare('task_by_id'),
  held: held(
    tx
      .select()
      .from(tasks)
      .where(eq(tasks.task_id, param('task_id'))),
  ).prepare('task_held'),
  byTicket: tx
    .select()
    .from(tasks)
    .where(and(eq(tasks.team_id, param('team_id')), eq(tasks.ticket_number, param('ticket'))))
    .prepare('task_by_ticket'),
  formerly: tx
    .select({ task_id: formerTickets.task_id })
    .from(formerTickets)
    .where(
      and(
        eq(formerTickets.team_id, param('team_id')),
        eq(formerTickets.ticket_number, param('ticket')),
      ),
    )
    .prepare('task_by_former_ticket'),
}))

const HINT = 'List tasks: svc_tasks list, or GET /api/v1/tasks'

/** The task with its board. What is said twice about a task must agree. */
export async function locateTask(ctx: Context, address: Address): Promise<Located> {
  const { task_id, ticket_number, unique_index, project_id } = address
  const named: Located[] = []
  if (task_id !== undefined) named.push(await byId(ctx, task_id))
  if (ticket_number !== undefined) named.push(await byTicket(ctx, ticket_number, project_id))
  if (unique_index !== undefined) named.push(await byIndex(ctx, unique_index, project_id))
  const [found, ...others] = named
  if (!found)
    throw fault.invalid(
      'ticket_number',
      'required',
      'Name the task: ticket_number, task_id, or unique_index with project_id',
      undefined,
      HINT,
    )
  const elsewhere =
    unique_index === undefined && (project_id ?? found.task.project_id) !== found.task.project_id
  if (elsewhere || others.some(({ task }) => task.task_id !== found.task.task_id))
    throw fault.invalid(
      elsewhere ? 'project_id' : 'ticket_number',
      'conflict',
      'task_id, ticket_number, unique_index and project_id name different tasks or boards',
      elsewhere ? project_id : ticket_number,
      'Give one of them; ticket_number is enough',
    )
  allow(ctx, found.project.team_id)
  return manyWriters && !ctx.needs.endsWith(':read') ? holding(ctx, found) : found
}

/** The number of the one task that an input names, for those who guard it. */
export async function addressed(input: Address, ctx: Context): Promise<[number]> {
  const { task_id, ticket_number, unique_index, project_id } = input
  const { task } = await locateTask(ctx, { task_id, ticket_number, unique_index, project_id })
  return [task.task_id]
}

/** Whoever is about to change a task waits for those before, and sees what they made of it. */
async function holding(ctx: Context, { task: { task_id }, project }: Located): Promise<Located> {
  const [task] = await statements(ctx.tx).held.execute({ task_id })
  if (task?.project_id === project.project_id) return { task, project }
  return (await seen(ctx, task)) ?? gone(task_id)
}

/** Of a task that is deleted nothing is planned, and no work on it begins. */
export function refuseDeleted(
  task: Pick<Task, 'status' | 'ticket_number' | 'task_id'>,
  field = 'task_id',
): void {
  if (task.status !== 'Deleted') return
  throw fault.conflict(
    `${task.ticket_number} is deleted`,
    { field, value: task.task_id, status: task.status },
    'Bring it back first: update it with status Normal',
  )
}

/** A task that is there, for whoever is about to change what hangs on it; it checks nothing. */
export async function heldTask(tx: Tx, task_id: number): Promise<Task> {
  return (await statements(tx).held.execute({ task_id }))[0]!
}

/** A task by its number, or nothing where it is none of the caller's business. */
async function seen(ctx: Context, task: Task | undefined): Promise<Located | undefined> {
  const project = task && (await seenProject(ctx, task.project_id))
  return project && { task, project }
}

async function byId(ctx: Context, task_id: number): Promise<Located> {
  return (await seen(ctx, await taskById(ctx.tx, task_id))) ?? gone(task_id)
}

function gone(task_id: number): never {
  throw unknown('task_id', `There is no task ${task_id} that you can see`, task_id)
}

async function byTicket(ctx: Context, given: string, project_id?: number): Promise<Located> {
  const ticket = given.trim().toUpperCase()
  const found: Located[] = []
  for (const team_id of ctx.caller.teams.keys()) {
    const one = await seen(ctx, await ticketOf(ctx, team_id, ticket))
    if (one) found.push(one)
  }
  const [first, second] = found
  if (!first) throw unknown('ticket_number', `There is no task ${given} that you can see`, given)
  if (!second) return first
  const meant = found.find(({ project }) => project.project_id === project_id)
  if (meant) return meant
  const boards = found.map(({ project }) => `${project.title} (project_id ${project.project_id})`)
  throw fault.invalid(
    'ticket_number',
    'ambiguous',
    `${ticket} is a task on each of these boards: ${boards.join(', ')}`,
    given,
    `Use task_id: ${found.map(({ task }) => task.task_id).join(' or ')}`,
  )
}

/** A task by a key that it has or once had; it checks nothing. */
export async function ticketOf({ tx }: Pick<Context, 'tx'>, team_id: number, ticket: string) {
  const task = await byKey.one(tx, { team_id, ticket })
  if (task) return task
  const [former] = await statements(tx).formerly.execute({ team_id, ticket })
  return former && taskById(tx, former.task_id)
}

async function byIndex(ctx: Context, unique_index: number, project_id?: number) {
  if (project_id === undefined)
    throw fault.invalid('project_id', 'required', 'unique_index needs project_id beside it')
  const project = await seenProject(ctx, project_id)
  const ticket = `${project?.key}-${unique_index}`
  const task = project && (await ticketOf(ctx, project.team_id, ticket))
  const found = await seen(ctx, task)
  if (!found)
    throw unknown(
      'unique_index',
      `There is no task ${unique_index} on a board ${project_id} that you can see`,
      unique_index,
    )
  return found
}

/** For what the caller may see anyway; it checks nothing. */
export const taskById = async (tx: Tx, task_id: number): Promise<Task | undefined> =>
  known.one(tx, task_id)

/** Several, by their number; it checks nothing either. */
export const tasksById = (tx: Tx, ids: readonly number[]) => known.many(tx, ids)

const MOST_KEPT = 8000
const keep = ({ description }: Task) => (description?.length ?? 0) < MOST_KEPT

const known = recall<number, Task>({
  key: (task_id) => task_id,
  from: [[tasks.task_id]],
  async load(tx, ids) {
    const rows: Task[] = []
    for (const task_id of ids) rows.push(...(await statements(tx).byId.execute({ task_id })))
    return new Map(rows.map((row) => [row.task_id, row]))
  },
  keep,
})

interface Key {
  team_id: number
  ticket: string
}

const nameOf = ({ team_id, ticket }: Key) => `${team_id}:${ticket}`

const byKey = recall<Key, Task>({
  key: nameOf,
  from: [[tasks.team_id, tasks.ticket_number]],
  async load(tx, keys) {
    const found = new Map<string, Task>()
    for (const key of keys) {
      const [task] = await statements(tx).byTicket.execute({ ...key })
      if (task) found.set(nameOf(key), task)
    }
    return found
  },
  keep,
})

const unknown = (field: string, message: string, value: unknown) =>
  fault.notFound(field, message, value, HINT)
