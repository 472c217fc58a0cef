import { Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { findVisibleProject } from '../../../boards/projects/model/index.ts'
import { mentionedAgents, notifyAgents } from '../model/agent-mentions.ts'
import { messageRecords } from '../model/records.ts'
import { Message, Text, ThreadId } from '../model/schema.ts'
import {
  addMessages,
  checkRoom,
  emitThread,
  findMessage,
  lockThread,
  setThread,
  type Thread,
} from '../model/store.ts'
import { chatThreads } from '../model/tables.ts'

export const reply = operation({
  name: 'chat.reply',
  summary: 'Write in a thread; agents only where they were mentioned',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/chat/threads/:thread_id/messages',
    cli: { usage: 'chat reply <thread_id> <text>', example: "1 '@Helper how far are you?'" },
  },
  input: t.Object({ thread_id: ThreadId, text: { ...Text, description: 'Your message' } }),
  output: t.Object({ thread_id: ThreadId, message: Message }),
  async run({ thread_id, text }, ctx) {
    const isAgent = ctx.caller.kind === 'agent'
    const thread = isAgent
      ? await addressedThread(ctx, thread_id)
      : await lockThread(ctx, thread_id)
    checkRoom(thread, 1)
    const [number] = await addMessages(ctx, thread, [
      {
        role: isAgent ? 'agent' : 'person',
        actor_id: ctx.caller.actor_id,
        parts: [{ type: 'text', text }],
        state: 'done',
      },
    ])
    const after = await setThread(ctx, thread, { messages: number! })
    emitThread(ctx, isAgent ? after : await withMentions(ctx, after, text))
    const row = (await findMessage(ctx.tx, { thread_id, number: number! }))!
    return { thread_id, message: (await messageRecords(ctx, after, [row]))[0]! }
  },
})

async function withMentions(ctx: Context, thread: Thread, text: string): Promise<Thread> {
  const { project_id } = thread
  const project = project_id === null ? undefined : await findVisibleProject(ctx, project_id)
  if (!project) return thread
  return notifyAgents(ctx, thread, project, await mentionedAgents(ctx, project, text), text)
}

/** A thread in which the agent was mentioned, while it may still see the thread's board. */
async function addressedThread(ctx: Context, thread_id: number): Promise<Thread> {
  const { tx, caller } = ctx
  const query = tx.select().from(chatThreads).where(eq(chatThreads.thread_id, thread_id))
  const [thread] = await forUpdate(query)
  const project_id = thread?.addressed.includes(caller.actor_id) ? thread.project_id : null
  if (!thread || project_id === null || !(await findVisibleProject(ctx, project_id)))
    throw fault.notFound(
      'thread_id',
      `There is no thread ${thread_id} in which you were mentioned`,
      thread_id,
      'Take the thread_id from the event chat.message: GET /api/v1/agents/self/messages',
    )
  return thread
}
