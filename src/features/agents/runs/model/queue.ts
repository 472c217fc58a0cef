import { and, eq, ne } from 'drizzle-orm'
import { plainOf } from '../../../../content/index.ts'
import { type Change, emitInto, type RuleCause, type Tx } from '../../../../kernel/caller.ts'
import { append, type LoggedChange } from '../../../../store/log.ts'
import { comments } from '../../../conversation/comments/model/index.ts'
import {
  type Actor,
  type ActorRow,
  actors,
  actorsOf,
} from '../../../identity/people/model/index.ts'
import { type Task, taskById } from '../../../tasks/tasks/model/index.ts'
import { agents } from '../../agents/model/index.ts'
import { canSeeBoard, exceedsCallLimit, nativesFor } from './callable-agents.ts'
import { MAX_TEXT } from './schema.ts'
import {
  type ActingAs,
  createRun,
  lockOpenRun,
  lockOpenRuns,
  moveRun,
  promptRun,
  type Run,
  type RunStart,
} from './store.ts'
import { runs } from './tables.ts'

interface ChangeData {
  actor?: Actor
  /** The mentioned actor. */
  actor_id?: number
  agent_id?: string
  user_id?: number
  comment_id?: number
  snippet?: string
  /** The names of the changed fields, or their old and new values. */
  changed?: string[] | object
  mentioned?: number[]
  skills?: { slug: string; name: string }[]
  cause?: RuleCause
}

/**
 * Creates, prompts and stops runs in response to changes, on behalf of their authors:
 *
 * | change                                | effect                                              |
 * |---------------------------------------|-----------------------------------------------------|
 * | task.assigned, to an agent            | a queued run, unless it has an open one of the task |
 * | task.mentioned, comment.mention       | the same, or a prompt of the open run               |
 * | task.unassigned                       | runs queued by the assignment stop                  |
 * | task.updated: done or archived        | queued runs stop; the agent ends a running one      |
 * | task.updated: another board           | runs move too; those whose agent cannot see it stop |
 * | comment.created by a person, that     | of the native agents on the task, else of the only  |
 * | names a skill and mentions no agent   | one of the board: the same as a mention             |
 * | agent.updated: other boards           | its open runs on boards that it cannot see stop     |
 * | agent.deactivated, .revoked and so on | its open runs stop                                  |
 * | member.removed                        | the open runs of their agents stop                  |
 *
 * An agent's changes to itself start no runs, and runs start no runs.
 */
export async function queueRuns(tx: Tx, changes: readonly LoggedChange[]): Promise<void> {
  for (const change of changes) await HANDLERS[change.type]?.(tx, change)
}

type Handler = (tx: Tx, change: LoggedChange) => Promise<void>

const HANDLERS: Record<string, Handler> = {
  'task.assigned': onCalled,
  'task.mentioned': onCalled,
  'comment.mention': onCalled,
  'comment.created': onSkillComment,
  'task.unassigned': onUnassigned,
  'task.updated': onTaskUpdated,
  'agent.updated': onAgentUpdated,
  'agent.deactivated': onAgentRetired,
  'agent.revoked': onAgentRetired,
  'agent.archived': onAgentRetired,
  'agent.deleted': onAgentRetired,
  'member.removed': onMemberRemoved,
}

/** Acts as the author of the change, and logs the resulting changes. */
async function actAs(tx: Tx, change: LoggedChange, act: (on: ActingAs) => Promise<unknown>) {
  const changes: Change[] = []
  const { actor_id: by, created_at: now } = change
  const { cause } = change.data as ChangeData
  await act({ tx, now, by, emit: emitInto(changes) })
  await append(tx, { actor_id: by, ...(cause && { cause }) }, now, changes)
}

async function onCalled(tx: Tx, change: LoggedChange): Promise<void> {
  const agent = await agentNamedIn(tx, change.data as ChangeData)
  if (!agent || agent.actor_id === change.actor_id) return
  const task = await taskOf(tx, change)
  if (task) await startOrPrompt(tx, change, task, agent)
}

async function startOrPrompt(
  tx: Tx,
  change: LoggedChange,
  task: Task,
  agent: ActorRow,
): Promise<void> {
  if (task.status !== 'Normal') return
  const assigned = change.type === 'task.assigned'
  if ((assigned && task.completed_at) || !(await canSeeBoard(tx, task, agent))) return
  const by = (await actorsOf(tx, [change.actor_id])).get(change.actor_id)
  const isAgent = by?.kind === 'agent'
  if (isAgent && (await exceedsCallLimit(tx, task, agent, change.created_at))) return
  await actAs(tx, change, async (on) => {
    const { comment_id } = change.data as ChangeData
    const prompt = assigned ? undefined : await promptFrom(tx, change.data as ChangeData)
    const start: RunStart = { origin: assigned ? 'assigned' : 'mentioned', prompt, comment_id }
    const run = await lockOpenRun(tx, task, agent.actor_id)
    const created = run ? undefined : await createRun(on, task, agent, start)
    if (created || prompt === undefined) return
    const open = run ?? (await lockOpenRun(tx, task, agent.actor_id))
    if (open) await promptRun(on, task, open, prompt, comment_id)
  })
}

/** A comment that names a skill and mentions no agent goes to the native agents on the task. */
async function onSkillComment(tx: Tx, change: LoggedChange): Promise<void> {
  const { skills, mentioned = [] } = change.data as ChangeData
  if (!skills?.length) return
  const named = [...(await actorsOf(tx, [change.actor_id, ...mentioned])).values()]
  if (named.some(({ kind }) => kind === 'agent')) return
  const task = await taskOf(tx, change)
  for (const agent of task ? await nativesFor(tx, task) : [])
    await startOrPrompt(tx, change, task!, agent)
}

