import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { people } from '../../people/model/index.ts'
import { lockTeam, members, type Team, teams } from '../../teams/model/index.ts'

/**
 * A team of which the person is the only owner who can sign in. The teams that they own are locked,
 * so that the last two owners cannot both leave at the same time.
 */
export async function lockedSoleTeam(tx: Tx, actor_id: number): Promise<Team | undefined> {
  const owned = await tx
    .select({ team_id: members.team_id })
    .from(members)
    .where(and(eq(members.actor_id, actor_id), eq(members.role, 'owner')))
    .orderBy(asc(members.team_id))
  for (const { team_id } of owned) {
    await lockTeam(tx, team_id)
    const owners = await ownersOf(tx, team_id)
    if (!owners.some((owner) => owner.actor_id !== actor_id)) return owners[0]?.team
  }
  return undefined
}

const ownersOf = (tx: Tx, team_id: number) =>
  tx
    .select({ team: teams, actor_id: members.actor_id })
    .from(members)
    .innerJoin(teams, eq(teams.team_id, members.team_id))
    .innerJoin(people, eq(people.actor_id, members.actor_id))
    .where(
      and(eq(members.team_id, team_id), eq(members.role, 'owner'), isNull(people.deactivated_at)),
    )
