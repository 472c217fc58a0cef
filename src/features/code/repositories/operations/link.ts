import { type Static, Type as t } from '@sinclair/typebox'
import { and, count, eq } from 'drizzle-orm'
import type { Context, PrepareContext } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { findProject, ProjectId, placeOf } from '../../../boards/projects/model/index.ts'
import {
  askHost,
  type CodeHost,
  clientOf,
  EVENTS,
  type HostClient,
  HostError,
  HostId,
  hostById,
} from '../../hosts/model/index.ts'
import { permissionsOf } from '../model/permissions.ts'
import { fieldsOf } from '../model/records.ts'
import { LinkedRepository, options, RepositoryName } from '../model/schema.ts'
import { APP_WEBHOOK, type Repository, webhookSecret, webhookUrl } from '../model/store.ts'
import { repositories } from '../model/tables.ts'

const MAX_REPOSITORIES = 20

const Input = t.Object({ project_id: ProjectId, host_id: HostId, name: RepositoryName, ...options })
type Input = Static<typeof Input>

export const link = operation({
  name: 'repositories.link',
  summary: 'Link a repository to a board: issues and pull requests, with a webhook',
  needs: 'projects:manage',
  creates: true,
  destroys: true,
  on: {
    rest: 'POST /api/v1/projects/:project_id/repositories',
    cli: { usage: 'repositories link <project_id> <host_id> <name>', example: 'HOM 2 acme/site' },
  },
  input: Input,
  output: LinkedRepository,
  prepare: (input, context) => prepareLink(input, context),
  async run({ project_id, host_id, issues = true, label, pull_requests = true }, ctx, prepared) {
    const project = await findProject(ctx, project_id)
    const host = await hostOfBoard(ctx, project.team_id, host_id)
    const { found, receiver_id, secret, webhook_id } = prepared!
    await checkNew(ctx, project_id, host_id, found.name)
    const { caller, now } = ctx
    const [row] = await ctx.tx
      .insert(repositories)
      .values({
        ...{
          team_id: project.team_id,
          project_id,
          host_id,
          name: found.name,
          url: webUrl(host, found.url),
        },
        ...{ receiver_id, webhook_id, issues, label: label?.trim() || null, pull_requests },
        ...{ created_by: caller.person_id, created_at: now, ...START, wake_at: now },
      })
      .returning()
    const { repository_id, name } = row!
    ctx.emit('repository.linked', placeOf(project), { repository_id, name })
    const url = webhookUrl(ctx.server, host.kind, row!)
    return {
      ...fieldsOf(row!, host),
      permissions: permissionsOf(host.kind, found),
      webhook: webhook_id === null ? { url, secret, events: EVENTS[host.kind] } : null,
    }
  },
})

/** An address that a browser can open without running code of the host. */
const webUrl = (host: CodeHost, url: string) => (/^https?:\/\//.test(url) ? url : host.url)

const START = {
  ...{ listing_page: 1, swept_to: null, rest_until: null, busy_until: null, failures: 0 },
  ...{ error: null, event_at: null, synced_at: null },
}

interface Prepared {
  found: NonNullable<Awaited<ReturnType<HostClient['repository']>>>
  receiver_id: string
  secret: string
  webhook_id: string | null
}

/** Asks the host before the transaction. Undefined for callers whom `run` refuses. */
async function prepareLink(
  { project_id, host_id, name: input, issues = true }: Input,
  { server, read, caller }: PrepareContext,
): Promise<Prepared | undefined> {
  const needs = 'projects:manage'
  const host = await read(async (tx) => {
    const project = await findProject({ tx, caller, needs }, project_id)
    return hostOfBoard({ tx }, project.team_id, host_id)
  })
  const name = input
    .trim()
    .replace(/^\/+|\/+$/g, '')
    .replace(/\.git$/, '')
  const client = await askHost('name', () => clientOf(server, host, name))
  const found = await askHost('name', () => client.repository(name))
  if (!found) throw notVisible(host, name)
  checkPermissions(host, found, issues)
  const receiver_id = crypto.randomUUID()
  const secret = await webhookSecret(server, receiver_id)
  const url = webhookUrl(server, host.kind, { receiver_id })
  const webhook_id =
    host.app_url !== null
      ? APP_WEBHOOK
      : found.mayManage
        ? await registerWebhook(client, found.name, url, secret)
        : null
  return { found, receiver_id, secret, webhook_id }
}

/** Null if the token may not; then a person enters the webhook. */
async function registerWebhook(client: HostClient, name: string, url: string, secret: string) {
  try {
    return await client.saveWebhook(name, { url, secret })
  } catch (error) {
    if (error instanceof HostError && ['forbidden', 'invalid', 'missing'].includes(error.kind))
      return null
    return askHost('name', async () => {
      throw error
    })
  }
}

const notVisible = (host: CodeHost, name: string) =>
  fault.notFound(
    'name',
    `${host.login} sees no repository ${name} on ${host.url}`,
    name,
    'Check its path, such as acme/site, and that the token may read it',
  )

function checkPermissions(host: CodeHost, found: Prepared['found'], issues: boolean): void {
  if (!issues) return
  if (!found.hasIssues)
    throw fault.invalid(
      'issues',
      'conflict',
      `${found.name} has issues turned off`,
      true,
      'Turn them on at the host, or link it with issues: false',
    )
  if (found.mayWrite) return
  const missing = permissionsOf(host.kind, found).filter(({ granted }) => !granted)
  throw fault.invalid(
    'issues',
    'conflict',
    `The token of ${host.login} may not write to ${found.name}`,
    true,
    `It needs: ${missing.map(({ permission }) => permission).join('; ')}`,
  )
}

async function hostOfBoard(
  { tx }: Pick<Context, 'tx'>,
  team_id: number,
  host_id: number,
): Promise<CodeHost> {
  const host = await hostById(tx, host_id)
  if (host?.team_id === team_id) return host
  throw fault.notFound(
    'host_id',
    `The team of this board has no code host ${host_id}`,
    host_id,
    'An owner or admin sets it up in the settings of the team',
  )
}

async function checkNew(
  { tx }: Pick<Context, 'tx'>,
  project_id: number,
  host_id: number,
  name: string,
): Promise<void> {
  const ofBoard = eq(repositories.project_id, project_id)
  const same = and(ofBoard, eq(repositories.host_id, host_id), eq(repositories.name, name))
  const [known]: Pick<Repository, 'repository_id'>[] = await tx
    .select({ repository_id: repositories.repository_id })
    .from(repositories)
    .where(same)
  if (known)
    throw fault.conflict(`${name} is linked to this board already`, {
      field: 'name',
      repository_id: known.repository_id,
    })
  const [row] = await tx.select({ total: count() }).from(repositories).where(ofBoard)
  if (row!.total >= MAX_REPOSITORIES)
    throw fault.conflict(
      `A board has at most ${MAX_REPOSITORIES} repositories`,
      { field: 'project_id', limit: MAX_REPOSITORIES },
      'Unlink one first',
    )
}
