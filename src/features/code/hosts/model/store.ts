import { and, eq } from 'drizzle-orm'
import type { Context, Server, Tx } from '../../../../kernel/caller.ts'
import { Fault, type FaultCode, fault } from '../../../../kernel/fault.ts'
import { unseal } from '../../../../kernel/seal.ts'
import type { CallApi } from '../../../../kernel/services.ts'
import { findTeam, requireTeamScope, roleOf } from '../../../identity/teams/model/index.ts'
import type { HostClient } from './clients/client.ts'
import { HostError, type HostErrorKind } from './clients/error.ts'
import { clientFor } from './clients/index.ts'
import { installationToken, parseCredentials } from './github-app.ts'
import { codeHosts } from './tables.ts'

export type CodeHost = typeof codeHosts.$inferSelect

/** The address without a trailing slash; throws a fault if it is none. */
export function parseHostUrl(input: string): string {
  const url = URL.parse(input.trim())
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw fault.invalid(
      'url',
      'invalid_format',
      'url must be the http or https address of a code host',
      input,
      'For example https://github.com or https://git.example.com',
    )
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Loads a host of a team that the caller belongs to. */
export async function findHost(
  ctx: Pick<Context, 'tx' | 'caller' | 'needs'>,
  host_id: number,
): Promise<CodeHost> {
  const [row] = await ctx.tx.select().from(codeHosts).where(eq(codeHosts.host_id, host_id))
  if (!row || !ctx.caller.teams.has(row.team_id))
    throw fault.notFound(
      'host_id',
      `There is no code host ${host_id} in your teams`,
      host_id,
      'List them: GET /api/v1/code-hosts',
    )
  requireTeamScope(ctx as Context, row.team_id)
  return row
}

/** Only people who administer a team set up its hosts, because tokens reach beyond one board. */
export async function requireAdmin(
  ctx: Pick<Context, 'tx' | 'caller' | 'needs'>,
  team: number | string,
): Promise<number> {
  const { team_id } = await findTeam(ctx, team)
  requireTeamScope(ctx, team_id)
  const role = await roleOf(ctx.tx, team_id, ctx.caller.person_id)
  if (ctx.caller.kind === 'person' && (role === 'owner' || role === 'admin')) return team_id
  throw fault.forbidden('Only owners and admins set up code hosts', 'Ask one of them')
}

type Services = Pick<Server, 'callApi' | 'decrypt' | 'encrypt'>

/** The client of a host. A GitHub App has a token for each repository. */
export async function clientOf(
  server: Services,
  host: CodeHost,
  repository?: string,
): Promise<HostClient> {
  const { kind, url, app_url } = host
  const { callApi } = server
  const secret = await unseal(server, host.token)
  if (app_url === null) return clientFor(callApi, { kind, url, token: secret })
  const app = { url, app_url, credentials: parseCredentials(secret) }
  const { token, permissions, forget } = await installationToken(callApi, app, repository)
  const granted = {
    mayRead: permissions?.contents !== undefined,
    mayWrite: permissions?.issues === 'write',
    // The app has a webhook of its own.
    mayManage: true,
  }
  const call: CallApi = async (...request) => {
    const response = await callApi(...request)
    // The app may have been uninstalled, and installed again.
    if (response.status === 401) forget()
    return response
  }
  return clientFor(call, { kind, url, token, granted })
}

export const hostById = async (tx: Tx, host_id: number): Promise<CodeHost | undefined> =>
  (await tx.select().from(codeHosts).where(eq(codeHosts.host_id, host_id)))[0]

/** The host of a GitHub App, by the receiver id in the webhook URL of the app. */
export const hostOfReceiver = async (tx: Tx, receiver_id: string): Promise<CodeHost | undefined> =>
  (await tx.select().from(codeHosts).where(eq(codeHosts.receiver_id, receiver_id)))[0]

export const appWebhookSecret = async (server: Services, { token }: CodeHost): Promise<string> =>
  parseCredentials(await unseal(server, token)).webhook_secret

export const hostOfTeam = (team_id: number, host_id: number) =>
  and(eq(codeHosts.team_id, team_id), eq(codeHosts.host_id, host_id))

const CODES: Record<HostErrorKind, FaultCode> = {
  forbidden: 'invalid',
  invalid: 'invalid',
  limited: 'unavailable',
  missing: 'not_found',
  unauthorized: 'invalid',
  unreachable: 'unavailable',
}

/** Runs calls of a host for a request, and turns their errors into faults about the field. */
export async function askHost<T>(field: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job()
  } catch (error) {
    if (!(error instanceof HostError)) throw error
    const until = error.until && `Try again after ${error.until.toISOString()}`
    throw new Fault(CODES[error.kind], error.message, { field }, until)
  }
}
