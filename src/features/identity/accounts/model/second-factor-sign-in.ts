import type { Tx } from '../../../../kernel/caller.ts'
import { Fault } from '../../../../kernel/fault.ts'
import {
  type Assertion,
  allowsPasskeys,
  type ChallengeFor,
  factorsOf,
  passkeysOf,
  recoveryCodesOf,
  requestOptions,
  usePasskey,
} from '../../factors/model/index.ts'
import type { SecondFactor } from '../../sign_ins/model/index.ts'
import { requireCode } from './codes.ts'
import type { Complete } from './complete.ts'
import { readDeviceCookie } from './devices.ts'
import { checkPasskey } from './passkey-sign-in.ts'
import { type PendingSignIn, readPending } from './pending-sign-in.ts'
import type { AccountServices } from './services.ts'
import { type ClientInfo, recordFailedSignIn } from './signin.ts'

type Cookies = Pick<ClientInfo, 'cookies'>

/** The ways in which a person can finish a pending sign-in. */
export interface WaysToVerify {
  app: boolean
  recoveryCode: boolean
  passkey: boolean
}

/** The second factors of pending sign-ins. */
export function secondFactorOf(services: AccountServices, complete: Complete) {
  const { store, clock, server, key } = services
  const find = (tx: Tx, { cookies }: Cookies) => readPending(tx, key, cookies, clock())
  return {
    /** Undefined if the browser has no pending sign-in. */
    ways: (client: Cookies): Promise<WaysToVerify | undefined> =>
      store.read(async (tx) => {
        const pending = await find(tx, client)
        return pending && waysOf(tx, pending.actor_id, server.url)
      }),
    async passkeyOptions(client: Cookies) {
      const { actor_id, nonce } = required(await store.read((tx) => find(tx, client)))
      const passkeys = await store.read((tx) => passkeysOf(tx, actor_id))
      return requestOptions(server, passkeys, secondFactor(nonce), clock())
    },
    async verifyPasskey(assertion: Assertion, client: ClientInfo) {
      const pending = required(await store.read((tx) => find(tx, client)))
      const used = await checkPasskey(services, assertion, secondFactor(pending.nonce))
      if (used.actor_id !== pending.actor_id) throw foreignPasskey()
      const proof = proofOf(pending, 'passkey')
      return complete(proof, client, (tx, now) => usePasskey(tx, used, now))
    },
    async verifyCode(code: string, client: ClientInfo) {
      const pending = required(await store.read((tx) => find(tx, client)))
      const { factor, use } = await checkCodeOf(services, pending, code, client)
      return complete(proofOf(pending, factor), client, use)
    },
  }
}

const secondFactor = (holder: string): ChallengeFor => ({ ceremony: 'second factor', holder })

const proofOf = ({ actor_id, method }: PendingSignIn, second_factor: SecondFactor) => ({
  ...{ actor_id, method, second_factor },
})

function required(pending: PendingSignIn | undefined): PendingSignIn {
  if (pending) return pending
  throw new Fault('unauthenticated', 'This sign-in has expired', {}, 'Sign in again')
}

async function waysOf(tx: Tx, actor_id: number, url: string): Promise<WaysToVerify> {
  const { app, passkeys } = await factorsOf(tx, actor_id)
  const codes = await recoveryCodesOf(tx, actor_id)
  const recoveryCode = (codes?.left ?? 0) > 0
  return { app, recoveryCode, passkey: passkeys > 0 && allowsPasskeys(url) }
}

/** Checks a code. A wrong one is recorded as a failed sign-in. */
async function checkCodeOf(
  services: AccountServices,
  { actor_id }: PendingSignIn,
  code: string,
  client: ClientInfo,
) {
  const { store, server, clock } = services
  const reading = {
    server,
    read: <T>(job: (tx: Tx) => Promise<T>) => store.read(job),
    now: clock(),
  }
  const guess = { actor_id, code, source: sourceOf(services, actor_id, client) }
  try {
    return await requireCode(reading, guess)
  } catch (error) {
    if (error instanceof Fault && error.code === 'invalid')
      await store.write((tx) => recordFailedSignIn(tx, actor_id, client.address, clock()))
    throw error
  }
}

/**
 * Only somebody who knows the password gets here, so all unknown browsers share one throttle. One
 * in which the person has signed in before has its own, so that a thief cannot lock them out.
 */
function sourceOf({ key }: AccountServices, actor_id: number, { cookies }: ClientInfo): string {
  const device = readDeviceCookie(key, cookies)
  return device?.people.includes(actor_id) ? device.id : 'unknown'
}

const foreignPasskey = () =>
  new Fault('forbidden', 'This passkey belongs to another account', {}, 'Use one of your own')
