import { type Static, Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { Fault, fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import {
  findProject,
  findVisibleProject,
  type Project,
  ProjectId,
} from '../../../boards/projects/model/index.ts'
import { locateTask } from '../../../tasks/tasks/model/index.ts'
import { type AgentMentions, mentionedAgents, notifyAgents } from '../model/agent-mentions.ts'
import { busyFrom } from '../model/answers.ts'
import { threadTitle } from '../model/rules.ts'
import { AllowWrites, TaskRef, Text, ThreadId } from '../model/schema.ts'
import { userMessage } from '../model/skill.ts'
import {
  addMessages,
  checkConcurrency,
  checkRoom,
  createThread,
  emitThread,
  endMessage,
  lastAnswer,
  lockThread,
  refuseBusy,
  requirePerson,
  setThread,
  type Thread,
} from '../model/store.ts'
import { taskRef } from './chat.ts'

/** An answer that the server generates now. */
export const StartedAnswer = t.Object({
  thread_id: ThreadId,
  title: t.String(),
  asked: t.Union([t.Integer(), t.Null()]),
  number: t.Integer(),
  /** The message is for agents only, so the model does not answer. */
  quiet: t.Boolean(),
  /** The ids of the mentioned agents. */
  agents: t.Array(t.Integer()),
  /** Calls that the person approved; they run first. */
  calls: t.Array(t.String()),
})
export type StartedAnswer = Static<typeof StartedAnswer>

export const SayInput = t.Object({
  message: Text,
  thread_id: t.Optional(ThreadId),
  project_id: t.Optional(ProjectId),
  task: t.Optional(TaskRef),
  allow_writes: t.Optional(AllowWrites),
})

/** On no surface: `POST /api/chat` starts with it. */
export const say = operation({
  name: 'chat.say',
  summary: 'Send a message in one of your threads, or start a new one',
  needs: 'tasks:write',
  on: {},
  input: SayInput,
  output: StartedAnswer,
  async run({ message, allow_writes, ...target }, ctx) {
    requirePerson(ctx)
    const { thread, project } = await threadFor(ctx, target, message)
    const mentions = await mentionedAgents(ctx, project, message)
    if (!mentions.agentsOnly) await requireModel(ctx)
    const part = await userMessage(ctx, project?.project_id, message)
    const numbers = await addMessages(ctx, thread, [
      { role: 'person', actor_id: ctx.caller.actor_id, parts: [part], state: 'done' },
      ...(mentions.agentsOnly ? [] : [ANSWERING]),
    ])
    if (project) await notifyAgents(ctx, thread, project, mentions, message)
    const after = await setThread(ctx, thread, {
      ...(allow_writes !== undefined && { allow_writes }),
      messages: numbers.at(-1)!,
      ...(mentions.agentsOnly ? IDLE : { state: 'answering', busy_until: busyFrom(ctx.now) }),
    })
    emitThread(ctx, after)
    return startedAnswer(after, { asked: numbers[0]!, number: numbers.at(-1)!, mentions })
  },
})

const ANSWERING = {
  role: 'assistant',
  actor_id: null,
  parts: [],
  state: 'answering',
} satisfies Parameters<typeof addMessages>[2][number]
const IDLE = { state: 'idle', busy_until: null } as const

interface StartOptions {
  asked: number | null
  number: number
  mentions?: AgentMentions
  calls?: string[]
}

export const startedAnswer = (
  { thread_id, title }: Thread,
  { asked, number, mentions, calls = [] }: StartOptions,
) => ({
  thread_id,
  title,
  asked,
  number,
  calls,
  quiet: mentions?.agentsOnly ?? false,
  agents: mentions?.agents.map(({ actor_id }) => actor_id) ?? [],
})

/** Throws if no model is set, or if this person has too many answers at once. */
export async function requireModel(ctx: Context): Promise<void> {
  const { model, unavailable: missing } = ctx.server.chat
  if (!model) throw new Fault('no_model', missing.message, {}, missing.hint)
  await checkConcurrency(ctx)
}

interface ThreadTarget {
  thread_id?: number
  project_id?: number
  task?: number | string
}

async function threadFor(ctx: Context, target: ThreadTarget, message: string) {
  const { project, task_id } = await resolveTarget(ctx, target)
  if (target.thread_id === undefined) {
    const thread = await createThread(ctx, {
      team_id: project?.team_id ?? null,
      project_id: project?.project_id ?? null,
      task_id: task_id ?? null,
      title: threadTitle(message),
      allow_writes: false,
    })
    return { thread, project }
  }
  const thread = await lockThread(ctx, target.thread_id)
  refuseBusy(thread)
  checkRoom(thread, 2)
  const elsewhere =
    (project && project.project_id !== thread.project_id) ||
    (task_id !== undefined && task_id !== thread.task_id)
  if (elsewhere)
    throw fault.invalid(
      target.task === undefined ? 'project_id' : 'task',
      'conflict',
      'This thread is about another board or task',
      target.task ?? target.project_id,
      'Leave project_id and task out, or start a new thread: leave thread_id out',
    )
  await declineWaiting(ctx, thread)
  const { project_id } = thread
  return {
    thread,
    project: project_id === null ? undefined : await findVisibleProject(ctx, project_id),
  }
}

async function resolveTarget(
  ctx: Context,
  { project_id, task }: ThreadTarget,
): Promise<{ project?: Project; task_id?: number }> {
  if (task !== undefined) {
    const { project, task: found } = await locateTask(ctx, {
      ...taskRef(task),
      ...(project_id !== undefined && { project_id }),
    })
    return { project, task_id: found.task_id }
  }
  return project_id === undefined ? {} : { project: await findProject(ctx, project_id) }
}

/** Declines the call that waits for approval: the person went on without it. */
async function declineWaiting(ctx: Context, thread: Thread): Promise<void> {
  const last = thread.state === 'waiting' ? await lastAnswer(ctx.tx, thread) : undefined
  if (last?.state === 'waiting') await endMessage(ctx, last, { state: 'done' })
}
