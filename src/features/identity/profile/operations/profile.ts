import { Type as t } from '@sinclair/typebox'
import type { Caller, Context } from '../../../../kernel/caller.ts'
import { operation } from '../../../../kernel/operation.ts'
import { lastSeq } from '../../../../store/log.ts'
import { findVisibleProject } from '../../../boards/projects/model/index.ts'
import { teamsRequiringFactor } from '../../callers/model/index.ts'
import { type ActorRow, avatarUrl } from '../../people/model/index.ts'
import { connectionsOf } from '../model/connections.ts'
import { estimateTokens, truncate } from '../model/rules.ts'
import { Hello, type Profile, UserContext } from '../model/schema.ts'
import { ownBoards, ownRow, ownTeams } from '../model/store.ts'

const HELLO_LIMITS = { boards: 15, teams: 4, characters: 40, tokens: 390 }
const GET_BOARDS = 50

export const hello = operation({
  name: 'user_context.hello',
  summary: 'Start here: your identity, teams, boards and permissions',
  needs: 'profile:read',
  dependsOn: ['team', 'project', 'member', 'profile'],
  on: {
    rest: 'GET /api/v1/user/hello',
    mcp: 'svc_user_context.hello',
    cli: { usage: 'profile hello', example: '' },
  },
  input: t.Object({}),
  output: Hello,
  async run(_, ctx) {
    const teams = await ownTeams(ctx)
    const { boards, more_boards } = await ownBoards(ctx, HELLO_LIMITS.boards)
    let boardCount = boards.length
    const response = () =>
      toHello(ctx, teams, boards.slice(0, boardCount), more_boards + boards.length - boardCount)
    while (boardCount && estimateTokens(JSON.stringify(response())) > HELLO_LIMITS.tokens)
      boardCount--
    return response()
  },
})

export const get = operation({
  name: 'user_context.get',
  summary: 'Your profile, teams, boards, permissions, connections and this server',
  needs: 'profile:read',
  dependsOn: ['team', 'project', 'member', 'profile', 'passkey', 'authenticator_app'],
  on: {
    rest: 'GET /api/v1/user/context',
    mcp: 'svc_user_context.get',
    cli: { usage: 'profile get', example: '--json' },
    chat: true,
  },
  input: t.Object({}),
  output: UserContext,
  async run(_, ctx) {
    const { caller, server } = ctx
    const seq = await lastSeq(ctx.tx)
    const teams = await ownTeams(ctx)
    const { boards, more_boards } = await ownBoards(ctx, GET_BOARDS)
    const { url, time_zone, version, schema_version } = server
    const locked = await lockedTeams(ctx)
    return {
      profile: await profileOf(ctx),
      teams: teams.map(({ team_id, team_uuid, name, role }) => ({
        team_id,
        team_uuid,
        name,
        role,
      })),
      boards,
      has_more: more_boards > 0,
      more_boards,
      ...(locked.length > 0 && { teams_requiring_second_factor: locked }),
      permissions: [...caller.scopes],
      credential: caller.credential.split(':')[0]!,
      ...(await connectionsOf(ctx)),
      server: { url, mcp_url: `${url}/mcp`, time_zone, version, schema_version, seq },
    }
  },
})

/** The owner of an agent finds these in the app. */
const lockedTeams = async ({ tx, caller }: Context) =>
  caller.kind === 'person' ? teamsRequiringFactor(tx, caller.actor_id) : []

type Loaded<List extends (...given: never[]) => unknown> = Awaited<ReturnType<List>>

function toHello(
  { caller, server }: Context,
  teams: Loaded<typeof ownTeams>,
  boards: Loaded<typeof ownBoards>['boards'],
  more_boards: number,
): Hello {
  const shorten = (text: string) => truncate(text, HELLO_LIMITS.characters)
  return {
    you: { ...idOf(caller), name: shorten(caller.name) },
    teams: teams
      .slice(0, HELLO_LIMITS.teams)
      .map(({ team_id, name, role }) => ({ team_id, name: shorten(name), role })),
    ...(teams.length > HELLO_LIMITS.teams && { more_teams: teams.length - HELLO_LIMITS.teams }),
    boards: boards.map(({ project_id, title }) => ({ project_id, title: shorten(title) })),
    ...(more_boards > 0 && { more_boards }),
    may: [...caller.scopes].join(' '),
    start: nextSteps(caller),
    schema_version: server.schema_version,
  }
}

/** Suggests the next call. Only agents that may change tasks take leases. */
function nextSteps({ kind, scopes }: Caller): string {
  const canWork = kind === 'agent' && scopes.has('tasks:write')
  const firstStep = canWork ? 'Take work: svc_tasks next with project_id and claim true. ' : ''
  return `${firstStep}Columns and labels of a board: svc_projects manifest. Its tasks: svc_tasks list.`
}

function idOf({ kind, actor_id, agent_id, person_id }: Caller) {
  return kind === 'person'
    ? { kind, user_id: actor_id }
    : { kind, agent_id: agent_id!, owner_id: person_id }
}

/** The avatar as programs see it. */
export const shownAvatar = ({ server }: Context, { actor_id, agent_id, avatar }: ActorRow) =>
  avatarUrl(server.url, agent_id ?? actor_id, avatar)

export async function profileOf(ctx: Context): Promise<Profile> {
  const { actor, person } = await ownRow(ctx)
  const common = {
    ...idOf(ctx.caller),
    display_name: actor.name,
    avatar: shownAvatar(ctx, actor),
    time_zone: person?.time_zone ?? ctx.caller.time_zone,
  }
  if (!person) return common
  const { email, locale, default_project_id: id } = person
  // The caller may have lost access to the board after choosing it.
  const board = id === null ? undefined : await findVisibleProject(ctx, id)
  return { ...common, email, locale, default_board: board?.project_id ?? null }
}
