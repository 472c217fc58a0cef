import { and, eq } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { cachedLoader } from '../../../../store/cache.ts'
import { forUpdate, hasConcurrentWriters } from '../../../../store/columns.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { findVisibleProject, type Project } from '../../../boards/projects/model/index.ts'
import { requireTeamScope } from '../../../identity/teams/model/index.ts'
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
  locked: forUpdate(
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

const LIST_HINT = 'List tasks: svc_tasks list, or GET /api/v1/tasks'

/** Finds a task and its board. If the input addresses it in several ways, they must agree. */
export async function locateTask(ctx: Context, address: Address): Promise<Located> {
  const { task_id, ticket_number, unique_index, project_id } = address
  const candidates: Located[] = []
  if (task_id !== undefined) candidates.push(await byId(ctx, task_id))
  if (ticket_number !== undefined) candidates.push(await byTicket(ctx, ticket_number, project_id))
  if (unique_index !== undefined) candidates.push(await byIndex(ctx, unique_index, project_id))
  const [found, ...others] = candidates
  if (!found)
    throw fault.invalid(
      'ticket_number',
      'required',
      'The task is required: ticket_number, task_id, or unique_index with project_id',
      undefined,
      LIST_HINT,
    )
  const elsewhere =
    unique_index === undefined && (project_id ?? found.task.project_id) !== found.task.project_id
  if (elsewhere || others.some(({ task }) => task.task_id !== found.task.task_id))
    throw fault.invalid(
      elsewhere ? 'project_id' : 'ticket_number',
      'conflict',
      'task_id, ticket_number, unique_index and project_id name different tasks or boards',
      elsewhere ? project_id : ticket_number,
      'Send only one of them; ticket_number is enough',
    )
  requireTeamScope(ctx, found.project.team_id)
  return hasConcurrentWriters && !ctx.needs.endsWith(':read') ? lockLocated(ctx, found) : found
}

/** The id of the task that an input addresses, for the lease guard. */
export async function taskIdOf(input: Address, ctx: Context): Promise<[number]> {
  const { task_id, ticket_number, unique_index, project_id } = input
  const { task } = await locateTask(ctx, { task_id, ticket_number, unique_index, project_id })
  return [task.task_id]
}

/** Locks the task row for a change, and reloads it as concurrent writers left it. */
async function lockLocated(
  ctx: Context,
  { task: { task_id }, project }: Located,
): Promise<Located> {
  const [task] = await statements(ctx.tx).locked.execute({ task_id })
  if (task?.project_id === project.project_id) return { task, project }
  return (await findVisible(ctx, task)) ?? failNotFound(task_id)
}

/** Refuses to plan or start work on a deleted task. */
export function refuseDeleted(
  task: Pick<Task, 'status' | 'ticket_number' | 'task_id'>,
  field = 'task_id',
): void {
  if (task.status !== 'Deleted') return
  throw fault.conflict(
    `${task.ticket_number} is deleted`,
    { field, value: task.task_id, status: task.status },
    'Restore it first: update it with status Normal',
  )
}

/** Locks and returns an existing task. It checks no permissions. */
export async function lockTask(tx: Tx, task_id: number): Promise<Task> {
  return (await statements(tx).locked.execute({ task_id }))[0]!
}

/** Adds the board of a task; undefined if the caller cannot see it. */
async function findVisible(ctx: Context, task: Task | undefined): Promise<Located | undefined> {
  const project = task && (await findVisibleProject(ctx, task.project_id))
  return project && { task, project }
}

async function byId(ctx: Context, task_id: number): Promise<Located> {
  return (await findVisible(ctx, await taskById(ctx.tx, task_id))) ?? failNotFound(task_id)
}

function failNotFound(task_id: number): never {
  throw taskNotFound('task_id', `There is no task ${task_id} that you can see`, task_id)
}

async function byTicket(
  ctx: Context,
  ticket_number: string,
  project_id?: number,
): Promise<Located> {
  const ticket = ticketKey(ticket_number, ctx.server.url)
  const found: Located[] = []
  for (const team_id of ctx.caller.teams.keys()) {
    const located = await findVisible(ctx, await taskByTicket(ctx, team_id, ticket))
    if (located) found.push(located)
  }
  const [first, second] = found
  if (!first)
    throw taskNotFound(
      'ticket_number',
      `There is no task ${ticket_number} that you can see`,
      ticket_number,
    )
  if (!second) return first
  const onBoard = found.find(({ project }) => project.project_id === project_id)
  if (onBoard) return onBoard
  const boards = found.map(({ project }) => `${project.title} (project_id ${project.project_id})`)
  throw fault.invalid(
    'ticket_number',
    'ambiguous',
    `${ticket} exists on several boards: ${boards.join(', ')}`,
    ticket_number,
    `Use task_id: ${found.map(({ task }) => task.task_id).join(' or ')}`,
  )
}

/** The key in `#ABC-1`, `abc 1`, or the address of a task on this server. */
export function ticketKey(text: string, serverUrl: string): string {
  const trimmed = text.trim()
  const pages = `${serverUrl}/t/`
  const isAddress = serverUrl !== '' && trimmed.startsWith(pages)
  const [key = ''] = isAddress ? trimmed.slice(pages.length).split(/[?#/]/) : [trimmed]
  return key
    .replace(/^#/, '')
    .replace(/^([a-z]\w*?)[\s_]+(\d+)$/i, '$1-$2')
    .toUpperCase()
}

/** Finds a task by its current or a former key. It checks no permissions. */
export async function taskByTicket({ tx }: Pick<Context, 'tx'>, team_id: number, ticket: string) {
  const task = await taskCacheByTicket.get(tx, { team_id, ticket })
  if (task) return task
  const [former] = await statements(tx).formerly.execute({ team_id, ticket })
  return former && taskById(tx, former.task_id)
}

async function byIndex(ctx: Context, unique_index: number, project_id?: number) {
  if (project_id === undefined)
    throw fault.invalid('project_id', 'required', 'unique_index requires project_id')
  const project = await findVisibleProject(ctx, project_id)
  const ticket = `${project?.key}-${unique_index}`
  const task = project && (await taskByTicket(ctx, project.team_id, ticket))
  const found = await findVisible(ctx, task)
  if (!found)
    throw taskNotFound(
      'unique_index',
      `There is no task ${unique_index} on a board ${project_id} that you can see`,
      unique_index,
    )
  return found
}

/** It checks no permissions: only for tasks that the caller may see. */
export const taskById = async (tx: Tx, task_id: number): Promise<Task | undefined> =>
  taskCache.get(tx, task_id)

/** Several tasks by id. It checks no permissions either. */
export const tasksById = (tx: Tx, ids: readonly number[]) => taskCache.getMany(tx, ids)

const MAX_CACHED_LENGTH = 8000
const isCacheable = ({ description }: Task) => (description?.length ?? 0) < MAX_CACHED_LENGTH

const taskCache = cachedLoader<number, Task>({
  key: (task_id) => task_id,
  dependsOn: [[tasks.task_id]],
  async load(tx, ids) {
    const rows: Task[] = []
    for (const task_id of ids) rows.push(...(await statements(tx).byId.execute({ task_id })))
    return new Map(rows.map((row) => [row.task_id, row]))
  },
  shouldCache: isCacheable,
})

interface TicketKey {
  team_id: number
  ticket: string
}

const cacheKey = ({ team_id, ticket }: TicketKey) => `${team_id}:${ticket}`

const taskCacheByTicket = cachedLoader<TicketKey, Task>({
  key: cacheKey,
  dependsOn: [[tasks.team_id, tasks.ticket_number]],
  async load(tx, keys) {
    const found = new Map<string, Task>()
    for (const key of keys) {
      const [task] = await statements(tx).byTicket.execute({ ...key })
      if (task) found.set(cacheKey(key), task)
    }
    return found
  },
  shouldCache: isCacheable,
})

const taskNotFound = (field: string, message: string, value: unknown) =>
  fault.notFound(field, message, value, LIST_HINT)
