import {
  addMessages,
  createThread,
  setThread,
} from '../../src/features/conversation/chat/model/store.ts'
import type { World } from './world.ts'

/** A thread of the owner that addressed the agent and in which a call renamed a task. */
export async function createSampleThread(
  { store, ada, bot, clock, team_id }: Pick<World, 'store' | 'ada' | 'bot' | 'clock' | 'team_id'>,
  { project_id, task_id }: { project_id: number; task_id: number },
) {
  const thread_id = await store.write(async (tx) => {
    const ctx = { tx, caller: ada.caller, now: clock.now } as never
    const about = { team_id, project_id, task_id: null, allow_writes: false }
    const thread = await createThread(ctx, { ...about, title: 'Colours' })
    await addMessages(ctx, thread, [
      {
        ...{ role: 'assistant', actor_id: null, state: 'done' },
        parts: [
          {
            ...{ type: 'call', call_id: 'call_1', tool: 'tasks_update', title: 'Rename a task' },
            ...{ input: { task_id, title: 'Draw the logo' }, writes: true, destroys: false },
            ...{ state: 'done', can_undo: true },
            undo: { steps: [{ op: 'tasks.update', input: { task_id, title: 'The logo' } }] },
          },
        ],
      },
    ])
    await setThread(ctx, thread, { messages: 1, addressed: [bot.caller.actor_id] })
    return thread.thread_id
  })
  return { thread_id }
}

export const sampleThread = (w: World) =>
  createSampleThread(w, { project_id: w.board.project_id, task_id: w.tasks.logo.task_id })
