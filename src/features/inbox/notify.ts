import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import { briefly } from '../../content/index.ts'
import type { Tx } from '../../kernel/caller.ts'
import { append, type Logged } from '../../store/log.ts'
import { param, prepared } from '../../store/prepared.ts'
import { boardActors } from '../members/index.ts'
import { notifications } from '../notifications/index.ts'
import { type Actor, actors } from '../people/index.ts'
import { projects } from '../projects/index.ts'
import { isOpen, tasks, type Task as Whole } from '../tasks/index.ts'
import { type Around, isImportant, isTold, type Notice, noticesOf, type Said } from './rules.ts'

type Task = Pick<Whole, 'task_id' | 'team_id' | 'project_id' | 'status' | 'completed_at'>

/** Creates inbox notifications for everyone a change concerns and who can see its task. */
export async function notify(tx: Tx, changes: readonly Logged[]): Promise<void> {
  const telling = changes.filter((change) => change.task_id !== null && isTold(change))
  if (!telling.length) return
  const about = await tasksOf(tx, telling)
  const seers = new Seers(tx)
  for (const change of telling) {
    const task = about.get(change.task_id!)
    if (!task) continue
    const said = change.data as Said
    await withdraw(tx, change, task, said)
    await settle(tx, change, task, said)
    const happening = { type: change.type, actor_id: change.actor_id, said }
    const notices = noticesOf(happening, await around(tx, change))
    if (!notices.length) continue
    const seeing = await seers.of(task)
    await tell(
      tx,
      change,
      task,
      notices.filter(({ actor_id }) => seeing.has(actor_id)),
    )
  }
}

async function tasksOf(tx: Tx, changes: readonly Logged[]): Promise<Map<number, Task>> {
  const ids = [...new Set(changes.map(({ task_id }) => task_id!))]
  const { task_id, team_id, project_id, status, completed_at } = tasks
  const rows = await tx
    .select({ task_id, team_id, project_id, status, completed_at })
    .from(tasks)
    .where(inArray(task_id, ids))
  return new Map(rows.map((task) => [task.task_id, task]))
}

/** Who can see a board, asked once however many changes were made on it. */
class Seers {
  private readonly known = new Map<number, ReadonlySet<number>>()

  constructor(private readonly tx: Tx) {}

  async of({ project_id }: Task): Promise<ReadonlySet<number>> {
    const before = this.known.get(project_id)
    if (before) return before
    const { tx } = this
    const [project] = await tx.select().from(projects).where(eq(projects.project_id, project_id))
    const ids = new Set((await boardActors({ tx }, project!)).map(({ actor_id }) => actor_id))
    this.known.set(project_id, ids)
    return ids
  }
}

/** The recipients at the time of the change; later the task may have other assignees. */
async function around(tx: Tx, { data, recipients }: Logged): Promise<Around> {
  const { actor } = data as { actor?: Actor }
  const assignee = actor && (await numberOf(tx, actor))
  return { participants: [], ...recipients, assignee }
}

async function numberOf(tx: Tx, { user_id, agent_id }: Actor): Promise<number | undefined> {
  if (user_id !== undefined || agent_id === undefined) return user_id
  const [agent] = await tx.select().from(actors).where(eq(actors.agent_id, agent_id))
  return agent?.actor_id
}

const inserts = prepared((tx) =>
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

async function tell(tx: Tx, change: Logged, task: Task, notices: readonly Notice[]) {
  const { team_id, task_id } = task
  for (const { actor_id, kind, snippet, ...about } of notices) {
    const [made] = await inserts(tx).execute({
      ...{ team_id, actor_id, task_id, kind },
      important: isImportant(kind),
      by_id: change.actor_id,
      comment_id: about.comment_id ?? null,
      decision_request_id: about.decision_request_id ?? null,
      escalation_id: about.escalation_id ?? null,
      run_id: about.run_id ?? null,
      snippet: snippet === undefined ? null : briefly(snippet),
      created_at: change.created_at,
    })
    const data = { ...made!, kind, task_id }
    // In the name of its owner and at no place: nobody else hears of what comes into an inbox.
    await append(tx, { actor_id }, change.created_at, [
      { type: 'notification.created', place: {}, data },
    ])
  }
}

/** What was taken back is no news any more: a comment, or a reaction that nobody saw yet. */
async function withdraw(tx: Tx, change: Logged, task: Task, said: Said): Promise<void> {
  const { type, actor_id } = change
  const { comment_id, emoji } = said
  const reaction = type === 'comment.reaction' && !said.added
  if (comment_id === undefined || !(reaction || type === 'comment.deleted')) return
  const its = and(
    eq(notifications.team_id, task.team_id),
    eq(notifications.task_id, task.task_id),
    eq(notifications.comment_id, comment_id),
  )
  const unseen = and(
    eq(notifications.kind, 'reacted'),
    eq(notifications.by_id, actor_id),
    eq(notifications.snippet, emoji ?? ''),
    isNull(notifications.read_at),
  )
  await tx.delete(notifications).where(reaction ? and(its, unseen) : its)
}

/**
 * Nobody need look any more at a question that is answered, at a call that was heard, or at a date
 * that is met or is another one now.
 */
async function settle(tx: Tx, change: Logged, task: Task, said: Said): Promise<void> {
  const { type, created_at } = change
  const asked = SETTLED[type]?.(said, task)
  if (!asked) return
  await tx
    .update(notifications)
    .set({ read_at: created_at })
    .where(
      and(
        eq(notifications.team_id, task.team_id),
        eq(notifications.task_id, task.task_id),
        asked,
        isNull(notifications.read_at),
      ),
    )
}

const decided = ({ decision_request_id = 0 }: Said) =>
  and(
    eq(notifications.kind, 'decision_requested'),
    eq(notifications.decision_request_id, decision_request_id),
  )

const SETTLED: Record<string, (said: Said, task: Task) => SQL | undefined> = {
  'decision.answered': decided,
  'decision.cancelled': decided,
  'escalation.resolved': ({ escalation_id = 0 }) =>
    and(eq(notifications.kind, 'escalated'), eq(notifications.escalation_id, escalation_id)),
  'task.updated': ({ changed = [] }, task) =>
    changed.includes('due_date') || !isOpen(task)
      ? inArray(notifications.kind, ['due_soon', 'overdue'])
      : undefined,
}
