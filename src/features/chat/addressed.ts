import type { Context } from '../../kernel/caller.ts'
import { boardActors } from '../members/index.ts'
import { addressedIn } from '../mentions/index.ts'
import type { ActorRow } from '../people/index.ts'
import { type Project, placeOf } from '../projects/index.ts'
import { setThread, type Thread } from './store.ts'

export interface Addressed {
  agents: ActorRow[]
  /** It begins with the name of one, so that nobody else is meant. */
  alone: boolean
}

/** Agents that a text names with an @, of those who can see the board. */
export async function agentsIn(
  ctx: Context,
  project: Project | undefined,
  text: string,
): Promise<Addressed> {
  if (!project || !text.includes('@')) return { agents: [], alone: false }
  const everybody = await boardActors(ctx, project)
  const agents = addressedIn(
    text,
    everybody.filter(({ kind }) => kind === 'agent'),
  )
  const first = text.trimStart().toLowerCase()
  const alone = agents.some(({ name }) => begins(first, `@${name.toLowerCase()}`))
  return { agents, alone }
}

/** With all of a name, and not with a longer one. */
const begins = (text: string, name: string) =>
  text.startsWith(name) && !/^[\p{L}\p{N}_]/u.test(text.slice(name.length))

/** Each is told, and may answer in the thread from now on. */
export async function address(
  ctx: Context,
  thread: Thread,
  project: Project,
  { agents }: Addressed,
  text: string,
): Promise<Thread> {
  const { thread_id } = thread
  for (const { agent_id } of agents)
    ctx.emit('chat.message', placeOf(project), { agent_id, thread_id, text })
  const addressed = new Set([...thread.addressed, ...agents.map(({ actor_id }) => actor_id)])
  return addressed.size === thread.addressed.length
    ? thread
    : setThread(ctx, thread, { addressed: [...addressed] })
}
