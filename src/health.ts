import { undelivered } from './features/webhooks/index.ts'
import { beat } from './store/beat.ts'
import { lastSeq } from './store/log.ts'
import type { OpenStore } from './store/store.ts'
import { troubleOf } from './store/trouble.ts'
import type { Readings } from './surfaces/system/index.ts'

const PATIENCE_MS = 2000
const FRESH_MS = 1000
const MEMORY_MS = 5_000

/** What those who watch over the process are told of it. */
export class Health {
  private asked: { at: number; answer: Promise<string | undefined> } | undefined
  private failed: { at: number; error: unknown } | undefined

  constructor(private readonly store: OpenStore) {}

  /** A large write meets a full disk before the small one that is tried here. */
  heard(error: unknown): void {
    if (troubleOf(error)) this.failed = { at: performance.now(), error }
  }

  /** Why requests should not come here now. Anybody may ask, and each look costs a write. */
  async ailing(): Promise<string | undefined> {
    const now = performance.now()
    if (!this.asked || now - this.asked.at > FRESH_MS)
      this.asked = { at: now, answer: ailing(this.store) }
    const reason = await this.asked.answer
    if (reason || !this.failed || now - this.failed.at > MEMORY_MS) return reason
    return `The database could not be used a moment ago${because(this.failed.error)}`
  }
}

/** Why requests should not come here now; nothing when the database reads and writes. */
export const ailing = async (store: OpenStore): Promise<string | undefined> =>
  (await trouble('read', store.read(lastSeq))) ?? (await trouble('written', store.write(beat)))

async function trouble(what: string, attempt: Promise<unknown>): Promise<string | undefined> {
  let alarm: Timer | undefined
  const late = new Promise<string>((resolve) => {
    alarm = setTimeout(resolve, PATIENCE_MS, `The database could not be ${what} in time`)
  })
  const done = attempt.then(
    () => undefined,
    (error) => `The database cannot be ${what}${because(error)}`,
  )
  const reason = await Promise.race([done, late])
  clearTimeout(alarm)
  return reason
}

function because(error: unknown): string {
  const known = troubleOf(error)
  return known ? `: ${known.what}` : ''
}

export function readings(
  store: OpenStore,
  feed: { readonly size: number },
  index?: Readings['index'],
): Readings {
  let commits = 0
  store.onCommit(() => {
    commits++
  })
  return {
    waiting: () => store.waiting(),
    commits: () => commits,
    newest: () => store.read(lastSeq),
    streams: () => feed.size,
    undelivered: () => store.read(undelivered),
    ...(index && { index }),
  }
}
