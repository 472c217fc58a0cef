import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { param, prepared } from '../../store/prepared.ts'
import { boardActors, findBoardActor } from '../members/index.ts'
import { type ActorRow, actors, asActor, people } from '../people/index.ts'
import { type Project, placeOf } from '../projects/index.ts'
import type { Section } from '../sections/index.ts'
import type { Task } from './address.ts'
import { dueAt, isDay, isOpen } from './rules.ts'
import { taskAssignees, tasks } from './tables.ts'

const ofTask = prepared((tx) =>
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
  return (await ofTask(tx).execute({ team_id, task_id })).map(({ actor }) => actor)
}

/** Whoever has the task, and who created it. */
export async function concernedWith(
  tx: Tx,
  task: Pick<Task, 'team_id' | 'task_id' | 'created_by'>,
): Promise<number[]> {
  const assigned = await assigneesOf(tx, task)
  return [...new Set([...assigned.map(({ actor_id }) => actor_id), task.created_by])]
}

/** The people with these user ids: those who hold it already, or can see the board. */
export async function peopleOn(
  ctx: Context,
  project: Project,
  ids: readonly (number | string)[],
  holding: readonly ActorRow[] = [],
): Promise<ActorRow[]> {
  const found: ActorRow[] = []
  for (const id of new Set(ids))
    found.push(
      persons(holding).find(({ actor_id }) => actor_id === id) ??
        (await findBoardActor(ctx, project, id, 'assignee_ids')),
    )
  return found
}

/** Whoever the column hands its tasks to, if they can still see the board. */
export async function handedTo(
  ctx: Context,
  project: Project,
  { auto_assign }: Section,
): Promise<ActorRow[]> {
  if (auto_assign === null) return []
  return (await boardActors(ctx, project)).filter(({ actor_id }) => actor_id === auto_assign)
}

export interface Handover {
  added: ActorRow[]
  removed: ActorRow[]
}

/** Everybody once, in the order of their first naming. */
export const together = (...groups: (readonly ActorRow[])[]): ActorRow[] => [
  ...new Map(groups.flat().map((actor) => [actor.actor_id, actor])).values(),
]

/** Makes these the assignees, and says who is new and who is gone. */
export async function assignTo(
  tx: Tx,
  task: Task,
  before: readonly ActorRow[],
  after: readonly ActorRow[],
): Promise<Handover> {
  const { team_id, task_id } = task
  const open = isOpen(task)
  const missing = (from: readonly ActorRow[]) => (one: ActorRow) =>
    !from.some(({ actor_id }) => actor_id === one.actor_id)
  const added = after.filter(missing(before))
  const removed = before.filter(missing(after))
  for (const { actor_id } of added) await inserts(tx).execute({ team_id, task_id, actor_id, open })
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

const inserts = prepared((tx) =>
  tx
    .insert(taskAssignees)
    .values({
      team_id: param('team_id'),
      task_id: param('task_id'),
      actor_id: param('actor_id'),
      open: param('open'),
    })
    .prepare('task_assignee_insert'),
)

/** After a task was finished, put away or taken up again, for all who hold it. */
export async function followOpen(
  tx: Tx,
  before: Openness,
  after: Openness & Pick<Task, 'team_id' | 'task_id'>,
): Promise<void> {
  const { team_id, task_id } = after
  const open = isOpen(after)
  if (open !== isOpen(before)) await follows(tx).execute({ team_id, task_id, open })
}

type Openness = Pick<Task, 'completed_at' | 'status'>

const follows = prepared((tx) =>
  tx
    .update(taskAssignees)
    .set({ open: param('open') })
    .where(
      and(eq(taskAssignees.team_id, param('team_id')), eq(taskAssignees.task_id, param('task_id'))),
    )
    .prepare('task_assignees_open'),
)

export function emitHandover(ctx: Pick<Context, 'emit'>, task: Task, { added, removed }: Handover) {
  const place = { ...placeOf(task), task_id: task.task_id }
  const { ticket_number, title } = task
  const tell = (type: string) => (one: ActorRow) =>
    ctx.emit(type, place, { ticket_number, title, actor: asActor(one) })
  added.forEach(tell('task.assigned'))
  removed.forEach(tell('task.unassigned'))
}

/** A due day ends in the time zone of the first person assigned, else in the caller's. */
export async function deadline(
  ctx: Context,
  due_date: string | null,
  assignees: readonly ActorRow[],
): Promise<Date | null> {
  if (due_date === null) return null
  return dueAt(due_date, isDay(due_date) ? await zoneOf(ctx, assignees) : 'UTC')
}

/** The time zone a task lives in. */
export async function zoneOf(ctx: Context, assignees: readonly ActorRow[]): Promise<string> {
  const [first] = persons(assignees)
  const [person] = first
    ? await ctx.tx
        .select({ time_zone: people.time_zone })
        .from(people)
        .where(eq(people.actor_id, first.actor_id))
    : []
  return person?.time_zone ?? ctx.caller.time_zone
}

/** The same of a task that is read, as a column; nothing where no person is assigned. */
export const zoneIn = (tx: Tx): SQL<string | null> => {
  const first = tx
    .select({ time_zone: people.time_zone })
    .from(taskAssignees)
    .innerJoin(people, eq(people.actor_id, taskAssignees.actor_id))
    .where(and(eq(taskAssignees.team_id, tasks.team_id), eq(taskAssignees.task_id, tasks.task_id)))
    .orderBy(taskAssignees.actor_id)
    .limit(1)
  return sql`${first}`
}

/** Numbers of the open tasks that the caller is assigned to. */
export const heldOpen = ({ tx, caller }: Pick<Context, 'tx' | 'caller'>) =>
  tx
    .select({ task_id: taskAssignees.task_id })
    .from(taskAssignees)
    .where(
      and(
        inArray(taskAssignees.team_id, [...caller.teams.keys()]),
        eq(taskAssignees.actor_id, caller.actor_id),
        eq(taskAssignees.open, true),
      ),
    )

/** Those of them who can see a board. */
export async function among(ctx: Context, board: Project, actors: readonly ActorRow[]) {
  if (!actors.length) return []
  const ids = new Set((await boardActors(ctx, board)).map(({ actor_id }) => actor_id))
  return actors.filter(({ actor_id }) => ids.has(actor_id))
}

const persons = (assignees: readonly ActorRow[]) =>
  assignees.filter(({ kind }) => kind === 'person').sort((a, b) => a.actor_id - b.actor_id)
