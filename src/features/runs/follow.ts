import { and, eq, ne } from 'drizzle-orm'
import { plainOf } from '../../content/index.ts'
import { type Change, emitInto, type Tx } from '../../kernel/caller.ts'
import { append, type Logged } from '../../store/log.ts'
import { agents } from '../agents/index.ts'
import { comments } from '../comments/index.ts'
import { type Actor, type ActorRow, actors, actorsOf } from '../people/index.ts'
import { type Task, taskById } from '../tasks/index.ts'
import { isCalledTooOften, nativesFor, sees } from './board.ts'
import { MOST_TEXT } from './schema.ts'
import {
  type Acting,
  type Beginning,
  moveRun,
  openRun,
  openRunOf,
  openRuns,
  promptRun,
  type Run,
} from './store.ts'
import { runs } from './tables.ts'

interface Said {
  actor?: Actor
  /** The actor that a mention names. */
  actor_id?: number
  agent_id?: string
  user_id?: number
  comment_id?: number
  snippet?: string
  /** Names of fields, or what each was and is. */
  changed?: string[] | object
  mentioned?: number[]
  skills?: { slug: string; name: string }[]
}

/**
 * What agents are called to becomes runs, in the name of whoever called:
 *
 * | change                                | what becomes of it                                  |
 * |---------------------------------------|-----------------------------------------------------|
 * | task.assigned, to an agent            | a queued run, unless it has an open one of the task |
 * | task.mentioned, comment.mention       | the same, or a prompt of the open one               |
 * | task.unassigned                       | what is queued since it was assigned stops          |
 * | task.updated: done or put away        | what is queued stops; its agent ends what runs      |
 * | task.updated: another board           | runs go along; of who cannot see it, they stop      |
 * | comment.created by a person, that     | of the native agents on the task, else of the only  |
 * | names a skill and mentions no agent   | one of the board: the same as a mention             |
 * | agent.updated: other boards           | what is open on a board it sees no more stops       |
 * | agent.deactivated, .revoked and so on | what is open stops                                  |
 * | member.removed                        | what is open of their agents stops                  |
 *
 * What an agent does to itself calls nobody, and runs call no runs.
 */
export async function queueRuns(tx: Tx, changes: readonly Logged[]): Promise<void> {
  for (const change of changes) await HANDLERS[change.type]?.(tx, change)
}

type Handler = (tx: Tx, change: Logged) => Promise<void>

const HANDLERS: Record<string, Handler> = {
  'task.assigned': called,
  'task.mentioned': called,
  'comment.mention': called,
  'comment.created': skilled,
  'task.unassigned': dismissed,
  'task.updated': moved,
  'agent.updated': narrowed,
  'agent.deactivated': retired,
  'agent.revoked': retired,
  'agent.archived': retired,
  'agent.deleted': retired,
  'member.removed': orphaned,
}

/** Does something in the name of whoever made the change, and tells of it after that. */
async function inNameOf(tx: Tx, change: Logged, act: (on: Acting) => Promise<unknown>) {
  const told: Change[] = []
  const { actor_id: by, created_at: now } = change
  await act({ tx, now, by, emit: emitInto(told) })
  await append(tx, { actor_id: by }, now, told)
}

async function called(tx: Tx, change: Logged): Promise<void> {
  const agent = await namedIn(tx, change.data as Said)
  if (!agent || agent.actor_id === change.actor_id) return
  const task = await taskOf(tx, change)
  if (task) await callTo(tx, change, task, agent)
}

async function callTo(tx: Tx, change: Logged, task: Task, agent: ActorRow): Promise<void> {
  if (task.status !== 'Normal') return
  const assigned = change.type === 'task.assigned'
  if ((assigned && task.completed_at) || !(await sees(tx, task, agent))) return
  const by = (await actorsOf(tx, [change.actor_id])).get(change.actor_id)
  const isAgent = by?.kind === 'agent'
  if (isAgent && (await isCalledTooOften(tx, task, agent, change.created_at))) return
  await inNameOf(tx, change, async (on) => {
    const { comment_id } = change.data as Said
    const prompt = assigned ? undefined : await promptIn(tx, change.data as Said)
    const beginning: Beginning = { origin: assigned ? 'assigned' : 'mentioned', prompt, comment_id }
    const run = await openRunOf(tx, task, agent.actor_id)
    const made = run ? undefined : await openRun(on, task, agent, beginning)
    if (made || prompt === undefined) return
    const open = run ?? (await openRunOf(tx, task, agent.actor_id))
    if (open) await promptRun(on, task, open, prompt, comment_id)
  })
}

/** Nobody is mentioned, but the work has a name: it is for whoever Corkboard runs there. */
async function skilled(tx: Tx, change: Logged): Promise<void> {
  const { skills, mentioned = [] } = change.data as Said
  if (!skills?.length) return
  const named = [...(await actorsOf(tx, [change.actor_id, ...mentioned])).values()]
  if (named.some(({ kind }) => kind === 'agent')) return
  const task = await taskOf(tx, change)
  for (const agent of task ? await nativesFor(tx, task) : []) await callTo(tx, change, task!, agent)
}

