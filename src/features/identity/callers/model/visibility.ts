import type { Caller, Scope, Tx } from '../../../../kernel/caller.ts'
import { changesSince, type LoggedChange } from '../../../../store/log.ts'
import { type Actor, actorsOf, asActor } from '../../people/model/index.ts'

type Where = Pick<LoggedChange, 'type' | 'team_id' | 'project_id' | 'actor_id' | 'data'>

/** Whether the caller may see a change; `sees` answers for a board. */
export function canSeeChange(
  caller: Caller,
  change: Where,
  sees: (project_id: number) => boolean | Promise<boolean>,
): boolean | Promise<boolean> {
  if (isAbout(caller, change)) return true
  if (change.type.startsWith('chat.')) return isInChat(caller, change)
  if (!caller.scopes.has(scopeOf(change))) return false
  if (change.project_id !== null) return sees(change.project_id)
  if (change.team_id === null) return change.actor_id === caller.actor_id
  const role = caller.teams.get(change.team_id)
  // A caller who is confined to certain boards sees nothing about the rest of the team.
  return role !== undefined && role !== 'guest' && !caller.projects
}

/** The change is about the caller's own membership, possibly their removal. */
const isAbout = ({ actor_id }: Caller, { type, data }: Where) =>
  type.startsWith('member.') && data.user_id === actor_id

/** Chat changes are only for those who take part in the chat, whatever its board. */
const isInChat = ({ actor_id, agent_id, projects }: Caller, { actor_id: by, data }: Where) =>
  agent_id === undefined
    ? !projects && (by === actor_id || data.user_id === actor_id)
    : by === actor_id || data.user_id === actor_id || data.agent_id === agent_id

/** Changes of these types are about a task; the others are about its board. */
const ON_TASK =
  /^(task|lease|comment|page|relation|attachment|decision|evidence|escalation|run|pull_request|inbox|chat|rule|watcher)\./

/** Every change that is not about a task may have changed who can see what. */
export const mayChangeVisibility = ({ type }: Pick<Where, 'type'>): boolean => !ON_TASK.test(type)

function scopeOf({ type, team_id, project_id }: Where): Scope {
  if (type.startsWith('page.')) return 'pages:read'
  if (project_id !== null) return ON_TASK.test(type) ? 'tasks:read' : 'projects:read'
  return team_id === null ? 'profile:read' : 'teams:read'
}

/** The changes after `seq`, each with its actor and task. */
export async function changesWithActors(
  tx: Tx,
  seq: number,
  limit: number,
): Promise<(LoggedChange & { actor: Actor })[]> {
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
