import type { WriteContext } from '../../../../kernel/caller.ts'
import type { ChangeVerb } from '../../../../kernel/changes.ts'
import type { NamedAgent } from './store.ts'

/** Logs an event of an agent; `owner_id` lets its owner see it. */
export function emitAgent(
  ctx: Pick<WriteContext, 'emit'>,
  event: ChangeVerb<'agent'>,
  { team_id, agent_id, name, owner_id }: NamedAgent,
  extra: Record<string, unknown>,
) {
  ctx.emit(`agent.${event}`, { team_id }, { agent_id, name, owner_id, ...extra })
}
