import { and, eq, inArray, or, type SQL } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { agents } from '../../../agents/agents/model/index.ts'
import { actors } from '../../people/model/index.ts'
import { members } from '../../teams/model/index.ts'

/** The people in a team and its agents. */
export function inTeam(tx: Tx, team_id: number): SQL {
  const inPeople = tx
    .select({ actor_id: members.actor_id })
    .from(members)
    .where(eq(members.team_id, team_id))
  const inAgents = tx
    .select({ actor_id: agents.actor_id })
    .from(agents)
    .where(and(eq(agents.team_id, team_id), inArray(agents.state, ['active', 'inactive'])))
  return or(inArray(actors.actor_id, inPeople), inArray(actors.actor_id, inAgents))!
}
