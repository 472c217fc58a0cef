import type { Context } from '../../../../kernel/caller.ts'
import { type Project, placeOf } from '../../../boards/projects/model/index.ts'
import { boardActors } from '../../../identity/members/model/index.ts'
import type { ActorRow } from '../../../identity/people/model/index.ts'
import { actorsNamedIn } from '../../mentions/model/index.ts'
import { setThread, type Thread } from './store.ts'

export interface AgentMentions {
  agents: ActorRow[]
  /** The text begins with an agent's name, so it is for agents and not for the model. */
  agentsOnly: boolean
}

/** The agents that a text mentions with @, among those who can see the board. */
export async function mentionedAgents(
  ctx: Context,
  project: Project | undefined,
  text: string,
): Promise<AgentMentions> {
  if (!project || !text.includes('@')) return { agents: [], agentsOnly: false }
  const actors = await boardActors(ctx, project)
  const agents = actorsNamedIn(
    text,
    actors.filter(({ kind }) => kind === 'agent'),
  )
  const start = text.trimStart().toLowerCase()
  const agentsOnly = agents.some(({ name }) => startsWithName(start, `@${name.toLowerCase()}`))
  return { agents, agentsOnly }
}

/** Whether the text begins with this whole name, and not with a longer one. */
const startsWithName = (text: string, name: string) =>
  text.startsWith(name) && !/^[\p{L}\p{N}_]/u.test(text.slice(name.length))

/** Notifies each agent, which may reply in the thread from now on. */
export async function notifyAgents(
  ctx: Context,
  thread: Thread,
  project: Project,
  { agents }: AgentMentions,
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
