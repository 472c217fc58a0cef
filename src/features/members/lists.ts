import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, inArray, or, type SQL } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { listInput, listOf, type Paging } from '../../kernel/list.ts'
import { operation } from '../../kernel/operation.ts'
import { pageOf } from '../../store/page.ts'
import { contains } from '../../store/text.ts'
import { agents } from '../agents/index.ts'
import { type ActorRow, actors, asMember, people } from '../people/index.ts'
import { findProject, type Project, ProjectId, projectMembers } from '../projects/index.ts'
import { findTeam, members, TeamRef } from '../teams/index.ts'
import { BoardMember, TeamMember } from './schema.ts'
import { canSeeBoard } from './store.ts'

const Kind = t.Optional(t.Union([t.Literal('person'), t.Literal('agent')]))

export const listTeamMembers = operation({
  name: 'teams.members',
  summary: 'People in a team with their roles, and its agents',
  needs: 'teams:read',
  on: { rest: 'GET /api/v1/teams/:team_id/members', cli: 'teams members [team_id]' },
  input: listInput({ team_id: TeamRef, kind: Kind }, ['title', 'createdAt']),
  output: listOf(TeamMember),
  async run(input, ctx) {
    const { team_id } = await findTeam(ctx, input.team_id)
    const { rows, page } = await listActors(
      ctx.tx,
      input,
      `team ${team_id}`,
      teamMembers(ctx.tx, team_id),
    )
    const details = await detailsOf(ctx, team_id, rows)
    return { items: rows.map((row) => toMember(row, details)), page }
  },
})

export const listBoardMembers = operation({
  name: 'projects.members',
  summary: 'People and agents who can see a board',
  needs: 'projects:read',
  on: {
    rest: 'GET /api/v1/projects/:project_id/members',
    mcp: 'svc_projects.members',
    cli: 'projects members <project_id>',
    chat: true,
  },
  input: listInput({ project_id: ProjectId, kind: Kind }, ['title', 'createdAt']),
  output: listOf(BoardMember),
  async run(input, ctx) {
    const project = await findProject(ctx, input.project_id)
    const { team_id, project_id } = project
    const where = await canSeeBoard(ctx.tx, project)
    const { rows, page } = await listActors(ctx.tx, input, `board ${project_id}`, where)
    const details = await detailsOf(ctx, team_id, rows)
    const invited = await invitedActors(ctx.tx, project)
    const isInvited = ({ actor_id }: ActorRow) =>
      details.agents.get(actor_id)?.project_ids?.includes(project_id) ?? invited.has(actor_id)
    return {
      items: rows.map((row) => ({ ...toMember(row, details), invited: isInvited(row) })),
      page,
    }
  },
})

function teamMembers(tx: Tx, team_id: number): SQL {
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

function listActors(tx: Tx, input: Paging & { kind?: ActorRow['kind'] }, name: string, where: SQL) {
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
async function detailsOf({ tx, caller }: Context, team_id: number, rows: ActorRow[]) {
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

function toMember(row: ActorRow, { roles, agents, emails }: Details): TeamMember {
  const { actor_id } = row
  const agent = agents.get(actor_id)
  if (agent) return { ...asMember(row), owner_id: agent.owner_id }
  const email = emails.get(actor_id)
  return { ...asMember(row), ...(email && { email }), role: roles.get(actor_id)! }
}

async function invitedActors(tx: Tx, { team_id, project_id }: Project): Promise<Set<number>> {
  const rows = await tx
    .select({ actor_id: projectMembers.actor_id })
    .from(projectMembers)
    .where(and(eq(projectMembers.team_id, team_id), eq(projectMembers.project_id, project_id)))
  return new Set(rows.map(({ actor_id }) => actor_id))
}
