import { undelivered } from '../features/agents/webhooks/model/index.ts'
import { problemOf } from '../store/errors.ts'
import { lastSeq } from '../store/log.ts'
import { probeWrite } from '../store/probe.ts'
import type { OpenStore } from '../store/store.ts'
import type { Readings } from '../surfaces/system/index.ts'

const TIMEOUT_MS = 2000
const CHECK_TTL_MS = 1000
const FAILURE_TTL_MS = 5_000

/** Tells monitors whether the server can answer requests. */
export class Health {
  private lastCheck: { at: number; answer: Promise<string | undefined> } | undefined
  private lastFailure: { at: number; error: unknown } | undefined

  constructor(private readonly store: OpenStore) {}

  /**
   * Remembers database errors of requests: a large write meets a full disk before the probe does.
   */
  recordError(error: unknown): void {
    if (problemOf(error)) this.lastFailure = { at: performance.now(), error }
  }

  /**
   * The reason why the server cannot take requests now, or undefined. Anybody may ask, and each
   * check costs a write, so a result is reused for a second.
   */
  async notReadyReason(): Promise<string | undefined> {
    const now = performance.now()
    if (!this.lastCheck || now - this.lastCheck.at > CHECK_TTL_MS)
      this.lastCheck = { at: now, answer: notReadyReason(this.store) }
    const reason = await this.lastCheck.answer
    if (reason || !this.lastFailure || now - this.lastFailure.at > FAILURE_TTL_MS) return reason
    return `The database could not be used a moment ago${causeOf(this.lastFailure.error)}`
  }
}

/** Reads and writes in the database. Returns the reason if one of them fails, or undefined. */
export const notReadyReason = async (store: OpenStore): Promise<string | undefined> =>
  (await failureOf('read', store.read(lastSeq))) ??
  (await failureOf('written', store.write(probeWrite)))

async function failureOf(what: string, attempt: Promise<unknown>): Promise<string | undefined> {
  let timer: Timer | undefined
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS, `The database could not be ${what} in time`)
  })
  const result = attempt.then(
    () => undefined,
    (error) => `The database cannot be ${what}${causeOf(error)}`,
  )
  const reason = await Promise.race([result, timeout])
  clearTimeout(timer)
  return reason
}

function causeOf(error: unknown): string {
  const problem = problemOf(error)
  return problem ? `: ${problem.problem}` : ''
}

export function createReadings(
  store: OpenStore,
  feed: { readonly size: number },
  index?: Readings['index'],
): Readings {
  const { replicas } = store
  let commits = 0
  store.onCommit(() => {
    commits++
  })
  return {
    waiting: () => store.queueLength(),
    commits: () => commits,
    newest: () => store.read(lastSeq),
    streams: () => feed.size,
    undelivered: () => store.read(undelivered),
    ...(replicas && { replicas: () => replicas.states().catch(() => []) }),
    ...(index && { index }),
  }
}
