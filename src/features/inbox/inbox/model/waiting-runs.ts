import { and, eq, gte, inArray, isNull, max } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { runEntries, runs } from '../../../agents/runs/model/index.ts'
import type { Task } from '../../../tasks/tasks/model/index.ts'
import { type Kind, notifications } from '../../notifications/model/index.ts'
import type { Notice } from './rules.ts'

/*
 * An agent that waits for an answer often asks in a comment, too. Its person gets one notification
 * of both.
 */

type TaskKey = Pick<Task, 'team_id' | 'task_id'>

/** Kinds that ask for an answer themselves. */
const ASKING: readonly Kind[] = ['escalated', 'decision_requested', 'mentioned', 'replied']

const isOfAgent = ({ team_id, task_id }: TaskKey, { actor_id }: LoggedChange) =>
  and(
    eq(notifications.team_id, team_id),
    eq(notifications.task_id, task_id),
    eq(notifications.by_id, actor_id),
  )

/** Leaves out those whom the agent has asked since its run was last prompted. */
export async function notYetAsked(
  tx: Tx,
  change: LoggedChange,
  task: TaskKey,
  notices: readonly Notice[],
): Promise<readonly Notice[]> {
  const run_id = notices[0]?.run_id
  if (change.type !== 'run.waiting' || run_id === undefined) return notices
  const sincePrompt = and(
    isOfAgent(task, change),
    gte(notifications.created_at, await lastPromptAt(tx, task.team_id, run_id)),
  )
  const questions = await tx
    .select({ actor_id: notifications.actor_id })
    .from(notifications)
    .where(and(sincePrompt, inArray(notifications.kind, [...ASKING])))
  const ids = new Set(questions.map(({ actor_id }) => actor_id))
  const left = notices.filter(({ actor_id }) => !ids.has(actor_id))
  await markRead(tx, change, left, and(sincePrompt, eq(notifications.kind, 'commented')))
  return left
}

/** What the agent asks after its run began to wait replaces the notification of the run. */
export async function replaceWaiting(
  tx: Tx,
  change: LoggedChange,
  task: TaskKey,
  notices: readonly Notice[],
): Promise<void> {
  const newQuestions = notices.filter(({ kind }) => ASKING.includes(kind))
  const waiting = and(isOfAgent(task, change), eq(notifications.kind, 'run_waiting'))
  await markRead(tx, change, newQuestions, waiting)
}

async function markRead(
  tx: Tx,
  { created_at: read_at }: LoggedChange,
  of: readonly Notice[],
  condition: ReturnType<typeof and>,
): Promise<void> {
  if (!of.length) return
  const ids = of.map(({ actor_id }) => actor_id)
  const unread = and(inArray(notifications.actor_id, ids), isNull(notifications.read_at))
  await tx.update(notifications).set({ read_at }).where(and(condition, unread))
}

async function lastPromptAt(tx: Tx, team_id: number, run_id: number): Promise<Date> {
  const [run] = await tx
    .select({ created_at: runs.created_at })
    .from(runs)
    .where(eq(runs.run_id, run_id))
  const [prompt] = await tx
    .select({ at: max(runEntries.at) })
    .from(runEntries)
    .where(
      and(
        eq(runEntries.team_id, team_id),
        eq(runEntries.run_id, run_id),
        eq(runEntries.kind, 'prompt'),
      ),
    )
  return prompt?.at ?? run?.created_at ?? new Date(0)
}
