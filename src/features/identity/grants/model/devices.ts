import { randomBytes, randomInt } from 'node:crypto'
import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { hashOf } from '../../credentials/model/index.ts'
import { type Exchange, type Exchanged, firstTokens, type TokenRequest } from './exchange.ts'
import { oauthFault } from './oauth-fault.ts'
import { newUserCode, parseUserCode, showUserCode } from './rules.ts'
import { DEVICE_MS, POLL_S } from './schema.ts'
import { findGrant } from './store.ts'
import { deviceRequests, grants } from './tables.ts'
import { checkGrant, invalidGrant } from './tokens.ts'

export type DeviceRequest = typeof deviceRequests.$inferSelect

export interface NewDeviceRequest {
  client_id: string
  client_name: string
  resource: string
  scope: string | null
}

/** Begins the sign-in of a device (RFC 8628): it polls while a person types the code. */
export async function beginDevice({ tx, now, url }: Exchange, request: NewDeviceRequest) {
  const device_code = randomBytes(32).toString('base64url')
  const user_code = newUserCode((max) => randomInt(max))
  const expires_at = new Date(now.getTime() + DEVICE_MS)
  const hashes = { device_hash: hashOf(device_code), user_code }
  await tx.insert(deviceRequests).values({ ...request, ...hashes, created_at: now, expires_at })
  const shown = showUserCode(user_code)
  return {
    device_code,
    user_code: shown,
    verification_uri: `${url}/device`,
    verification_uri_complete: `${url}/device?code=${shown}`,
    expires_in: DEVICE_MS / 1000,
    interval: POLL_S,
  }
}

/** The open request with a code that a person typed. */
export async function deviceByCode(tx: Tx, typed: string, now: Date): Promise<DeviceRequest> {
  const user_code = parseUserCode(typed)
  const [row] = user_code
    ? await tx
        .select()
        .from(deviceRequests)
        .where(and(eq(deviceRequests.user_code, user_code), isOpen(now)))
    : []
  if (row) return row
  throw fault.invalid(
    'code',
    'not_found',
    'No device waits for this code',
    undefined,
    'Check it, or start again on the device: codes expire after 15 minutes',
  )
}

const isOpen = (now: Date) =>
  and(
    isNull(deviceRequests.credential_id),
    isNull(deviceRequests.denied_at),
    gt(deviceRequests.expires_at, now),
  )

/** Answers a request of a device: with a grant, or with a refusal. Throws if it is not open. */
export async function answerDevice(
  tx: Tx,
  request_id: number,
  answer: { credential_id: number } | { denied_at: Date },
  now: Date,
): Promise<void> {
  const rows = await tx
    .update(deviceRequests)
    .set(answer)
    .where(and(eq(deviceRequests.request_id, request_id), isOpen(now)))
    .returning({ request_id: deviceRequests.request_id })
  if (rows.length) return
  throw fault.conflict('This code was used or has expired', {}, 'Start again on the device')
}

/** One poll of a device: tokens once the person has allowed it. */
export async function pollDevice(exchange: Exchange, request: TokenRequest): Promise<Exchanged> {
  const { tx, now } = exchange
  const { device_code = '', client_id = '' } = request
  const isDevice = eq(deviceRequests.device_hash, hashOf(device_code))
  const [row] = await tx.select().from(deviceRequests).where(isDevice)
  if (!row || row.client_id !== client_id)
    throw invalidGrant('The device_code is unknown or of another client')
  if (row.denied_at) throw oauthFault('access_denied', 'The person refused the access')
  if (row.credential_id !== null) {
    const isGrant = eq(grants.credential_id, row.credential_id)
    return firstTokens(exchange, checkGrant(await findGrant(tx, isGrant), client_id, now))
  }
  if (row.expires_at <= now) throw oauthFault('expired_token', 'The code has expired')
  await tx.update(deviceRequests).set({ polled_at: now }).where(isDevice)
  return isTooFast(row, now)
    ? oauthFault('slow_down', `Wait ${POLL_S} seconds longer between two polls`)
    : oauthFault('authorization_pending', 'The person has not answered yet')
}

/** A second less than announced, because requests do not take equally long. */
const isTooFast = ({ polled_at }: DeviceRequest, now: Date) =>
  polled_at !== null && now.getTime() - polled_at.getTime() < (POLL_S - 1) * 1000
