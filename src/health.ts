import { lastSeq } from './store/log.ts'
import type { OpenStore } from './store/sqlite.ts'
import type { Readings } from './surfaces/system/index.ts'

const PATIENCE_MS = 2000

/** Why requests should not come here now; nothing when the database reads and writes. */
export async function ailing(store: OpenStore): Promise<string | undefined> {
  return (
    (await trouble('read', store.read(lastSeq))) ??
    (await trouble(
      'written',
      store.write(async () => undefined),
    ))
  )
}

async function trouble(what: string, attempt: Promise<unknown>): Promise<string | undefined> {
  let alarm: Timer | undefined
  const late = new Promise<string>((resolve) => {
    alarm = setTimeout(resolve, PATIENCE_MS, `The database could not be ${what} in time`)
  })
  const done = attempt.then(
    () => undefined,
    () => `The database cannot be ${what}`,
  )
  const reason = await Promise.race([done, late])
  clearTimeout(alarm)
  return reason
}

export function readings(store: OpenStore, feed: { readonly size: number }): Readings {
  let commits = 0
  store.onCommit(() => {
    commits++
  })
  return {
    waiting: () => store.waiting(),
    commits: () => commits,
    newest: () => store.read(lastSeq),
    streams: () => feed.size,
  }
}
