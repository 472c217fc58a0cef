import { blocksOf, dataIn, eventIn } from '../blocks.ts'
import { type Ask, type Client, Refused } from '../client.ts'
import { Failed } from '../command.ts'
import type { Outside } from '../outside.ts'
import type { Done, Told } from './told.ts'

/** The server speaks every 15 s; one that does not is not there any more. */
const DEAD_MS = 60_000
const TRIES = 5

/** An answer that can be asked for again, because its request has a key of its own. */
export interface Asked extends Ask {
  key?: string
}

interface Ears {
  client: Client
  outside: Outside
  /** How Ctrl+C is heard: the first one stops the answer, the next one leaves. */
  stop(): void
  tell(told: Told): Promise<void>
}

class Left extends Failed {
  constructor() {
    super('You left; what was said and done until then is kept')
  }
}

/**
 * Hears an answer to its end. After a lost connection it is asked for again, and what was heard of it
 * already is not told twice.
 */
export async function heard(asked: Asked, ears: Ears): Promise<Done> {
  const { client, outside } = ears
  const away = new AbortController()
  let presses = 0
  const deaf = outside.interrupted(() => {
    if (presses++) away.abort(new Left())
    else ears.stop()
  })
  let known = 0
  try {
    for (let turn = 1; ; turn++) {
      const tell = skipping(known, ears.tell, (more) => (known += more))
      const done = await once(asked, { ...ears, tell }, away.signal)
      if (done) return done
      if (!asked.key || turn === TRIES) throw lost(client)
      outside.err('The connection was lost; listening again')
      await outside.sleep(turn * 1000)
    }
  } finally {
    deaf()
  }
}

const lost = ({ url }: Client) =>
  new Failed(
    `The connection to ${url} was lost; the answer goes on there: "cork chat threads" shows where`,
  )

/** Tells of the words only what comes after the first so many. */
function skipping(known: number, tell: Ears['tell'], count: (more: number) => void): Ears['tell'] {
  let at = 0
  return async (told) => {
    if (told.type !== 'text') return tell(told)
    const fresh = told.text.slice(Math.max(0, known - at))
    at += told.text.length
    count(fresh.length)
    if (fresh) await tell({ type: 'text', text: fresh })
  }
}

/** One connection; nothing where it ended before the answer did. */
async function once(asked: Asked, ears: Ears, left: AbortSignal): Promise<Done | undefined> {
  const { client, tell } = ears
  const stop = new AbortController()
  const leave = () => stop.abort()
  left.addEventListener('abort', leave)
  let timer = setTimeout(() => stop.abort(), DEAD_MS)
  try {
    const response = await opened(asked, client, stop.signal)
    for await (const block of blocksOf(response, stop.signal)) {
      clearTimeout(timer)
      timer = setTimeout(() => stop.abort(), DEAD_MS)
      const told = toldIn(block)
      if (told) await tell(told)
      if (told?.type === 'done') return told
    }
    left.throwIfAborted()
    return undefined
  } catch (error) {
    left.throwIfAborted()
    if (error instanceof Failed || error instanceof Refused) throw error
    return undefined
  } finally {
    clearTimeout(timer)
    left.removeEventListener('abort', leave)
  }
}

async function opened({ key, ...ask }: Asked, client: Client, signal: AbortSignal) {
  const headers = { accept: 'text/event-stream', ...(key && { 'idempotency-key': key }) }
  try {
    return await client.open(ask, headers, signal)
  } catch (error) {
    if (error instanceof Refused) throw error
    throw client.isLost(error) && key ? error : client.unanswered(error, ask)
  }
}

function toldIn(block: string): Told | undefined {
  const type = eventIn(block)
  const data = dataIn(block)
  return type && data ? ({ type, ...data } as Told) : undefined
}
