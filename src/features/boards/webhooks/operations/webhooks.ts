import { type Static, Type as t } from '@sinclair/typebox'
import { count, getTableColumns } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { listInput, listOf } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { closestWord } from '../../../../kernel/validate.ts'
import { pageOf } from '../../../../store/page.ts'
import { newSecret, OVERLAP_MS, urlFault } from '../../../agents/webhooks/model/index.ts'
import { lockTeam } from '../../../identity/teams/model/index.ts'
import { labelsOf } from '../../labels/model/index.ts'
import { sectionsOf } from '../../sections/model/index.ts'
import { EVENT_NAMES, type EventName } from '../model/events.ts'
import {
  MAX_WEBHOOKS,
  NewWebhook,
  place,
  Rotated,
  settings,
  WebhookId,
  WebhookReceipt,
  WebhookRow,
} from '../model/schema.ts'
import {
  atPlace,
  deleteWebhook,
  fieldsOf,
  findPlace,
  findWebhook,
  type Place,
  setWebhook,
  toRows,
  type Webhook,
} from '../model/store.ts'
import { boardWebhooks as webhooks } from '../model/tables.ts'
import { managesTeam, peopleOnly, ROUTE, readsTeam } from './routes.ts'

export const list = operation({
  name: 'board_webhooks.list',
  summary: 'Webhooks of a board or a team, without their secrets',
  needs: 'projects:read',
  elevatedScope: readsTeam,
  dependsOn: ['board_webhook'],
  on: {
    rest: `GET ${ROUTE}`,
    cli: { usage: 'hooks list', example: '--project-id HOM' },
  },
  input: listInput(place, ['createdAt']),
  output: listOf(WebhookRow),
  async run({ project_id, team_id, ...paging }, ctx) {
    const { rows, page } = await pageOf(ctx.tx, paging, {
      name: `board_webhooks ${project_id} ${team_id}`,
      from: webhooks,
      columns: getTableColumns(webhooks),
      where: atPlace(await findPlace(ctx, { project_id, team_id })),
      sorts: { createdAt: { key: webhooks.created_at } },
      id: 'webhook_id',
    })
    return { items: await toRows(ctx, rows as Webhook[]), page }
  },
})

export const create = operation({
  name: 'board_webhooks.create',
  summary: 'Send events of a board or a team to a URL, signed; people only',
  needs: 'projects:manage',
  elevatedScope: managesTeam,
  creates: true,
  destroys: true,
  on: {
    rest: `POST ${ROUTE}`,
    cli: {
      usage: 'hooks create',
      example: '--project-id HOM --url https://example.com/hook --events task.created',
    },
  },
  input: t.Object({ ...place, ...settings }),
  output: NewWebhook,
  async prepare({ url, events }, { server }) {
    checkEvents(events)
    await server.post.check(url).catch((error) => {
      throw urlFault(error, url)
    })
    return newSecret(server)
  },
  async run({ project_id, team_id, active = true, ...input }, ctx, { seed, secret }) {
    peopleOnly(ctx)
    const at = await findPlace(ctx, { project_id, team_id })
    await lockTeam(ctx.tx, at.team_id)
    await checkRoom(ctx, at)
    await checkFilters(ctx, at, input)
    const [webhook] = await ctx.tx
      .insert(webhooks)
      .values({
        ...newRow(ctx, at),
        ...input,
        ...{ active, seed },
        events: [...new Set(input.events)] as EventName[],
      })
      .returning()
    emitWebhook(ctx, 'created', webhook!)
    return { ...fieldsOf(webhook!), secret }
  },
})

const newRow = ({ caller, now }: Context, { team_id, project_id }: Place) => ({
  team_id,
  project_id,
  created_by: caller.actor_id,
  section_ids: null,
  label_ids: null,
  failures: 0,
  created_at: now,
  updated_at: now,
})

const revision = t.Partial(t.Object(settings))

export const update = operation({
  name: 'board_webhooks.update',
  summary: 'Change a webhook of a board or a team',
  needs: 'projects:manage',
  elevatedScope: managesTeam,
  destroys: true,
  on: {
    rest: `PATCH ${ROUTE}/:webhook_id`,
    cli: {
      usage: 'hooks update <webhook_id>',
      example: '1 --project-id HOM --no-active',
    },
  },
  input: t.Object({ ...place, webhook_id: WebhookId, ...revision.properties }),
  output: WebhookReceipt,
  async prepare({ url, events }, { server }) {
    checkEvents(events ?? [])
    if (url !== undefined)
      await server.post.check(url).catch((error) => {
        throw urlFault(error, url)
      })
  },
  async run({ project_id, team_id, webhook_id, ...input }, ctx) {
    peopleOnly(ctx)
    const at = await findPlace(ctx, { project_id, team_id })
    const before = await findWebhook(ctx.tx, at, webhook_id)
    await checkFilters(ctx, at, input)
    const changed = Object.keys(input).filter(
      (name) => JSON.stringify(input[name as never]) !== JSON.stringify(before[name as never]),
    )
    if (!changed.length) return { ...fieldsOf(before), changed }
    const webhook = await setWebhook(ctx.tx, before, changesOf(ctx, before, input))
    emitWebhook(ctx, 'updated', webhook, { changed })
    return { ...fieldsOf(webhook), changed }
  },
})

