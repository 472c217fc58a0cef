import { Type as t } from '@sinclair/typebox'
import { and, eq, getTableColumns, inArray } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import { contains } from '../../../../store/text.ts'
import { Name } from '../../people/model/index.ts'
import { TeamId, TeamRef, TeamRow } from '../model/schema.ts'
import { createTeam, findTeam, joinTeam, type Team } from '../model/store.ts'
import { teams } from '../model/tables.ts'

export const list = operation({
  name: 'teams.list',
  summary: 'Teams you belong to',
  needs: 'teams:read',
  dependsOn: ['team', 'invitation', 'member', 'profile', 'agent'],
  on: { rest: 'GET /api/v1/teams', cli: { usage: 'teams list', example: '' } },
  input: listInput({}, ['title', 'createdAt']),
  output: listOf(TeamRow),
  async run(input, ctx) {
    const { rows, page } = await pageOf(ctx.tx, input, {
      name: 'teams',
      from: teams,
      columns: getTableColumns(teams),
      where: and(
        inArray(teams.team_id, [...ctx.caller.teams.keys()]),
        input.query ? contains(teams.name, input.query) : undefined,
        input.search ? contains(teams.name, input.search) : undefined,
      ),
      sorts: { title: { key: teams.name }, createdAt: { key: teams.created_at } },
      id: 'team_id',
    })
    return { items: rows.map((row) => toTeamRow(ctx, row)), page }
  },
})

export const get = operation({
  name: 'teams.get',
  summary: 'A team you belong to',
  needs: 'teams:read',
  dependsOn: ['team', 'invitation', 'member', 'profile', 'agent'],
  on: { rest: 'GET /api/v1/teams/:team_id', cli: { usage: 'teams get [team_id]', example: '' } },
  input: t.Object({ team_id: TeamRef }),
  output: TeamRow,
  run: async ({ team_id }, ctx) => toTeamRow(ctx, await findTeam(ctx, team_id)),
})

const TeamReceipt = t.Object({ team_id: TeamId, team_uuid: t.String(), name: t.String() })

export const create = operation({
  name: 'teams.create',
  summary: 'Create a team; you become its owner',
  needs: 'teams:manage',
  creates: true,
  on: { rest: 'POST /api/v1/teams', cli: { usage: 'teams create <name>', example: 'Lighthouse' } },
  input: t.Object({ name: Name }),
  output: TeamReceipt,
  async run(input, { tx, caller, now, emit }) {
    const name = input.name.trim()
    const team_id = await createTeam(tx, name, now)
    const [team] = await tx.select().from(teams).where(eq(teams.team_id, team_id))
    await joinTeam(tx, team_id, caller.person_id, 'owner', now)
    emit('team.created', { team_id }, { name })
    return { team_id, team_uuid: team!.team_uuid, name }
  },
})

export const rename = operation({
  name: 'teams.rename',
  summary: 'Rename a team',
  needs: 'teams:manage',
  on: {
    rest: 'PATCH /api/v1/teams/:team_id',
    cli: { usage: 'teams rename <team_id> <name>', example: '1 Port' },
  },
  input: t.Object({ team_id: TeamRef, name: Name }),
  output: TeamReceipt,
  async run(input, ctx) {
    const { team_id, team_uuid, name: was } = await findTeam(ctx, input.team_id)
    const name = input.name.trim()
    await ctx.tx.update(teams).set({ name }).where(eq(teams.team_id, team_id))
    ctx.emit('team.renamed', { team_id }, { name, was })
    return { team_id, team_uuid, name }
  },
})

const toTeamRow = ({ caller }: Context, team: Team): TeamRow => ({
  team_id: team.team_id,
  team_uuid: team.team_uuid,
  name: team.name,
  role: caller.teams.get(team.team_id)!,
  created_at: team.created_at.toISOString(),
})
