import { Type as t } from '@sinclair/typebox'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { actors, people, UserId } from '../../people/model/index.ts'
import { members, RoleName, TeamId } from '../../teams/model/index.ts'

export const get = operation({
  name: 'people.get',
  summary: 'Name, time zone and roles of somebody in your teams',
  needs: 'teams:read',
  dependsOn: ['profile', 'member', 'team'],
  on: { rest: 'GET /api/v1/people/:user_id' },
  input: t.Object({ user_id: UserId }),
  output: t.Object({
    user_id: UserId,
    name: t.String(),
    time_zone: t.String({ description: 'IANA name' }),
    roles: t.Array(t.Object({ team_id: TeamId, role: RoleName }), {
      description: 'In the teams that you share',
    }),
  }),
  async run({ user_id }, { tx, caller }) {
    const ofPerson = eq(members.actor_id, user_id)
    const roles = await tx
      .select({ team_id: members.team_id, role: members.role })
      .from(members)
      .where(and(ofPerson, inArray(members.team_id, [...caller.teams.keys()])))
      .orderBy(asc(members.team_id))
    const [person] = await tx
      .select({ name: actors.name, time_zone: people.time_zone })
      .from(people)
      .innerJoin(actors, eq(actors.actor_id, people.actor_id))
      .where(eq(people.actor_id, user_id))
    if (!person || !roles.length)
      throw fault.notFound('user_id', `There is no person ${user_id} in your teams`, user_id)
    return { user_id, ...person, roles }
  },
})
