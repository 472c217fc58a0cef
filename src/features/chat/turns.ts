import { type Static, Type as t } from '@sinclair/typebox'
import type { Context } from '../../kernel/caller.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { operation } from '../../kernel/operation.ts'
import { findProject, type Project, ProjectId, seenProject } from '../projects/index.ts'
import { locateTask } from '../tasks/index.ts'
import { type Addressed, address, agentsIn } from './addressed.ts'
import { busyFrom } from './keep.ts'
import { taskNamed } from './operations.ts'
import { titleOf } from './rules.ts'
import { AllowWrites, TaskRef, Text, ThreadId } from './schema.ts'
import { saidWith } from './skill.ts'
import {
  addMessages,
  checkAtOnce,
  checkRoom,
  endMessage,
  heldThread,
  lastAnswer,
  openThread,
  peopleOnly,
  refuseBusy,
  setThread,
  type Thread,
  tell,
} from './store.ts'

/** An answer that is to be given now. */
export const Begun = t.Object({
  thread_id: ThreadId,
  title: t.String(),
  asked: t.Union([t.Integer(), t.Null()]),
  number: t.Integer(),
  /** Nobody but agents was spoken to, so that the model keeps quiet. */
  quiet: t.Boolean(),
  /** Numbers of the agents that were spoken to. */
  agents: t.Array(t.Integer()),
  /** Calls that were allowed, and are made first. */
  calls: t.Array(t.String()),
})
export type Begun = Static<typeof Begun>

export const SayInput = t.Object({
  message: Text,
  thread_id: t.Optional(ThreadId),
  project_id: t.Optional(ProjectId),
  task: t.Optional(TaskRef),
  allow_writes: t.Optional(AllowWrites),
})

/** Not an operation for itself: `POST /api/chat` begins with it. */
export const say = operation({
  name: 'chat.say',
  summary: 'Say something in a thread of yours, or begin one with it',
  needs: 'tasks:write',
  on: {},
  input: SayInput,
  output: Begun,
  async run({ message, allow_writes, ...named }, ctx) {
    peopleOnly(ctx)
    const { thread, project } = await threadFor(ctx, named, message)
    const whom = await agentsIn(ctx, project, message)
    if (!whom.alone) await mustBeAnswered(ctx)
    const said = await saidWith(ctx, project?.project_id, message)
    const numbers = await addMessages(ctx, thread, [
      { role: 'person', actor_id: ctx.caller.actor_id, parts: [said], state: 'done' },
      ...(whom.alone ? [] : [ANSWERING]),
    ])
    if (project) await address(ctx, thread, project, whom, message)
    const after = await setThread(ctx, thread, {
      ...(allow_writes !== undefined && { allow_writes }),
      messages: numbers.at(-1)!,
      ...(whom.alone ? IDLE : { state: 'answering', busy_until: busyFrom(ctx.now) }),
    })
    tell(ctx, after)
    return begun(after, { asked: numbers[0]!, number: numbers.at(-1)!, whom })
  },
})

const ANSWERING = {
  role: 'assistant',
  actor_id: null,
  parts: [],
  state: 'answering',
} satisfies Parameters<typeof addMessages>[2][number]
const IDLE = { state: 'idle', busy_until: null } as const

interface Begins {
  asked: number | null
  number: number
  whom?: Addressed
  calls?: string[]
}

export const begun = (
  { thread_id, title }: Thread,
  { asked, number, whom, calls = [] }: Begins,
) => ({
  ...{ thread_id, title, asked, number, calls },
  quiet: whom?.alone ?? false,
  agents: whom?.agents.map(({ actor_id }) => actor_id) ?? [],
})

/** Refuses where no model answers, or where it answers this person often enough just now. */
export async function mustBeAnswered(ctx: Context): Promise<void> {
  const { model, missing } = ctx.server.chat
  if (!model) throw new Fault('no_model', missing.message, {}, missing.hint)
  await checkAtOnce(ctx)
}

interface Named {
  thread_id?: number
  project_id?: number
  task?: number | string
}

async function threadFor(ctx: Context, named: Named, message: string) {
  const { project, task_id } = await placeFor(ctx, named)
  if (named.thread_id === undefined) {
    const thread = await openThread(ctx, {
      ...{ team_id: project?.team_id ?? null, project_id: project?.project_id ?? null },
      ...{ task_id: task_id ?? null, title: titleOf(message), allow_writes: false },
    })
    return { thread, project }
  }
  const thread = await heldThread(ctx, named.thread_id)
  refuseBusy(thread)
  checkRoom(thread, 2)
  const elsewhere =
    (project && project.project_id !== thread.project_id) ||
    (task_id !== undefined && task_id !== thread.task_id)
  if (elsewhere)
    throw fault.invalid(
      named.task === undefined ? 'project_id' : 'task',
      'conflict',
      'This thread is about something else',
      named.task ?? named.project_id,
      'Leave project_id and task out, or begin another thread: leave thread_id out',
    )
  await moveOn(ctx, thread)
  const { project_id } = thread
  return { thread, project: project_id === null ? undefined : await seenProject(ctx, project_id) }
}

async function placeFor(
  ctx: Context,
  { project_id, task }: Named,
): Promise<{ project?: Project; task_id?: number }> {
  if (task !== undefined) {
    const { project, task: found } = await locateTask(ctx, {
      ...taskNamed(task),
      ...(project_id !== undefined && { project_id }),
    })
    return { project, task_id: found.task_id }
  }
  return project_id === undefined ? {} : { project: await findProject(ctx, project_id) }
}

/** What waited for a yes waits no more. */
async function moveOn(ctx: Context, thread: Thread): Promise<void> {
  const last = thread.state === 'waiting' ? await lastAnswer(ctx.tx, thread) : undefined
  if (last?.state === 'waiting') await endMessage(ctx, last, { state: 'done' })
}
