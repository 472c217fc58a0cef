import { and, asc, eq } from 'drizzle-orm'
import { truncate } from '../../../../content/index.ts'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import {
  findProject,
  findVisibleProject,
  type Project,
  placeOf,
} from '../../../boards/projects/model/index.ts'
import { boardActors, findBoardActor } from '../../../identity/members/model/index.ts'
import { type ActorRow, actorsOf } from '../../../identity/people/model/index.ts'
import { assigneesOf } from '../../../tasks/assignees/model/index.ts'
import { type Located, type Task, tasks } from '../../../tasks/tasks/model/index.ts'
import { checkOptions } from './rules.ts'
import { decisionRequests } from './tables.ts'

export type DecisionRow = typeof decisionRequests.$inferSelect
type Ticket = Pick<Task, 'ticket_number' | 'project_id'>
export interface Found {
  request: DecisionRow
  task: Ticket
  project: Project
}

export interface NewDecision {
  question: string
  options: string[]
  note?: string
  user_ids?: number[]
}

/** Creates a decision request about a task. */
export async function createDecision(ctx: Context, located: Located, draft: NewDecision) {
  const { task, project } = located
  const { question, options, note = null, user_ids } = draft
  if (!question.trim())
    throw fault.invalid('question', 'required', 'question must not be empty', question)
  checkOptions(options)
  const people = user_ids
    ? await named(ctx, project, user_ids)
    : await defaultDeciders(ctx, located)
  const recipients = people.map(({ actor_id }) => actor_id)
  const { team_id, task_id, ticket_number } = task
  const [request] = await ctx.tx
    .insert(decisionRequests)
    .values({
      team_id,
      task_id,
      question,
      options,
      note,
      asked: recipients,
      status: 'pending',
      created_by: ctx.caller.actor_id,
      created_at: ctx.now,
    })
    .returning()
  const { decision_request_id } = request!
  ctx.emit(
    'decision.requested',
    { ...placeOf(project), task_id },
    { decision_request_id, ticket_number, question: truncate(question), asked: recipients },
  )
  return { decision_request_id, people }
}

async function named(ctx: Context, project: Project, ids: readonly number[]) {
  const found: ActorRow[] = []
  for (const id of new Set(ids)) found.push(await findBoardActor(ctx, project, id, 'user_ids'))
  return found
}

/**
 * The default deciders: the other people assigned; otherwise the person who created the task, or
 * else the person responsible for the author.
 */
async function defaultDeciders(ctx: Context, { task, project }: Located): Promise<ActorRow[]> {
  const { tx, caller } = ctx
  const onBoard = new Set((await boardActors(ctx, project)).map(({ actor_id }) => actor_id))
  const others = ({ kind, actor_id }: ActorRow) =>
    kind === 'person' && actor_id !== caller.actor_id && onBoard.has(actor_id)
  const assigned = (await assigneesOf(tx, task)).filter(others)
  if (assigned.length) return assigned
  const known = await actorsOf(tx, [task.created_by, caller.person_id])
  const creator = known.get(task.created_by)!
  return [others(creator) ? creator : known.get(caller.person_id)!]
}

/**
 * Loads a request if the caller can see the board of its task and has the scope that the operation
 * needs there.
 */
export async function findDecision(ctx: Context, decision_request_id: number): Promise<Found> {
  const [found] = await ctx.tx
    .select({
      request: decisionRequests,
      task: { ticket_number: tasks.ticket_number, project_id: tasks.project_id },
    })
    .from(decisionRequests)
    .innerJoin(tasks, eq(tasks.task_id, decisionRequests.task_id))
    .where(eq(decisionRequests.decision_request_id, decision_request_id))
  if (!found || !(await findVisibleProject(ctx, found.task.project_id)))
    throw fault.notFound(
      'decision_request_id',
      `There is no decision request ${decision_request_id} that you can see`,
      decision_request_id,
      'List them: svc_decision_requests list, or GET /api/v1/decision-requests',
    )
  return { ...found, project: await findProject(ctx, found.task.project_id) }
}

const selectPending = prepared((tx) =>
  tx
    .select()
    .from(decisionRequests)
    .where(
      and(
        eq(decisionRequests.team_id, param('team_id')),
        eq(decisionRequests.task_id, param('task_id')),
        eq(decisionRequests.status, 'pending'),
      ),
    )
    .orderBy(asc(decisionRequests.created_at), asc(decisionRequests.decision_request_id))
    .prepare('decision_requests_pending'),
)

/** The pending requests of a task, oldest first. */
export const pendingDecisions = (
  tx: Tx,
  { team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>,
): Promise<DecisionRow[]> => selectPending(tx).execute({ team_id, task_id })
