import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { hashOf, type SigningKey } from '../../credentials/model/index.ts'
import { people } from '../../people/model/index.ts'
import type { SignInMethod } from '../../sign_ins/model/index.ts'
import { cookieAttributes, parseCookies } from './cookies.ts'

const COOKIE = 'cork_pending'
const LIFETIME_S = 10 * 60
const PURPOSE = 'pending sign-in'

/** A sign-in that still needs a second factor. */
export interface PendingSignIn {
  actor_id: number
  method: SignInMethod
  nonce: string
}

/** A new password ends pending sign-ins with the old one. */
async function passwordMark(tx: Tx, actor_id: number): Promise<string> {
  const [person] = await tx.select().from(people).where(eq(people.actor_id, actor_id))
  return hashOf(person?.password_hash ?? '').slice(0, 12)
}

/** Returns the cookie of a sign-in that still needs a second factor. It grants no access. */
export async function pendingCookie(
  tx: Tx,
  key: SigningKey,
  { actor_id, method }: Pick<PendingSignIn, 'actor_id' | 'method'>,
  now: Date,
  url: string,
): Promise<string> {
  const nonce = randomBytes(16).toString('base64url')
  const mark = await passwordMark(tx, actor_id)
  const text = [actor_id, method, now.getTime(), nonce, mark].join('.')
  return `${COOKIE}=${text}.${key.seal(PURPOSE, text)}; ${cookieAttributes(LIFETIME_S, url)}; HttpOnly`
}

export const clearedPendingCookie = (url: string) =>
  `${COOKIE}=; ${cookieAttributes(0, url)}; HttpOnly`

/** The pending sign-in of a browser; undefined if there is none, or if it is too old or forged. */
export async function readPending(
  tx: Tx,
  key: SigningKey,
  header: string | null,
  now: Date,
): Promise<PendingSignIn | undefined> {
  const parts =
    parseCookies(header ?? '')
      .get(COOKIE)
      ?.split('.') ?? []
  const [actor = '', method = '', time = '', nonce = '', mark = '', seal = ''] = parts
  const text = [actor, method, time, nonce, mark].join('.')
  if (!key.sealed(PURPOSE, text, seal)) return undefined
  if (now.getTime() - Number(time) >= LIFETIME_S * 1000) return undefined
  const actor_id = Number(actor)
  if ((await passwordMark(tx, actor_id)) !== mark) return undefined
  return { actor_id, method: method as SignInMethod, nonce }
}
