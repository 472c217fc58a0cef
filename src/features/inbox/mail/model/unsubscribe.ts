import { timingSafeEqual } from 'node:crypto'
import { and, eq, ne } from 'drizzle-orm'
import type { Clock, Server, Tx } from '../../../../kernel/caller.ts'
import type { Store } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { append } from '../../../../store/log.ts'
import { people } from '../../../identity/people/model/index.ts'
import { mailings } from './tables.ts'

type Signer = Pick<Server, 'sign'>

interface Dependencies {
  store: Store
  server: Signer
  clock: Clock
}

/**
 * The token of the unsubscribe link. It only switches these emails off, so it never expires and is
 * not stored.
 */
export const stopToken = async (server: Signer, actor_id: number): Promise<string> =>
  `${actor_id}.${Bun.CryptoHasher.hash('sha256', await server.sign({ stop_mail: actor_id }), 'hex')}`

/** Operations of the unsubscribe page. */
export const unsubscribePage = ({ store, server, clock }: Dependencies) => ({
  /** The address that the link unsubscribes, and whether it receives emails now. */
  async find(token: string): Promise<{ address: string; isMailed: boolean }> {
    const actor_id = await verifyToken(server, token)
    return store.read(async (tx) => {
      const [person] = await tx
        .select({ address: people.email, mode: mailings.mode })
        .from(people)
        .leftJoin(mailings, eq(mailings.actor_id, people.actor_id))
        .where(eq(people.actor_id, actor_id))
      if (!person) throw unknownLink()
      const { address, mode } = person
      return { address, isMailed: mode !== null && mode !== 'off' }
    })
  },
  /** Switches the emails off. Idempotent. */
  async stop(token: string): Promise<void> {
    const actor_id = await verifyToken(server, token)
    await store.write((tx) => switchOff(tx, actor_id, clock(), null))
  },
})

export async function switchOff(tx: Tx, actor_id: number, now: Date, last_error: string | null) {
  const changed = await tx
    .update(mailings)
    .set({ mode: 'off', due_at: null, claimed_until: null, attempts: 0, last_error })
    .where(and(eq(mailings.actor_id, actor_id), ne(mailings.mode, 'off')))
    .returning({ actor_id: mailings.actor_id })
  if (!changed.length) return
  const data = { fields: ['mode'], mode: 'off' }
  await append(tx, { actor_id }, now, [{ type: 'mail.updated', place: {}, data }])
}

async function verifyToken(server: Signer, token: string): Promise<number> {
  const actor_id = Number(/^([1-9]\d{0,9})\./.exec(token)?.[1] ?? Number.NaN)
  if (Number.isNaN(actor_id)) throw unknownLink()
  const [given, expected] = [Buffer.from(token), Buffer.from(await stopToken(server, actor_id))]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw unknownLink()
  return actor_id
}

/** The fault does not contain the token, so that it cannot leak into logs. */
const unknownLink = () =>
  fault.notFound(
    'token',
    'This unsubscribe link is not valid',
    undefined,
    'Use the link in your newest email, or sign in and change your email settings',
  )
