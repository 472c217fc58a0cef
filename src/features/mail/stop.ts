import { timingSafeEqual } from 'node:crypto'
import { and, eq, ne } from 'drizzle-orm'
import type { Clock, Server, Tx } from '../../kernel/caller.ts'
import type { Store } from '../../kernel/dispatch.ts'
import { fault } from '../../kernel/fault.ts'
import { append } from '../../store/log.ts'
import { people } from '../people/index.ts'
import { mailings } from './tables.ts'

type Signing = Pick<Server, 'sign'>

interface Desk {
  store: Store
  server: Signing
  clock: Clock
}

/**
 * What the link of a letter holds: it can end these letters and nothing else, so it need never
 * end itself, and is kept nowhere.
 */
export const stopToken = async (server: Signing, actor_id: number): Promise<string> =>
  `${actor_id}.${Bun.CryptoHasher.hash('sha256', await server.sign({ stop_mail: actor_id }), 'hex')}`

/** What the page behind that link asks for. */
export const mailDesk = ({ store, server, clock }: Desk) => ({
  /** Whose letters the link ends, and whether there are any. */
  async find(token: string): Promise<{ address: string; isMailed: boolean }> {
    const actor_id = await whose(server, token)
    return store.read(async (tx) => {
      const [person] = await tx
        .select({ address: people.email, mode: mailings.mode })
        .from(people)
        .leftJoin(mailings, eq(mailings.actor_id, people.actor_id))
        .where(eq(people.actor_id, actor_id))
      if (!person) throw unknown()
      const { address, mode } = person
      return { address, isMailed: mode !== null && mode !== 'off' }
    })
  },
  /** Done twice it changes nothing more. */
  async stop(token: string): Promise<void> {
    const actor_id = await whose(server, token)
    await store.write((tx) => switchOff(tx, actor_id, clock(), null))
  },
})

export async function switchOff(tx: Tx, actor_id: number, now: Date, last_error: string | null) {
  const stopped = await tx
    .update(mailings)
    .set({ mode: 'off', due_at: null, claimed_until: null, attempts: 0, last_error })
    .where(and(eq(mailings.actor_id, actor_id), ne(mailings.mode, 'off')))
    .returning({ actor_id: mailings.actor_id })
  if (!stopped.length) return
  const data = { fields: ['mode'], mode: 'off' }
  await append(tx, { actor_id }, now, [{ type: 'mail.updated', place: {}, data }])
}

async function whose(server: Signing, token: string): Promise<number> {
  const actor_id = Number(/^([1-9]\d{0,9})\./.exec(token)?.[1] ?? Number.NaN)
  if (Number.isNaN(actor_id)) throw unknown()
  const [shown, made] = [Buffer.from(token), Buffer.from(await stopToken(server, actor_id))]
  if (shown.length !== made.length || !timingSafeEqual(shown, made)) throw unknown()
  return actor_id
}

/** Never quotes the token. */
const unknown = () =>
  fault.notFound(
    'token',
    'This is not a link that this server sent',
    undefined,
    'Use the link of the newest letter, or sign in and change what is mailed',
  )