const taskOf = async (tx: Tx, { task_id }: Logged): Promise<Task | undefined> =>
  task_id === null ? undefined : taskById(tx, task_id)

/** The agent that a change names; nobody where it names a person. */
async function namedIn(tx: Tx, { actor, actor_id, agent_id }: Said) {
  const uuid = actor?.agent_id ?? agent_id
  const [row] =
    actor_id !== undefined
      ? (await actorsOf(tx, [actor_id])).values()
      : uuid === undefined
        ? []
        : await tx.select().from(actors).where(eq(actors.agent_id, uuid))
  return row?.kind === 'agent' ? row : undefined
}

/** The comment in plain words; of one that is gone, and of a description, how it began. */
async function promptIn(
  tx: Tx,
  { comment_id, snippet, skills }: Said,
): Promise<string | undefined> {
  const [comment] =
    comment_id === undefined
      ? []
      : await tx.select().from(comments).where(eq(comments.comment_id, comment_id))
  const words = comment ? plainOf(comment.text, comment.content_type) : snippet
  // Its text is read where it is needed: svc_skills get.
  const called = skills?.map(({ slug, name }) => `\n\n(@${slug} is the skill ${name})`).join('')
  const room = MOST_TEXT - (called?.length ?? 0)
  return words ? words.slice(0, room).toWellFormed() + (called ?? '') : undefined
}

async function dismissed(tx: Tx, change: Logged): Promise<void> {
  const agent = await namedIn(tx, change.data as Said)
  const task = agent && (await taskOf(tx, change))
  if (!task) return
  const { team_id, task_id } = task
  const queued = await openRuns(tx, team_id, { task_id, actor_id: agent.actor_id }, ['queued'])
  const since = queued.filter(({ origin }) => origin === 'assigned')
  await stopAll(tx, change, since, 'The agent was unassigned')
}

async function moved(tx: Tx, change: Logged): Promise<void> {
  const { changed = [] } = change.data as Said
  if (!Array.isArray(changed) || !changed.some((field) => MATTERS.has(field))) return
  const task = await taskOf(tx, change)
  if (!task) return
  const { team_id, task_id, status, completed_at } = task
  if (changed.includes('project_id')) await taken(tx, change, task)
  if (!changed.includes('section_id') && !changed.includes('status')) return
  const why = WHY[status] ?? (completed_at ? 'The task was finished' : undefined)
  if (why) await stopAll(tx, change, await openRuns(tx, team_id, { task_id }, ['queued']), why)
}

/** To its new board, as far as the agents can see that. */
async function taken(tx: Tx, change: Logged, task: Task): Promise<void> {
  const { team_id, task_id, project_id } = task
  const own = and(eq(runs.team_id, team_id), eq(runs.task_id, task_id))
  await tx
    .update(runs)
    .set({ project_id })
    .where(and(own, ne(runs.project_id, project_id)))
  const left: Run[] = []
  for (const run of await openRuns(tx, team_id, { task_id }))
    if (!(await sees(tx, task, run))) left.push(run)
  await stopAll(tx, change, left, 'The agent cannot see the board that the task went to')
}

const MATTERS = new Set(['project_id', 'section_id', 'status'])

const WHY: Record<string, string | undefined> = {
  Archive: 'The task was archived',
  Deleted: 'The task was deleted',
}

/** Confined to other boards, it works on those that it had no more. */
async function narrowed(tx: Tx, change: Logged): Promise<void> {
  const { changed = {} } = change.data as Said
  const agent = 'project_ids' in changed ? await namedIn(tx, change.data as Said) : undefined
  if (!agent || change.team_id === null) return
  const left: Run[] = []
  for (const run of await openRuns(tx, change.team_id, { actor_id: agent.actor_id }))
    if (!(await sees(tx, run, run))) left.push(run)
  await stopAll(tx, change, left, 'The agent cannot see the board any more')
}

async function retired(tx: Tx, change: Logged): Promise<void> {
  const agent = await namedIn(tx, change.data as Said)
  if (!agent || change.team_id === null) return
  const open = await openRuns(tx, change.team_id, { actor_id: agent.actor_id })
  await stopAll(tx, change, open, `The agent was ${change.type.split('.')[1]}`)
}

/** Agents of whoever leaves are not let in any more. */
async function orphaned(tx: Tx, change: Logged): Promise<void> {
  const { team_id } = change
  const { user_id } = change.data as Said
  if (team_id === null || user_id === undefined) return
  const own = await tx
    .select({ actor_id: agents.actor_id })
    .from(agents)
    .where(and(eq(agents.team_id, team_id), eq(agents.owner_id, user_id)))
  for (const agent of own)
    await stopAll(tx, change, await openRuns(tx, team_id, agent), 'Its owner left the team')
}

async function stopAll(tx: Tx, change: Logged, some: readonly Run[], reason: string) {
  await inNameOf(tx, change, async (on) => {
    for (const run of some) {
      const task = await taskById(tx, run.task_id)
      await moveRun(on, task!, run, { state: 'stopped', reason })
    }
  })
}
