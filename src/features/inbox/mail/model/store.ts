import { and, eq, inArray, isNull, max, ne } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { forUpdate } from '../../../../store/columns.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { people } from '../../../identity/people/model/index.ts'
import { isImportant } from '../../inbox/model/index.ts'
import { KINDS, type Kind, notifications } from '../../notifications/model/index.ts'
import { dueAfter } from './rules.ts'
import type { Changes, Preferences } from './schema.ts'
import { mailings } from './tables.ts'

export type EmailSchedule = typeof mailings.$inferSelect

const IMPORTANT = KINDS.filter(isImportant)
export const kindsOf = ({ kinds }: Pick<EmailSchedule, 'kinds'>): readonly Kind[] =>
  kinds ?? IMPORTANT

const DEFAULTS = { mode: 'off', kinds: null, hour: 8 } as const
const INITIAL = { due_at: null, attempts: 0, claimed_until: null, sent_at: null, last_error: null }

/** Throws for agents: an agent has no email address. */
export function requirePerson({ caller }: Pick<Context, 'caller'>): number {
  if (caller.kind === 'person') return caller.actor_id
  throw fault.forbidden('Agents do not receive email', 'The owner of the agent can turn on email')
}

export async function preferences(ctx: Context): Promise<Preferences> {
  const actor_id = requirePerson(ctx)
  const { email, time_zone } = await personOf(ctx.tx, actor_id)
  const [saved] = await ctx.tx.select().from(mailings).where(eq(mailings.actor_id, actor_id))
  const row = saved ?? { ...DEFAULTS, ...INITIAL }
  const toIso = (moment: Date | null) => moment?.toISOString() ?? null
  return {
    mode: row.mode,
    kinds: [...kindsOf(row)],
    hour: row.hour,
    time_zone,
    address: email,
    available: ctx.server.mail.available,
    next_at: toIso(row.due_at),
    last_sent_at: toIso(row.sent_at),
    last_error: row.last_error,
  }
}

export async function personOf(tx: Tx, actor_id: number) {
  const [person] = await tx.select().from(people).where(eq(people.actor_id, actor_id))
  return person!
}

/** Changes the preferences. Switching emails on does not send notifications from before. */
export async function changePreferences(ctx: Context, changes: Changes): Promise<void> {
  const { tx, now } = ctx
  const actor_id = requirePerson(ctx)
  const baseline = { mark: await newestNotification(tx, actor_id), marked_at: now }
  await tx
    .insert(mailings)
    .values({ actor_id, ...DEFAULTS, ...INITIAL, ...baseline })
    .onConflictDoNothing()
  const ofActor = eq(mailings.actor_id, actor_id)
  const [before] = await forUpdate(tx.select().from(mailings).where(ofActor))
  const after = { ...before!, ...changes }
  const { time_zone } = await personOf(tx, actor_id)
  const isRescheduled = after.mode !== before!.mode || after.hour !== before!.hour
  const hasPending = isRescheduled && after.mode !== 'off' && before!.due_at !== null
  await tx
    .update(mailings)
    .set({
      mode: after.mode,
      hour: after.hour,
      kinds: after.kinds && [...new Set(after.kinds)],
      ...(before!.mode === 'off' && after.mode !== 'off' && { ...baseline, ...NO_FAILURES }),
      ...(after.mode === 'off' && { due_at: null, claimed_until: null, attempts: 0 }),
      // A pending email moves to the newly chosen time.
      ...(hasPending && { attempts: 0, due_at: dueAfter(now, { ...after, time_zone }) }),
    })
    .where(ofActor)
}

const NO_FAILURES = { attempts: 0, last_error: null }

async function newestNotification(tx: Tx, actor_id: number): Promise<number> {
  const [row] = await tx
    .select({ mark: max(notifications.notification_id) })
    .from(notifications)
    .where(eq(notifications.actor_id, actor_id))
  return row?.mark ?? 0
}

/** A change that may make an email due or move it. Without a kind the person changed time zones. */
interface Cause {
  actor_id: number
  kind?: Kind
  at: Date
}

/** Schedules an email for everyone who got a notification, unless one is due already. */
export async function queueMail(tx: Tx, changes: readonly LoggedChange[]): Promise<void> {
  const causes = changes.flatMap((change) => causeOf(change) ?? [])
  const ids = [...new Set(causes.map(({ actor_id }) => actor_id))]
  if (!ids.length) return
  const enabled = and(inArray(mailings.actor_id, ids), ne(mailings.mode, 'off'))
  const rows = await tx
    .select({ mailing: mailings, time_zone: people.time_zone })
    .from(mailings)
    .innerJoin(people, eq(people.actor_id, mailings.actor_id))
    .where(enabled)
  const schedules = new Map(rows.map((row) => [row.mailing.actor_id, row]))
  for (const { actor_id, kind, at } of causes) {
    const row = schedules.get(actor_id)
    if (!row) continue
    const { mailing, time_zone } = row
    const due_at = dueAfter(at, { ...mailing, time_zone })
    if (kind && kindsOf(mailing).includes(kind)) await setDueIfNone(tx, actor_id, due_at)
    else if (!kind && mailing.mode === 'daily') await reschedule(tx, mailing, due_at)
  }
}

function causeOf({ type, actor_id, data, created_at: at }: LoggedChange): Cause | undefined {
  const fields = data as { kind?: Kind; user_id?: number; fields?: string[] }
  if (type === 'notification.created' && fields.kind) return { actor_id, kind: fields.kind, at }
  if (type === 'inbox.moved' && fields.user_id)
    return { actor_id: fields.user_id, kind: 'moved_to_inbox', at }
  const hasMoved = type === 'profile.updated' && fields.fields?.includes('time_zone')
  return hasMoved ? { actor_id, at } : undefined
}

const setDueIfNone = (tx: Tx, actor_id: number, due_at: Date) =>
  tx
    .update(mailings)
    .set({ due_at })
    .where(and(eq(mailings.actor_id, actor_id), ne(mailings.mode, 'off'), isNull(mailings.due_at)))

/** Moves the daily email to the same hour in the new time zone. */
async function reschedule(tx: Tx, { actor_id, attempts, due_at }: EmailSchedule, next: Date) {
  if (attempts || !due_at) return
  await tx
    .update(mailings)
    .set({ due_at: next })
    .where(and(eq(mailings.actor_id, actor_id), eq(mailings.due_at, due_at)))
}
