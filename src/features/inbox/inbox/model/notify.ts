import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import { truncate } from '../../../../content/index.ts'
import type { Tx } from '../../../../kernel/caller.ts'
import { append, type LoggedChange } from '../../../../store/log.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { projects } from '../../../boards/projects/model/index.ts'
import { boardActors } from '../../../identity/members/model/index.ts'
import { type Actor, actors } from '../../../identity/people/model/index.ts'
import { isOpen } from '../../../tasks/states/model/index.ts'
import { type Task as FullTask, tasks } from '../../../tasks/tasks/model/index.ts'
import { notifications } from '../../notifications/model/index.ts'
import {
  type ChangeData,
  type ChangeParties,
  isImportant,
  isNotifiable,
  type Notice,
  recipientsOf,
} from './rules.ts'
import { notYetAsked, replaceWaiting } from './waiting-runs.ts'

type Task = Pick<FullTask, 'task_id' | 'team_id' | 'project_id' | 'status' | 'completed_at'>

/** Creates inbox notifications for everyone a change concerns and who can see its task. */
export async function notify(tx: Tx, changes: readonly LoggedChange[]): Promise<void> {
  const notifiable = changes.filter((change) => change.task_id !== null && isNotifiable(change))
  if (!notifiable.length) return
  const tasksById = await tasksOf(tx, notifiable)
  const audience = new BoardAudience(tx)
  for (const change of notifiable) {
    const task = tasksById.get(change.task_id!)
    if (!task) continue
    const data = change.data as ChangeData
    await withdrawNotifications(tx, change, task, data)
    await markObsoleteRead(tx, change, task, data)
    const event = { type: change.type, actor_id: change.actor_id, data }
    const notices = recipientsOf(event, await partiesOf(tx, change))
    if (!notices.length) continue
    const viewers = await audience.of(task)
    const visible = notices.filter(({ actor_id }) => viewers.has(actor_id))
    await replaceWaiting(tx, change, task, visible)
    await insertNotifications(tx, change, task, await notYetAsked(tx, change, task, visible))
  }
}

async function tasksOf(tx: Tx, changes: readonly LoggedChange[]): Promise<Map<number, Task>> {
  const ids = [...new Set(changes.map(({ task_id }) => task_id!))]
  const { task_id, team_id, project_id, status, completed_at } = tasks
  const rows = await tx
    .select({ task_id, team_id, project_id, status, completed_at })
    .from(tasks)
    .where(inArray(task_id, ids))
  return new Map(rows.map((task) => [task.task_id, task]))
}

/** Caches who can see a board for the duration of one batch. */
class BoardAudience {
  private readonly cache = new Map<number, ReadonlySet<number>>()

  constructor(private readonly tx: Tx) {}

  async of({ project_id }: Task): Promise<ReadonlySet<number>> {
    const cached = this.cache.get(project_id)
    if (cached) return cached
    const { tx } = this
    const [project] = await tx.select().from(projects).where(eq(projects.project_id, project_id))
    const ids = new Set((await boardActors({ tx }, project!)).map(({ actor_id }) => actor_id))
    this.cache.set(project_id, ids)
    return ids
  }
}

/**
 * Returns the recipients that were stored with the change, because the task may have other
 * assignees by now.
 */
async function partiesOf(tx: Tx, { data, recipients }: LoggedChange): Promise<ChangeParties> {
  const { actor } = data as { actor?: Actor }
  const assignee = actor && (await actorIdOf(tx, actor))
  return { participants: [], ...recipients, assignee }
}

async function actorIdOf(tx: Tx, { user_id, agent_id }: Actor): Promise<number | undefined> {
  if (user_id !== undefined || agent_id === undefined) return user_id
  const [agent] = await tx.select().from(actors).where(eq(actors.agent_id, agent_id))
  return agent?.actor_id
}

const insertNotification = prepared((tx) =>
  tx
    .insert(notifications)
    .values({
      team_id: param('team_id'),
      actor_id: param('actor_id'),
      task_id: param('task_id'),
      kind: param('kind'),
      important: param('important'),
      priority: 0,
      by_id: param('by_id'),
      comment_id: param('comment_id'),
      decision_request_id: param('decision_request_id'),
      escalation_id: param('escalation_id'),
      run_id: param('run_id'),
      snippet: param('snippet'),
      created_at: param('created_at'),
    })
    .returning({ notification_id: notifications.notification_id })
    .prepare('notification_insert'),
)