/** A person who activates a webhook that the server paused takes it over. */
function changesOf(
  { now, caller }: Context,
  before: Webhook,
  input: Static<typeof revision>,
): Partial<Webhook> {
  const isNewUrl = input.url !== undefined && input.url !== before.url
  const isResumed = input.active === true && before.paused_reason !== null
  return {
    ...(input as Partial<Webhook>),
    ...(isNewUrl && { failures: 0, resting_until: null }),
    ...(input.active !== undefined && { paused_reason: null }),
    ...(isResumed && { created_by: caller.actor_id }),
    updated_at: now,
  }
}

export const rotate = operation({
  name: 'board_webhooks.rotate',
  summary: 'Rotate the secret, shown only once; the old one also signs for one more day',
  needs: 'projects:manage',
  elevatedScope: managesTeam,
  destroys: true,
  on: {
    rest: `POST ${ROUTE}/:webhook_id/rotate`,
    cli: { usage: 'hooks rotate <webhook_id>', example: '1 --project-id HOM' },
  },
  input: t.Object({ ...place, webhook_id: WebhookId }),
  output: Rotated,
  prepare: (_, { server }) => newSecret(server),
  async run({ webhook_id, ...input }, ctx, { seed, secret }) {
    peopleOnly(ctx)
    const webhook = await findWebhook(ctx.tx, await findPlace(ctx, input), webhook_id)
    const old_until = new Date(ctx.now.getTime() + OVERLAP_MS)
    await setWebhook(ctx.tx, webhook, {
      ...{ seed, old_seed: webhook.seed, old_until },
      updated_at: ctx.now,
    })
    emitWebhook(ctx, 'rotated', webhook)
    return { webhook_id, secret, old_secret_until: old_until.toISOString() }
  },
})

export const remove = operation({
  name: 'board_webhooks.delete',
  summary: 'Delete a webhook of a board or a team, with what it has not sent yet',
  needs: 'projects:manage',
  elevatedScope: managesTeam,
  destroys: true,
  on: {
    rest: `DELETE ${ROUTE}/:webhook_id`,
    cli: { usage: 'hooks delete <webhook_id>', example: '1 --project-id HOM' },
  },
  input: t.Object({ ...place, webhook_id: WebhookId }),
  output: t.Object({ webhook_id: WebhookId, deleted: t.Literal(true) }),
  async run({ webhook_id, ...input }, ctx) {
    const webhook = await findWebhook(ctx.tx, await findPlace(ctx, input), webhook_id)
    await deleteWebhook(ctx.tx, webhook)
    emitWebhook(ctx, 'deleted', webhook)
    return { webhook_id, deleted: true as const }
  },
})

/** Only the host is logged: the path of the URL may be secret. */
function emitWebhook(
  ctx: Context,
  verb: 'created' | 'updated' | 'rotated' | 'deleted',
  { team_id, project_id, webhook_id, url, events, active }: Webhook,
  extra: object = {},
): void {
  const { host } = new URL(url)
  const place = project_id === null ? { team_id } : { team_id, project_id }
  ctx.emit(`board_webhook.${verb}`, place, { webhook_id, host, events, active, ...extra })
}

function checkEvents(events: readonly string[]): void {
  const index = events.findIndex((name) => !EVENT_NAMES.includes(name as EventName))
  if (index < 0) return
  const near = closestWord(events[index]!, EVENT_NAMES)
  throw fault.invalid(
    `events.${index}`,
    'out_of_range',
    `There is no event ${events[index]}`,
    events[index],
    near ? `Did you mean ${near}?` : `Available events: ${EVENT_NAMES.join(', ')}`,
  )
}

async function checkRoom({ tx }: Context, at: Place): Promise<void> {
  const [row] = await tx.select({ many: count() }).from(webhooks).where(atPlace(at))
  if (row!.many >= MAX_WEBHOOKS)
    throw fault.conflict(`There can be at most ${MAX_WEBHOOKS} webhooks here`, { field: 'url' })
}

interface Filters {
  section_ids?: readonly number[] | null
  label_ids?: readonly number[] | null
}

/** Only webhooks of a board filter by column or label, and only by those of that board. */
async function checkFilters({ tx }: Context, at: Place, filters: Filters): Promise<void> {
  const { team_id, project_id } = at
  for (const field of ['section_ids', 'label_ids'] as const) {
    const ids = filters[field]
    if (!ids) continue
    if (project_id === null)
      throw fault.invalid(field, 'conflict', `${field} is only for webhooks of a board`, ids)
    const board = { team_id, project_id }
    const known = new Set(
      field === 'section_ids'
        ? (await sectionsOf(tx, board)).map(({ section_id }) => section_id)
        : (await labelsOf(tx, board)).map(({ label_id }) => label_id),
    )
    const unknown = ids.find((id) => !known.has(id))
    if (unknown !== undefined)
      throw fault.invalid(field, 'not_found', `${field}: this board has no ${unknown}`, unknown)
  }
}
