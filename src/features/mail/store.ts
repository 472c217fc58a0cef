import { and, eq, inArray, isNull, max, ne } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { held } from '../../store/columns.ts'
import type { Logged } from '../../store/log.ts'
import { isImportant } from '../inbox/index.ts'
import { KINDS, type Kind, notifications } from '../notifications/index.ts'
import { people } from '../people/index.ts'
import { dueAfter } from './rules.ts'
import type { Changes, Preferences } from './schema.ts'
import { mailings } from './tables.ts'

export type Mailing = typeof mailings.$inferSelect

const IMPORTANT = KINDS.filter(isImportant)
export const kindsOf = ({ kinds }: Pick<Mailing, 'kinds'>): readonly Kind[] => kinds ?? IMPORTANT

const DEFAULTS = { mode: 'off', kinds: null, hour: 8 } as const
const FRESH = { due_at: null, attempts: 0, claimed_until: null, sent_at: null, last_error: null }

/** An agent has no address; whoever owns it is told what concerns them. */
export function asPerson({ caller }: Pick<Context, 'caller'>): number {
  if (caller.kind === 'person') return caller.actor_id
  throw fault.forbidden(
    'An agent has no address that mail could go to',
    'Its owner may ask for mail',
  )
}

export async function preferences(ctx: Context): Promise<Preferences> {
  const own = asPerson(ctx)
  const { email, time_zone } = await personOf(ctx.tx, own)
  const [kept] = await ctx.tx.select().from(mailings).where(eq(mailings.actor_id, own))
  const row = kept ?? { ...DEFAULTS, ...FRESH }
  const iso = (moment: Date | null) => moment?.toISOString() ?? null
  return {
    ...{ mode: row.mode, kinds: [...kindsOf(row)], hour: row.hour },
    ...{ time_zone, address: email, available: ctx.server.mail.available },
    next_at: iso(row.due_at),
    last_sent_at: iso(row.sent_at),
    last_error: row.last_error,
  }
}

export async function personOf(tx: Tx, actor_id: number) {
  const [person] = await tx.select().from(people).where(eq(people.actor_id, actor_id))
  return person!
}

/** What happened before somebody asked for mail is not told by it. */
export async function change(ctx: Context, changes: Changes): Promise<void> {
  const { tx, now } = ctx
  const actor_id = asPerson(ctx)
  const start = { mark: await newest(tx, actor_id), marked_at: now }
  await tx
    .insert(mailings)
    .values({ actor_id, ...DEFAULTS, ...FRESH, ...start })
    .onConflictDoNothing()
  const own = eq(mailings.actor_id, actor_id)
  const [before] = await held(tx.select().from(mailings).where(own))
  const after = { ...before!, ...changes }
  const { time_zone } = await personOf(tx, actor_id)
  const isTurned = after.mode !== before!.mode || after.hour !== before!.hour
  const isWaiting = isTurned && after.mode !== 'off' && before!.due_at !== null
  await tx
    .update(mailings)
    .set({
      ...{ mode: after.mode, hour: after.hour },
      kinds: after.kinds && [...new Set(after.kinds)],
      ...(before!.mode === 'off' && after.mode !== 'off' && { ...start, ...FRESH_START }),
      ...(after.mode === 'off' && { due_at: null, claimed_until: null, attempts: 0 }),
      // What waits goes out when it is wanted by now.
      ...(isWaiting && { attempts: 0, due_at: dueAfter(now, { ...after, time_zone }) }),
    })
    .where(own)
}

const FRESH_START = { attempts: 0, last_error: null }

async function newest(tx: Tx, actor_id: number): Promise<number> {
  const [row] = await tx
    .select({ mark: max(notifications.notification_id) })
    .from(notifications)
    .where(eq(notifications.actor_id, actor_id))
  return row?.mark ?? 0
}

/** Of a batch of changes: whose letter may have become due, by what, and when. */
interface Cause {
  actor_id: number
  kind?: Kind
  at: Date
}

/** Sees to it that a letter is due to whoever was told something, unless one is already. */
export async function queueMail(tx: Tx, changes: readonly Logged[]): Promise<void> {
  const causes = changes.flatMap((one) => causeOf(one) ?? [])
  const ids = [...new Set(causes.map(({ actor_id }) => actor_id))]
  if (!ids.length) return
  const wanted = and(inArray(mailings.actor_id, ids), ne(mailings.mode, 'off'))
  const rows = await tx
    .select({ mailing: mailings, time_zone: people.time_zone })
    .from(mailings)
    .innerJoin(people, eq(people.actor_id, mailings.actor_id))
    .where(wanted)
  const wishes = new Map(rows.map((row) => [row.mailing.actor_id, row]))
  for (const { actor_id, kind, at } of causes) {
    const found = wishes.get(actor_id)
    if (!found) continue
    const { mailing, time_zone } = found
    const due_at = dueAfter(at, { ...mailing, time_zone })
    if (kind && kindsOf(mailing).includes(kind)) await setDue(tx, actor_id, due_at)
    else if (!kind && mailing.mode === 'daily') await moveDue(tx, mailing, due_at)
  }
}

function causeOf({ type, actor_id, data, created_at: at }: Logged): Cause | undefined {
  const said = data as { kind?: Kind; user_id?: number; fields?: string[] }
  if (type === 'notification.created' && said.kind) return { actor_id, kind: said.kind, at }
  if (type === 'inbox.moved' && said.user_id)
    return { actor_id: said.user_id, kind: 'moved_to_inbox', at }
  const isElsewhere = type === 'profile.updated' && said.fields?.includes('time_zone')
  return isElsewhere ? { actor_id, at } : undefined
}

const setDue = (tx: Tx, actor_id: number, due_at: Date) =>
  tx
    .update(mailings)
    .set({ due_at })
    .where(and(eq(mailings.actor_id, actor_id), ne(mailings.mode, 'off'), isNull(mailings.due_at)))

/** Whoever moved reads the daily letter at that hour of the new place. */
async function moveDue(tx: Tx, { actor_id, attempts, due_at }: Mailing, next: Date) {
  if (attempts || !due_at) return
  await tx
    .update(mailings)
    .set({ due_at: next })
    .where(and(eq(mailings.actor_id, actor_id), eq(mailings.due_at, due_at)))
}