async function insertNotifications(
  tx: Tx,
  change: LoggedChange,
  task: Task,
  notices: readonly Notice[],
) {
  const { team_id, task_id } = task
  for (const { actor_id, kind, snippet, ...about } of notices) {
    const [created] = await insertNotification(tx).execute({
      team_id,
      actor_id,
      task_id,
      kind,
      important: isImportant(kind),
      by_id: change.actor_id,
      comment_id: about.comment_id ?? null,
      decision_request_id: about.decision_request_id ?? null,
      escalation_id: about.escalation_id ?? null,
      run_id: about.run_id ?? null,
      snippet: snippet === undefined ? null : truncate(snippet),
      created_at: change.created_at,
    })
    const data = { ...created!, kind, task_id }
    // The change has the owner of the inbox as its actor and no place, so only they receive it.
    await append(tx, { actor_id }, change.created_at, [
      { type: 'notification.created', place: {}, data },
    ])
  }
}

/** Deletes the notifications of a deleted comment, or the unread ones of a removed reaction. */
async function withdrawNotifications(
  tx: Tx,
  change: LoggedChange,
  task: Task,
  data: ChangeData,
): Promise<void> {
  const { type, actor_id } = change
  const { comment_id, emoji } = data
  const isReactionRemoved = type === 'comment.reaction' && !data.added
  if (comment_id === undefined || !(isReactionRemoved || type === 'comment.deleted')) return
  const ofComment = and(
    eq(notifications.team_id, task.team_id),
    eq(notifications.task_id, task.task_id),
    eq(notifications.comment_id, comment_id),
  )
  const unreadReaction = and(
    eq(notifications.kind, 'reacted'),
    eq(notifications.by_id, actor_id),
    eq(notifications.snippet, emoji ?? ''),
    isNull(notifications.read_at),
  )
  await tx
    .delete(notifications)
    .where(isReactionRemoved ? and(ofComment, unreadReaction) : ofComment)
}

/**
 * Marks notifications as read that no longer need attention: those of an answered or cancelled
 * decision request, of a resolved escalation, of a run that no longer waits, and due-date reminders
 * of a task that was completed, archived or given another due date.
 */
async function markObsoleteRead(
  tx: Tx,
  change: LoggedChange,
  task: Task,
  data: ChangeData,
): Promise<void> {
  const { type, created_at } = change
  const obsolete = OBSOLETED_BY[type]?.(data, task)
  if (!obsolete) return
  await tx
    .update(notifications)
    .set({ read_at: created_at })
    .where(
      and(
        eq(notifications.team_id, task.team_id),
        eq(notifications.task_id, task.task_id),
        obsolete,
        isNull(notifications.read_at),
      ),
    )
}

const decisionRequests = ({ decision_request_id = 0 }: ChangeData) =>
  and(
    eq(notifications.kind, 'decision_requested'),
    eq(notifications.decision_request_id, decision_request_id),
  )

const waitingRuns = ({ run_id = 0 }: ChangeData) =>
  and(eq(notifications.kind, 'run_waiting'), eq(notifications.run_id, run_id))

const OBSOLETED_BY: Record<string, (data: ChangeData, task: Task) => SQL | undefined> = {
  'decision.answered': decisionRequests,
  'decision.cancelled': decisionRequests,
  'run.prompted': waitingRuns,
  'run.started': waitingRuns,
  'run.stopped': waitingRuns,
  'run.done': waitingRuns,
  'run.failed': waitingRuns,
  'escalation.resolved': ({ escalation_id = 0 }) =>
    and(eq(notifications.kind, 'escalated'), eq(notifications.escalation_id, escalation_id)),
  'task.updated': ({ changed = [] }, task) =>
    changed.includes('due_date') || !isOpen(task)
      ? inArray(notifications.kind, ['due_soon', 'overdue'])
      : undefined,
}
