import { Type as t } from '@sinclair/typebox'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { seal } from '../../../../kernel/seal.ts'
import { TeamRef } from '../../../identity/teams/model/index.ts'
import { appRequest, convertManifest, openSetup, sealSetup } from '../model/github-app.ts'
import { HostRow, HostUrl } from '../model/schema.ts'
import { askHost, parseHostUrl, requireAdmin } from '../model/store.ts'
import { insertHost, toRow } from './hosts.ts'

const ROUTE = '/api/v1/code-hosts/github-app'
const Setup = t.String({
  minLength: 1,
  maxLength: 2000,
  description: 'From the answer that began the setup',
})

export const beginApp = operation({
  name: 'code_hosts.begin_app',
  summary: 'Begin to create a GitHub App: a page to open in a browser that is signed in here',
  needs: 'teams:manage',
  destroys: true,
  on: {
    rest: `POST ${ROUTE}/setup`,
    cli: { usage: 'hosts app', example: '--organization acme' },
  },
  input: t.Object({
    team_id: TeamRef,
    url: t.Optional(HostUrl),
    organization: t.Optional(
      t.String({
        maxLength: 100,
        description: 'The organization at GitHub that the app belongs to; without it, you',
      }),
    ),
  }),
  output: t.Object(
    {
      page: t.String({ description: 'Explains the permissions, and leads to GitHub' }),
      setup: Setup,
      webhook: t.Union([t.String(), t.Null()], {
        description: 'Null if GitHub cannot reach this server',
      }),
      permissions: t.Record(t.String(), t.String()),
    },
    { secret: true },
  ),
  async run({ team_id: ref, url: input = 'https://github.com', organization }, ctx) {
    const team_id = await requireAdmin(ctx, ref)
    const { server, caller, now } = ctx
    const { person_id } = caller
    const url = parseHostUrl(input)
    const owner = organization?.trim() || null
    const sealed = sealSetup(server, { team_id, person_id, url, organization: owner }, now)
    const { webhook, permissions } = appRequest(
      server,
      sealed,
      openSetup(server, sealed, now, person_id),
    )
    const page = `${server.url}/github-app?setup=${encodeURIComponent(sealed)}`
    return { page, setup: sealed, webhook, permissions: { ...permissions } }
  },
})

export const createApp = operation({
  name: 'code_hosts.create_app',
  summary: 'Finish the setup of a GitHub App with the code that GitHub returned',
  needs: 'teams:manage',
  creates: true,
  destroys: true,
  on: { rest: `POST ${ROUTE}` },
  input: t.Object({
    team_id: TeamRef,
    setup: Setup,
    code: t.String({ minLength: 1, maxLength: 200, description: 'From the address of the page' }),
  }),
  output: HostRow,
  async prepare({ team_id: ref, setup, code }, { server, caller, read, now }) {
    const team_id = await read((tx) => requireAdmin({ tx, caller, needs: 'teams:manage' }, ref))
    const opened = openSetup(server, setup, now, caller.person_id)
    if (opened.team_id !== team_id)
      throw fault.invalid('team_id', 'conflict', 'The setup was begun for another team', ref)
    const { url, receiver_id } = opened
    const app = await askHost('code', () => convertManifest(server.callApi, url, code))
    const { login, app_url, secret } = app
    return { url, receiver_id, login, app_url, token: await seal(server, secret) }
  },
  async run({ team_id: ref }, ctx, prepared) {
    const team_id = await requireAdmin(ctx, ref)
    return toRow(ctx, await insertHost(ctx, team_id, { kind: 'github', ...prepared }))
  },
})
