import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, inArray, type SQL } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import type { Paging } from '../../../../kernel/list.ts'
import { pageOf } from '../../../../store/page.ts'
import { contains } from '../../../../store/text.ts'
import { agents } from '../../../agents/agents/model/index.ts'
import { type ActorRow, actors, asMember, people } from '../../people/model/index.ts'
import { members } from '../../teams/model/index.ts'
import type { TeamMember } from './schema.ts'

export const Kind = t.Optional(t.Union([t.Literal('person'), t.Literal('agent')]))

export function listActors(
  tx: Tx,
  input: Paging & { kind?: ActorRow['kind'] },
  name: string,
  where: SQL,
) {
  const { kind, query, search } = input
  return pageOf(tx, input, {
    name: `members of ${name}`,
    from: actors,
    columns: getTableColumns(actors),
    where: and(
      where,
      kind && eq(actors.kind, kind),
      query ? contains(actors.name, query) : undefined,
      search ? contains(actors.name, search) : undefined,
    ),
    sorts: { title: { key: actors.name }, createdAt: { key: actors.created_at } },
    id: 'actor_id',
  })
}

type Details = Awaited<ReturnType<typeof detailsOf>>

/** Guests work with the team on single boards and do not see the email addresses. */
export async function detailsOf({ tx, caller }: Context, team_id: number, rows: ActorRow[]) {
  const ids = rows.map(({ actor_id }) => actor_id)
  const memberships = and(eq(members.team_id, team_id), inArray(members.actor_id, ids))
  const found = {
    roles: ids.length ? await tx.select().from(members).where(memberships) : [],
    people: ids.length ? await tx.select().from(people).where(inArray(people.actor_id, ids)) : [],
    agents: ids.length ? await tx.select().from(agents).where(inArray(agents.actor_id, ids)) : [],
  }
  return {
    roles: new Map(found.roles.map((row) => [row.actor_id, row.role])),
    agents: new Map(found.agents.map((row) => [row.actor_id, row])),
    emails: new Map(
      caller.teams.get(team_id) === 'guest'
        ? []
        : found.people.map((row) => [row.actor_id, row.email]),
    ),
  }
}

export function toMember(row: ActorRow, { roles, agents, emails }: Details): TeamMember {
  const { actor_id } = row
  const agent = agents.get(actor_id)
  if (agent) return { ...asMember(row), owner_id: agent.owner_id }
  const email = emails.get(actor_id)
  return { ...asMember(row), ...(email && { email }), role: roles.get(actor_id)! }
}
