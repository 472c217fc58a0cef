import { and, eq, exists, inArray, type SQL, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import type { ChangeType } from '../../../../kernel/changes.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { send } from '../../../../store/send.ts'
import { type Project, placeOf } from '../../../boards/projects/model/index.ts'
import type { Section } from '../../../boards/sections/model/index.ts'
import { boardActors, findBoardActor } from '../../../identity/members/model/index.ts'
import { type ActorRow, actors, asActor, people } from '../../../identity/people/model/index.ts'
import { dueAt, isDay } from '../../../time/dates/model/index.ts'
import { isOpen } from '../../states/model/index.ts'
import { hasNewPlace, type Task, tasks } from '../../tasks/model/index.ts'
import { taskAssignees } from './tables.ts'

const selectAssignees = prepared((tx) =>
  tx
    .select({ actor: actors })
    .from(taskAssignees)
    .innerJoin(actors, eq(actors.actor_id, taskAssignees.actor_id))
    .where(
      and(eq(taskAssignees.team_id, param('team_id')), eq(taskAssignees.task_id, param('task_id'))),
    )
    .orderBy(actors.actor_id)
    .prepare('assignees_of'),
)

export async function assigneesOf(
  tx: Tx,
  { team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>,
): Promise<ActorRow[]> {
  return (await selectAssignees(tx).execute({ team_id, task_id })).map(({ actor }) => actor)
}

/** The actor ids of the assignees and of the creator. */
export async function participantIds(
  tx: Tx,
  task: Pick<Task, 'team_id' | 'task_id' | 'created_by'>,
): Promise<number[]> {
  const assigned = await assigneesOf(tx, task)
  return [...new Set([...assigned.map(({ actor_id }) => actor_id), task.created_by])]
}

/**
 * Resolves user ids to actors. Current assignees are accepted even if they lost access to the
 * board.
 */
export async function resolveAssignees(
  ctx: Context,
  project: Project,
  ids: readonly (number | string)[],
  current: readonly ActorRow[] = [],
): Promise<ActorRow[]> {
  const found: ActorRow[] = []
  for (const id of new Set(ids))
    found.push(
      sortedPeople(current).find(({ actor_id }) => actor_id === id) ??
        (await findBoardActor(ctx, project, id, 'assignee_ids')),
    )
  return found
}

/** The actor that the section auto-assigns, unless they can no longer see the board. */
export async function autoAssignees(
  ctx: Context,
  project: Project,
  { auto_assign }: Section,
): Promise<ActorRow[]> {
  if (auto_assign === null) return []
  const actors = await boardActors(ctx, project)
  // Assigning an agent starts it, which texts of outsiders must not do.
  return actors.filter(
    ({ actor_id, kind }) =>
      actor_id === auto_assign && !(kind === 'agent' && ctx.caller.isOutsider),
  )
}

export interface AssigneeChanges {
  added: ActorRow[]
  removed: ActorRow[]
}

/** The actors of all groups without duplicates, in the order in which they first appear. */
export const uniqueActors = (...groups: (readonly ActorRow[])[]): ActorRow[] => [
  ...new Map(groups.flat().map((actor) => [actor.actor_id, actor])).values(),
]

/** Replaces the assignees of a task and returns who was added and who was removed. */
export async function replaceAssignees(
  tx: Tx,
  task: Task,
  before: readonly ActorRow[],
  after: readonly ActorRow[],
): Promise<AssigneeChanges> {
  const { team_id, task_id, project_id, status } = task
  const open = isOpen(task)
  const isMissingFrom = (from: readonly ActorRow[]) => (actor: ActorRow) =>
    !from.some(({ actor_id }) => actor_id === actor.actor_id)
  const added = after.filter(isMissingFrom(before))
  const removed = before.filter(isMissingFrom(after))
  for (const { actor_id } of added)
    await send(
      tx,
      insertAssignee(tx).execute({ team_id, task_id, actor_id, open, project_id, status }),
    )
  if (removed.length)
    await tx.delete(taskAssignees).where(
      and(
        eq(taskAssignees.team_id, team_id),
        eq(taskAssignees.task_id, task_id),
        inArray(
          taskAssignees.actor_id,
          removed.map(({ actor_id }) => actor_id),
        ),
      ),
    )
  return { added, removed }
}

const insertAssignee = prepared((tx) =>
  tx
    .insert(taskAssignees)
    .values({
      team_id: param('team_id'),
      task_id: param('task_id'),
      actor_id: param('actor_id'),
      open: param('open'),
      project_id: param('project_id'),
      status: param('status'),
    })
    .prepare('task_assignee_insert'),
)

/** Copies the state of a task to its assignee rows when it was completed, archived or moved. */
export async function syncAssigneeRows(tx: Tx, before: Task, after: Task): Promise<void> {
  const { team_id, task_id, project_id, status } = after
  const open = isOpen(after)
  if (open !== isOpen(before) || hasNewPlace(before, after))
    await send(tx, updateAssigneeRows(tx).execute({ team_id, task_id, open, project_id, status }))
}

const updateAssigneeRows = prepared((tx) =>
  tx
    .update(taskAssignees)
    .set({ open: param('open'), project_id: param('project_id'), status: param('status') })
    .where(
      and(eq(taskAssignees.team_id, param('team_id')), eq(taskAssignees.task_id, param('task_id'))),
    )
    .prepare('task_assignees_update'),
)

export function emitAssigneeChanges(
  ctx: Pick<Context, 'emit'>,
  task: Task,
  { added, removed }: AssigneeChanges,
) {
  const place = { ...placeOf(task), task_id: task.task_id }
  const { ticket_number, title } = task
  const emitFor = (type: ChangeType<'task'>) => (actor: ActorRow) =>
    ctx.emit(type, place, { ticket_number, title, actor: asActor(actor) })
  added.forEach(emitFor('task.assigned'))
  removed.forEach(emitFor('task.unassigned'))
}

/** The moment after which the task is overdue. A due day ends in the time zone of the task. */
export async function dueTime(
  ctx: Context,
  due_date: string | null,
  assignees: readonly ActorRow[],
): Promise<Date | null> {
  if (due_date === null) return null
  return dueAt(due_date, isDay(due_date) ? await timeZoneOf(ctx, assignees) : 'UTC')
}

/** The time zone of a task: that of its first assigned person, else the caller's. */
export async function timeZoneOf(ctx: Context, assignees: readonly ActorRow[]): Promise<string> {
  const [first] = sortedPeople(assignees)
  const [person] = first
    ? await ctx.tx
        .select({ time_zone: people.time_zone })
        .from(people)
        .where(eq(people.actor_id, first.actor_id))
    : []
  return person?.time_zone ?? ctx.caller.time_zone
}

/**
 * The time zone of the first assigned person, as a column of a query; null if no person is
 * assigned.
 */
export const timeZoneColumn = (tx: Tx): SQL<string | null> => {
  const first = tx
    .select({ time_zone: people.time_zone })
    .from(taskAssignees)
    .innerJoin(people, eq(people.actor_id, taskAssignees.actor_id))
    .where(and(eq(taskAssignees.team_id, tasks.team_id), eq(taskAssignees.task_id, tasks.task_id)))
    .orderBy(taskAssignees.actor_id)
    .limit(1)
  return sql`${first}`
}

/** A subquery for the ids of the tasks that are assigned to the caller: open ones, or others. */
export const tasksAssignedToCaller = (
  { tx, caller }: Pick<Context, 'tx' | 'caller'>,
  open: boolean,
) =>
  tx
    .select({ task_id: taskAssignees.task_id })
    .from(taskAssignees)
    .where(
      and(
        inArray(taskAssignees.team_id, [...caller.teams.keys()]),
        eq(taskAssignees.actor_id, caller.actor_id),
        eq(taskAssignees.open, open),
      ),
    )

/** A subquery for the ids of the open tasks that are assigned to the caller. */
export const openTasksOfCaller = (reader: Pick<Context, 'tx' | 'caller'>) =>
  tasksAssignedToCaller(reader, true)

/** A condition for the tasks that have an assignee, or this one. */
export const hasAssignee = (tx: Tx, actor_id?: number): SQL =>
  exists(
    tx
      .select({ one: sql`1` })
      .from(taskAssignees)
      .where(
        and(
          eq(taskAssignees.team_id, tasks.team_id),
          eq(taskAssignees.task_id, tasks.task_id),
          actor_id === undefined ? undefined : eq(taskAssignees.actor_id, actor_id),
        ),
      ),
  )

/** With more tasks than this, reading the assigned tasks of a board in order is faster. */
const FEW = 1000

const selectOpenTasks = prepared((tx) =>
  tx
    .select({ task_id: taskAssignees.task_id, project_id: taskAssignees.project_id })
    .from(taskAssignees)
    .where(
      and(
        eq(taskAssignees.team_id, param('team_id')),
        eq(taskAssignees.actor_id, param('actor_id')),
        eq(taskAssignees.open, true),
      ),
    )
    .limit(FEW + 1)
    .prepare('open_tasks_of'),
)

/** The ids of an actor's open tasks on a board; undefined if they have many in the team. */
export async function openTasksIfFew(
  tx: Tx,
  { team_id, project_id }: Pick<Project, 'team_id' | 'project_id'>,
  actor_id: number,
): Promise<number[] | undefined> {
  const open = await selectOpenTasks(tx).execute({ team_id, actor_id })
  if (open.length > FEW) return undefined
  return open.filter((row) => row.project_id === project_id).map(({ task_id }) => task_id)
}

/** The actors among these who can see the board. */
export async function withBoardAccess(ctx: Context, board: Project, actors: readonly ActorRow[]) {
  if (!actors.length) return []
  const ids = new Set((await boardActors(ctx, board)).map(({ actor_id }) => actor_id))
  return actors.filter(({ actor_id }) => ids.has(actor_id))
}

const sortedPeople = (assignees: readonly ActorRow[]) =>
  assignees.filter(({ kind }) => kind === 'person').sort((a, b) => a.actor_id - b.actor_id)
