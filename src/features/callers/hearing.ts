import type { Caller, Scope, Tx } from '../../kernel/caller.ts'
import { changesSince, type Logged } from '../../store/log.ts'
import { type Actor, actorsOf, asActor } from '../people/index.ts'

type Where = Pick<Logged, 'type' | 'team_id' | 'project_id' | 'actor_id' | 'data'>

/** Whether a change is any of the caller's business; `sees` answers for a board. */
export function hears(
  caller: Caller,
  change: Where,
  sees: (project_id: number) => boolean | Promise<boolean>,
): boolean | Promise<boolean> {
  if (isAbout(caller, change)) return true
  if (change.type.startsWith('chat.')) return isSpokenTo(caller, change)
  if (!caller.scopes.has(scopeOf(change))) return false
  if (change.project_id !== null) return sees(change.project_id)
  if (change.team_id === null) return change.actor_id === caller.actor_id
  const role = caller.teams.get(change.team_id)
  // Who is confined to some boards hears of nothing beyond them.
  return role !== undefined && role !== 'guest' && !caller.projects
}

/** Whose own place in a team it is hears of it, also where that shuts them out. */
const isAbout = ({ actor_id }: Caller, { type, data }: Where) =>
  type.startsWith('member.') && data.user_id === actor_id

/** A chat is between those who speak in it, on whatever board it is. */
const isSpokenTo = ({ actor_id, agent_id }: Caller, { actor_id: by, data }: Where) =>
  by === actor_id ||
  data.user_id === actor_id ||
  (agent_id !== undefined && data.agent_id === agent_id)

/** What is about a task; the rest is about its board. */
const ON_TASK =
  /^(task|lease|comment|page|relation|attachment|decision|evidence|escalation|run|pull_request|inbox|chat)\./

/** Whatever is not about a task may have changed who sees what. */
export const unsettles = ({ type }: Pick<Where, 'type'>): boolean => !ON_TASK.test(type)

function scopeOf({ type, team_id, project_id }: Where): Scope {
  if (type.startsWith('page.')) return 'pages:read'
  if (project_id !== null) return ON_TASK.test(type) ? 'tasks:read' : 'projects:read'
  return team_id === null ? 'profile:read' : 'teams:read'
}

/** Changes after `seq`, each with who made it and which task it is about. */
export async function toldSince(
  tx: Tx,
  seq: number,
  limit: number,
): Promise<(Logged & { actor: Actor })[]> {
  const changes = await changesSince(tx, seq, limit)
  const actors = await actorsOf(
    tx,
    changes.map(({ actor_id }) => actor_id),
  )
  return changes.map((change) => ({
    ...change,
    actor: asActor(actors.get(change.actor_id)!),
    data: { ...(change.task_id !== null && { task_id: change.task_id }), ...change.data },
  }))
}
