import { Type as t } from '@sinclair/typebox'
import type { Caller, Context } from '../../kernel/caller.ts'
import { operation } from '../../kernel/operation.ts'
import { lastSeq } from '../../store/log.ts'
import { seenProject } from '../projects/index.ts'
import { connectionsOf } from './connections.ts'
import { brief, tokensIn } from './rules.ts'
import { Hello, type Profile, UserContext } from './schema.ts'
import { ownBoards, ownRow, ownTeams } from './store.ts'

const HELLO = { boards: 15, teams: 4, letters: 40, tokens: 390 }
const GET_BOARDS = 50

export const hello = operation({
  name: 'user_context.hello',
  summary: 'Begin here: who you are, your teams and boards, what you may do',
  needs: 'profile:read',
  on: {
    rest: 'GET /api/v1/user/hello',
    mcp: 'svc_user_context.hello',
    cli: 'profile hello',
  },
  input: t.Object({}),
  output: Hello,
  async run(_, ctx) {
    const teams = await ownTeams(ctx)
    const { boards, more_boards } = await ownBoards(ctx, HELLO.boards)
    let shown = boards.length
    const told = () =>
      greeting(ctx, teams, boards.slice(0, shown), more_boards + boards.length - shown)
    while (shown && tokensIn(JSON.stringify(told())) > HELLO.tokens) shown--
    return told()
  },
})

export const get = operation({
  name: 'user_context.get',
  summary: 'Your profile, teams, boards, permissions, connections and this server',
  needs: 'profile:read',
  on: {
    rest: 'GET /api/v1/user/context',
    mcp: 'svc_user_context.get',
    cli: 'profile get',
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
      permissions: [...caller.scopes],
      credential: caller.credential.split(':')[0]!,
      ...(await connectionsOf(ctx)),
      server: { url, mcp_url: `${url}/mcp`, time_zone, version, schema_version, seq },
    }
  },
})

type Own<List extends (...given: never[]) => unknown> = Awaited<ReturnType<List>>

function greeting(
  { caller, server }: Context,
  teams: Own<typeof ownTeams>,
  boards: Own<typeof ownBoards>['boards'],
  more_boards: number,
): Hello {
  const short = (text: string) => brief(text, HELLO.letters)
  return {
    you: { ...idOf(caller), name: short(caller.name) },
    teams: teams
      .slice(0, HELLO.teams)
      .map(({ team_id, name, role }) => ({ team_id, name: short(name), role })),
    ...(teams.length > HELLO.teams && { more_teams: teams.length - HELLO.teams }),
    boards: boards.map(({ project_id, title }) => ({ project_id, title: short(title) })),
    ...(more_boards > 0 && { more_boards }),
    may: [...caller.scopes].join(' '),
    start: startOf(caller),
    schema_version: server.schema_version,
  }
}

/** What to do next. People hold no leases, and neither does who cannot change tasks. */
function startOf({ kind, scopes }: Caller): string {
  const works = kind === 'agent' && scopes.has('tasks:write')
  const first = works ? 'Take work: svc_tasks next with project_id and claim true. ' : ''
  return `${first}Columns and labels of a board: svc_projects manifest. Its tasks: svc_tasks list.`
}

function idOf({ kind, actor_id, agent_id, person_id }: Caller) {
  return kind === 'person'
    ? { kind, user_id: actor_id }
    : { kind, agent_id: agent_id!, owner_id: person_id }
}

export async function profileOf(ctx: Context): Promise<Profile> {
  const { actor, person } = await ownRow(ctx)
  const common = {
    ...idOf(ctx.caller),
    display_name: actor.name,
    avatar: actor.avatar,
    time_zone: person?.time_zone ?? ctx.caller.time_zone,
  }
  if (!person) return common
  const { email, locale, default_project_id: id } = person
  // A board may have been closed to somebody after they chose it.
  const seen = id === null ? undefined : await seenProject(ctx, id)
  return { ...common, email, locale, default_board: seen?.project_id ?? null }
}
