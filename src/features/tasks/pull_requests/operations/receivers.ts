import { Type as t } from '@sinclair/typebox'
import { and, count, eq, getTableColumns } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { pageOf } from '../../../../store/page.ts'
import {
  findProject,
  type Project,
  ProjectId,
  placeOf,
  touchProject,
} from '../../../boards/projects/model/index.ts'
import { parentOf } from '../../../identity/credentials/model/index.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { receiverSecret } from '../model/receiver-secret.ts'
import type { Host } from '../model/rules.ts'
import { HostName, NewReceiver, ReceiverId, ReceiverRow } from '../model/schema.ts'
import { pullRequestReceivers as receivers } from '../model/tables.ts'

export type Receiver = typeof receivers.$inferSelect

const ROUTE = '/api/v1/projects/:project_id/pull-request-receivers'
const MAX_RECEIVERS = 20

const EVENTS: Record<Host, string[]> = {
  github: ['pull_request', 'push', 'check_run', 'check_suite', 'status', 'workflow_run'],
  gitlab: ['Merge request events', 'Pipeline events', 'Push events'],
}

const receiverUrl = (
  { server }: Pick<Context, 'server'>,
  { host, receiver_id }: Omit<Receiver, 'row_id'>,
) => `${server.url}/hooks/${host}/${receiver_id}`

const ofBoard = ({ team_id, project_id }: Project) =>
  and(eq(receivers.team_id, team_id), eq(receivers.project_id, project_id))

export const createReceiver = operation({
  name: 'pull_request_receivers.create',
  summary: 'Create a receiver for GitHub or GitLab webhooks; the secret is shown once',
  needs: 'projects:manage',
  creates: true,
  on: {
    rest: `POST ${ROUTE}`,
    cli: { usage: 'receivers create <project_id> <host>', example: 'HOM gitlab' },
  },
  input: t.Object({ project_id: ProjectId, host: HostName }),
  output: NewReceiver,
  async prepare(_, { server }) {
    const receiver_id = crypto.randomUUID()
    return { receiver_id, secret: await receiverSecret(server, receiver_id) }
  },
  async run({ project_id, host }, ctx, { receiver_id, secret }) {
    const { tx, now, caller } = ctx
    const project = await findProject(ctx, project_id)
    await touchProject(tx, project, now)
    await checkLimit(tx, project)
    const { parent_id: credential_id, expires_at } = await parentOf(ctx)
    // A receiver acts in the name of a person. For an agent, that is its owner.
    const row = {
      receiver_id,
      team_id: project.team_id,
      project_id,
      host,
      created_by: caller.person_id,
      created_at: now,
      credential_id,
      expires_at,
    }
    await tx.insert(receivers).values(row)
    ctx.emit('pull_request_receiver.created', placeOf(project), { receiver_id, host })
    const url = receiverUrl(ctx, row)
    const created_at = now.toISOString()
    const fields = { receiver_id, project_id, host, url, created_at, expires_at: iso(expires_at) }
    return { ...fields, secret, events: EVENTS[host] }
  },
})

const iso = (date: Date | null) => date?.toISOString() ?? null

async function checkLimit(tx: Tx, project: Project): Promise<void> {
  const [row] = await tx.select({ total: count() }).from(receivers).where(ofBoard(project))
  if (row!.total < MAX_RECEIVERS) return
  throw fault.conflict(
    `A board has at most ${MAX_RECEIVERS} receivers`,
    { field: 'project_id', limit: MAX_RECEIVERS },
    'Delete an unused one; several repositories can share a receiver',
  )
}

export const listReceivers = operation({
  name: 'pull_request_receivers.list',
  summary: 'Pull request receivers of a board, without their secrets',
  needs: 'projects:manage',
  dependsOn: ['pull_request_receiver'],
  on: { rest: `GET ${ROUTE}`, cli: { usage: 'receivers list <project_id>', example: 'HOM' } },
  input: listInput({ project_id: ProjectId }, ['createdAt']),
  output: listOf(ReceiverRow),
  async run(input, ctx) {
    const project = await findProject(ctx, input.project_id)
    const { rows, page } = await pageOf(ctx.tx, input, {
      name: 'pull_request_receivers',
      from: receivers,
      columns: getTableColumns(receivers),
      where: ofBoard(project),
      sorts: { createdAt: { key: receivers.created_at } },
      id: 'row_id',
    })
    const creators = await actorsOf(
      ctx.tx,
      rows.map(({ created_by }) => created_by),
    )
    const items = (rows as Receiver[]).map((row) => ({
      receiver_id: row.receiver_id,
      project_id: row.project_id,
      host: row.host,
      url: receiverUrl(ctx, row),
      created_at: row.created_at.toISOString(),
      expires_at: iso(row.expires_at),
      created_by: asActor(creators.get(row.created_by)!),
    }))
    return { items, page }
  },
})

export const removeReceiver = operation({
  name: 'pull_request_receivers.delete',
  summary: 'Delete a pull request receiver; linked pull requests are kept',
  needs: 'projects:manage',
  destroys: true,
  on: {
    rest: `DELETE ${ROUTE}/:receiver_id`,
    cli: { usage: 'receivers delete <project_id> <receiver_id>', example: 'HOM github' },
  },
  input: t.Object({ project_id: ProjectId, receiver_id: ReceiverId }),
  output: t.Object({
    receiver_id: t.String(),
    project_id: ProjectId,
    host: HostName,
    deleted: t.Literal(true),
  }),
  async run({ project_id, receiver_id: input }, ctx) {
    const project = await findProject(ctx, project_id)
    const [row] = await ctx.tx
      .delete(receivers)
      .where(and(ofBoard(project), eq(receivers.receiver_id, input.toLowerCase())))
      .returning()
    if (!row)
      throw fault.notFound(
        'receiver_id',
        'This board has no receiver with that id',
        input,
        'List its receivers: cork receivers list',
      )
    const { receiver_id, host } = row
    ctx.emit('pull_request_receiver.deleted', placeOf(project), { receiver_id, host })
    return { receiver_id, project_id, host, deleted: true as const }
  },
})
