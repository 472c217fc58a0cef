import { and, count, eq, inArray, isNull } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { missingScope } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { findTeam } from '../../../identity/teams/model/index.ts'
import { findProject, mayManage } from '../../projects/model/index.ts'
import type { WebhookRow } from './schema.ts'
import {
  boardWebhookDeliveries as deliveries,
  boardWebhookMessages as messages,
  boardWebhooks as webhooks,
} from './tables.ts'

export type Webhook = typeof webhooks.$inferSelect

/** A board, or a team with all its boards. */
export interface Place {
  team_id: number
  project_id: number | null
}

interface PlaceInput {
  project_id?: number
  team_id?: number | string
}

/** The place that the input names, if the caller may manage it. */
export async function findPlace(ctx: Context, { project_id, team_id }: PlaceInput): Promise<Place> {
  if ((project_id === undefined) === (team_id === undefined))
    throw fault.invalid(
      'project_id',
      'required',
      'Name either a board (project_id) or a team (team_id)',
    )
  if (project_id !== undefined) {
    const project = await findProject(ctx, project_id)
    if (!mayManage(ctx.caller, project)) throw missingScope('projects:manage')
    return project
  }
  const team = await findTeam(ctx, team_id!)
  const role = ctx.caller.teams.get(team.team_id)!
  // A credential for certain boards must not receive events of others.
  if (!['owner', 'admin'].includes(role) || ctx.caller.projects)
    throw missingScope('teams:manage', role)
  return { team_id: team.team_id, project_id: null }
}

export const atPlace = ({ team_id, project_id }: Place) =>
  and(
    eq(webhooks.team_id, team_id),
    project_id === null ? isNull(webhooks.project_id) : eq(webhooks.project_id, project_id),
  )

export async function findWebhook(tx: Tx, place: Place, webhook_id: number): Promise<Webhook> {
  const [webhook] = await forUpdate(
    tx
      .select()
      .from(webhooks)
      .where(and(atPlace(place), eq(webhooks.webhook_id, webhook_id))),
  )
  if (webhook) return webhook
  throw fault.notFound(
    'webhook_id',
    `There is no webhook ${webhook_id} here`,
    webhook_id,
    'List them: GET /api/v1/projects/{project_id}/webhooks',
  )
}

/** Loads and locks a webhook. */
export async function lockWebhook(tx: Tx, webhook_id: number): Promise<Webhook | undefined> {
  const [webhook] = await forUpdate(
    tx.select().from(webhooks).where(eq(webhooks.webhook_id, webhook_id)),
  )
  return webhook
}

/** The webhooks of a board, for rules that send to them. */
export const webhooksOf = (tx: Tx, place: Place): Promise<Webhook[]> =>
  tx.select().from(webhooks).where(atPlace(place)).orderBy(webhooks.webhook_id)

export async function setWebhook(
  tx: Tx,
  webhook: Webhook,
  set: Partial<Omit<Webhook, 'webhook_id' | 'team_id' | 'project_id'>>,
): Promise<Webhook> {
  await tx.update(webhooks).set(set).where(eq(webhooks.webhook_id, webhook.webhook_id))
  return { ...webhook, ...set }
}

export async function deleteWebhook(tx: Tx, { webhook_id }: Webhook): Promise<void> {
  await tx.delete(messages).where(eq(messages.webhook_id, webhook_id))
  await tx.delete(deliveries).where(eq(deliveries.webhook_id, webhook_id))
  await tx.delete(webhooks).where(eq(webhooks.webhook_id, webhook_id))
}

export const fieldsOf = ({
  webhook_id,
  project_id,
  url,
  events,
  section_ids,
  label_ids,
  active,
}: Webhook) => ({ webhook_id, project_id, url, events, section_ids, label_ids, active })

export async function toRows(
  { tx, now }: Context,
  rows: readonly Webhook[],
): Promise<WebhookRow[]> {
  const creators = await actorsOf(
    tx,
    rows.map(({ created_by }) => created_by),
  )
  const waiting = await waitingOf(tx, rows)
  const iso = (at: Date | null) => at?.toISOString() ?? null
  return rows.map((row) => ({
    ...fieldsOf(row),
    paused_reason: row.paused_reason,
    waiting: waiting.get(row.webhook_id) ?? 0,
    failures: row.failures,
    resting_until: iso(row.resting_until),
    last_delivered_at: iso(row.delivered_at),
    old_secret_until: iso(row.old_until && row.old_until > now ? row.old_until : null),
    created_by: asActor(creators.get(row.created_by)!),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }))
}

async function waitingOf(tx: Tx, rows: readonly Webhook[]): Promise<Map<number, number>> {
  if (!rows.length) return new Map()
  const { webhook_id } = messages
  const counts = await tx
    .select({ webhook_id, many: count() })
    .from(messages)
    .where(
      inArray(
        webhook_id,
        rows.map((row) => row.webhook_id),
      ),
    )
    .groupBy(webhook_id)
  return new Map(counts.map((row) => [row.webhook_id, row.many]))
}
