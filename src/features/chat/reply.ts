import { Type as t } from '@sinclair/typebox'
import { eq } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { operation } from '../../kernel/operation.ts'
import { held } from '../../store/columns.ts'
import { seenProject } from '../projects/index.ts'
import { address, agentsIn } from './addressed.ts'
import { Message, Text, ThreadId } from './schema.ts'
import { shownMessages } from './shown.ts'
import {
  addMessages,
  checkRoom,
  heldThread,
  messageAt,
  setThread,
  type Thread,
  tell,
} from './store.ts'
import { chatThreads } from './tables.ts'

export const reply = operation({
  name: 'chat.reply',
  summary: 'Write into a thread; as an agent, where it was addressed',
  needs: 'tasks:write',
  on: {
    rest: 'POST /api/chat/threads/:thread_id/messages',
    cli: 'chat reply <thread_id> <text>',
  },
  input: t.Object({ thread_id: ThreadId, text: { ...Text, description: 'What you say' } }),
  output: t.Object({ thread_id: ThreadId, message: Message }),
  async run({ thread_id, text }, ctx) {
    const isAgent = ctx.caller.kind === 'agent'
    const thread = isAgent
      ? await addressedThread(ctx, thread_id)
      : await heldThread(ctx, thread_id)
    checkRoom(thread, 1)
    const [number] = await addMessages(ctx, thread, [
      {
        ...{ role: isAgent ? 'agent' : 'person', actor_id: ctx.caller.actor_id },
        ...{ parts: [{ type: 'text', text }], state: 'done' },
      },
    ])
    const after = await setThread(ctx, thread, { messages: number! })
    tell(ctx, isAgent ? after : await addressing(ctx, after, text))
    const row = (await messageAt(ctx.tx, { thread_id, number: number! }))!
    return { thread_id, message: (await shownMessages(ctx, after, [row]))[0]! }
  },
})

async function addressing(ctx: Context, thread: Thread, text: string): Promise<Thread> {
  const { project_id } = thread
  const project = project_id === null ? undefined : await seenProject(ctx, project_id)
  if (!project) return thread
  return address(ctx, thread, project, await agentsIn(ctx, project, text), text)
}

/** One that somebody spoke to the agent in, as long as it may see what that is about. */
async function addressedThread(ctx: Context, thread_id: number): Promise<Thread> {
  const { tx, caller } = ctx
  const wanted = tx.select().from(chatThreads).where(eq(chatThreads.thread_id, thread_id))
  const [thread] = await held(wanted)
  const project_id = thread?.addressed.includes(caller.actor_id) ? thread.project_id : null
  if (!thread || project_id === null || !(await seenProject(ctx, project_id)))
    throw fault.notFound(
      'thread_id',
      `Nobody speaks to you in a thread ${thread_id}`,
      thread_id,
      'The event chat.message names its thread: GET /api/v1/agents/self/messages',
    )
  return thread
}
