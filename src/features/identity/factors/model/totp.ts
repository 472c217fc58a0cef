import { randomBytes } from 'node:crypto'
import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { Server, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { authenticatorApps } from './tables.ts'

const PURPOSE = 'authenticator app'
const PERIOD_MS = 30_000
/** The length that RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Clocks of phones may be off by a period. */
const WINDOW = 1

type AppRow = typeof authenticatorApps.$inferSelect

export async function appOf(tx: Tx, actor_id: number): Promise<AppRow | undefined> {
  const [row] = await tx
    .select()
    .from(authenticatorApps)
    .where(eq(authenticatorApps.actor_id, actor_id))
  return row
}

/** A new secret with its address and QR code for authenticator apps. */
export async function newSecret({ url }: Pick<Server, 'url'>, account: string) {
  const [{ Secret, TOTP }, { renderSVG }] = await Promise.all([import('otpauth'), import('uqr')])
  const secret = new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer })
  const issuer = `Corkboard (${new URL(url).host})`
  const address = new TOTP({ issuer, label: account, secret }).toString()
  return { secret: secret.base32, url: address, qr_svg: renderSVG(address, { border: 2 }) }
}

/** Stores a secret until its first code confirms it. It replaces an unconfirmed one. */
export async function storeSecret(
  tx: Tx,
  server: Pick<Server, 'encrypt'>,
  { actor_id, secret }: { actor_id: number; secret: string },
  now: Date,
): Promise<void> {
  const values = { secret: server.encrypt(PURPOSE, secret), created_at: now }
  const stored = await tx
    .insert(authenticatorApps)
    .values({ actor_id, ...values })
    .onConflictDoUpdate({
      target: authenticatorApps.actor_id,
      set: { ...values, last_period: null, last_used_at: null },
      setWhere: isNull(authenticatorApps.confirmed_at),
    })
    .returning({ actor_id: authenticatorApps.actor_id })
  if (!stored.length)
    throw fault.conflict(
      'You already have an authenticator app',
      {},
      'Remove it first, then set up the new one',
    )
}

/** Returns the period that a code is for, or undefined if it is wrong or too old. */
export async function periodOf(
  server: Pick<Server, 'decrypt'>,
  { secret, last_period }: AppRow,
  code: string,
  now: Date,
): Promise<number | undefined> {
  const { Secret, TOTP } = await import('otpauth')
  const timestamp = now.getTime()
  const totp = new TOTP({ secret: Secret.fromBase32(server.decrypt(PURPOSE, secret)) })
  const delta = totp.validate({ token: code, timestamp, window: WINDOW })
  if (delta === null) return undefined
  const period = Math.floor(timestamp / PERIOD_MS) + delta
  return last_period !== null && period <= last_period ? undefined : period
}

/** Accepts the first code of an app. False if the app was set up again meanwhile. */
export async function confirmApp(
  tx: Tx,
  { actor_id, secret }: AppRow,
  period: number,
  now: Date,
): Promise<boolean> {
  const confirmed = await tx
    .update(authenticatorApps)
    .set({ confirmed_at: now, last_period: period, last_used_at: now })
    .where(
      and(
        eq(authenticatorApps.actor_id, actor_id),
        eq(authenticatorApps.secret, secret),
        isNull(authenticatorApps.confirmed_at),
      ),
    )
    .returning({ actor_id: authenticatorApps.actor_id })
  return confirmed.length > 0
}

/** Accepts the code of a period, once. */
export async function usePeriod(
  tx: Tx,
  { actor_id, secret }: AppRow,
  period: number,
  now: Date,
): Promise<boolean> {
  const used = await tx
    .update(authenticatorApps)
    .set({ last_period: period, last_used_at: now })
    .where(
      and(
        eq(authenticatorApps.actor_id, actor_id),
        eq(authenticatorApps.secret, secret),
        isNotNull(authenticatorApps.confirmed_at),
        or(isNull(authenticatorApps.last_period), lt(authenticatorApps.last_period, period)),
      ),
    )
    .returning({ actor_id: authenticatorApps.actor_id })
  return used.length > 0
}

/** Removes the app; false if there is none that counts. */
export async function deleteApp(tx: Tx, actor_id: number): Promise<boolean> {
  const isConfirmed = and(
    eq(authenticatorApps.actor_id, actor_id),
    isNotNull(authenticatorApps.confirmed_at),
  )
  const deleted = await tx.delete(authenticatorApps).where(isConfirmed).returning()
  return deleted.length > 0
}