const taskOf = async (tx: Tx, { task_id }: LoggedChange): Promise<Task | undefined> =>
  task_id === null ? undefined : taskById(tx, task_id)

/** The agent that a change names; undefined if it names a person. */
async function agentNamedIn(tx: Tx, { actor, actor_id, agent_id }: ChangeData) {
  const uuid = actor?.agent_id ?? agent_id
  const [row] =
    actor_id !== undefined
      ? (await actorsOf(tx, [actor_id])).values()
      : uuid === undefined
        ? []
        : await tx.select().from(actors).where(eq(actors.agent_id, uuid))
  return row?.kind === 'agent' ? row : undefined
}

/**
 * The plain text of the comment; the snippet if the comment is gone or the change is of a
 * description.
 */
async function promptFrom(
  tx: Tx,
  { comment_id, snippet, skills }: ChangeData,
): Promise<string | undefined> {
  const [comment] =
    comment_id === undefined
      ? []
      : await tx.select().from(comments).where(eq(comments.comment_id, comment_id))
  const text = comment ? plainOf(comment.text, comment.content_type) : snippet
  // The body of a skill is left out; the agent reads it with svc_skills get.
  const onCalled = skills?.map(({ slug, name }) => `\n\n(@${slug} is the skill ${name})`).join('')
  const room = MAX_TEXT - (onCalled?.length ?? 0)
  return text ? text.slice(0, room).toWellFormed() + (onCalled ?? '') : undefined
}

async function onUnassigned(tx: Tx, change: LoggedChange): Promise<void> {
  const agent = await agentNamedIn(tx, change.data as ChangeData)
  const task = agent && (await taskOf(tx, change))
  if (!task) return
  const { team_id, task_id } = task
  const queued = await lockOpenRuns(tx, team_id, { task_id, actor_id: agent.actor_id }, ['queued'])
  const assigned = queued.filter(({ origin }) => origin === 'assigned')
  await stopAll(tx, change, assigned, 'The agent was unassigned')
}

async function onTaskUpdated(tx: Tx, change: LoggedChange): Promise<void> {
  const { changed = [] } = change.data as ChangeData
  if (!Array.isArray(changed) || !changed.some((field) => WATCHED_FIELDS.has(field))) return
  const task = await taskOf(tx, change)
  if (!task) return
  const { team_id, task_id, status, completed_at } = task
  if (changed.includes('project_id')) await followTask(tx, change, task)
  if (!changed.includes('section_id') && !changed.includes('status')) return
  const reason = STOP_REASONS[status] ?? (completed_at ? 'The task was completed' : undefined)
  if (reason)
    await stopAll(tx, change, await lockOpenRuns(tx, team_id, { task_id }, ['queued']), reason)
}

/** Moves the runs of a task to its new board, and stops those whose agent cannot see it. */
async function followTask(tx: Tx, change: LoggedChange, task: Task): Promise<void> {
  const { team_id, task_id, project_id } = task
  const own = and(eq(runs.team_id, team_id), eq(runs.task_id, task_id))
  await tx
    .update(runs)
    .set({ project_id })
    .where(and(own, ne(runs.project_id, project_id)))
  const hidden: Run[] = []
  for (const run of await lockOpenRuns(tx, team_id, { task_id }))
    if (!(await canSeeBoard(tx, task, run))) hidden.push(run)
  await stopAll(tx, change, hidden, 'The agent has no access to the new board of the task')
}

const WATCHED_FIELDS = new Set(['project_id', 'section_id', 'status'])

const STOP_REASONS: Record<string, string | undefined> = {
  Archive: 'The task was archived',
  Deleted: 'The task was deleted',
}

/** Stops the runs of an agent on boards that it can no longer see. */
async function onAgentUpdated(tx: Tx, change: LoggedChange): Promise<void> {
  const { changed = {} } = change.data as ChangeData
  const agent =
    'project_ids' in changed ? await agentNamedIn(tx, change.data as ChangeData) : undefined
  if (!agent || change.team_id === null) return
  const hidden: Run[] = []
  for (const run of await lockOpenRuns(tx, change.team_id, { actor_id: agent.actor_id }))
    if (!(await canSeeBoard(tx, run, run))) hidden.push(run)
  await stopAll(tx, change, hidden, 'The agent no longer has access to the board')
}

async function onAgentRetired(tx: Tx, change: LoggedChange): Promise<void> {
  const agent = await agentNamedIn(tx, change.data as ChangeData)
  if (!agent || change.team_id === null) return
  const open = await lockOpenRuns(tx, change.team_id, { actor_id: agent.actor_id })
  await stopAll(tx, change, open, `The agent was ${change.type.split('.')[1]}`)
}

/** Stops the runs of agents whose owner left the team. */
async function onMemberRemoved(tx: Tx, change: LoggedChange): Promise<void> {
  const { team_id } = change
  const { user_id } = change.data as ChangeData
  if (team_id === null || user_id === undefined) return
  const own = await tx
    .select({ actor_id: agents.actor_id })
    .from(agents)
    .where(and(eq(agents.team_id, team_id), eq(agents.owner_id, user_id)))
  for (const agent of own)
    await stopAll(tx, change, await lockOpenRuns(tx, team_id, agent), 'Its owner left the team')
}

async function stopAll(tx: Tx, change: LoggedChange, stopped: readonly Run[], reason: string) {
  await actAs(tx, change, async (on) => {
    for (const run of stopped) {
      const task = await taskById(tx, run.task_id)
      await moveRun(on, task!, run, { state: 'stopped', reason })
    }
  })
}
