import { mainThreadMs, type Server } from './servers.ts'

const PROBE_PAUSE_MS = 1
const CHECK_INTERVAL_MS = 250
const TIMEOUT_MS = 900_000

/** How responsive a server was, in milliseconds. */
interface Responsiveness {
  slowestResponse: number
  /** The longest time that the server's main thread worked between a request and its response. */
  longestWork: number
}

/** Requests /healthz every millisecond until `isDone` returns true. */
export async function probeUntil(
  server: Server,
  isDone: () => Promise<boolean>,
): Promise<Responsiveness> {
  const worst: Responsiveness = { slowestResponse: 0, longestWork: 0 }
  const startedAt = performance.now()
  let isOver = false
  const probing = (async () => {
    while (!isOver) {
      const sentAt = performance.now()
      const workBefore = mainThreadMs(server.pid)
      await (await fetch(`${server.url}/healthz`)).arrayBuffer()
      const waited = performance.now() - sentAt
      // Time in which other programs had the core does not count as work of the server. Without
      // /proc the work is unknown, and the whole wait counts.
      const worked = Math.min(waited, mainThreadMs(server.pid) - workBefore || waited)
      worst.slowestResponse = Math.max(worst.slowestResponse, waited)
      worst.longestWork = Math.max(worst.longestWork, worked)
      await Bun.sleep(PROBE_PAUSE_MS)
    }
  })()
  while (!(await isDone())) {
    await Bun.sleep(CHECK_INTERVAL_MS)
    if (performance.now() - startedAt > TIMEOUT_MS)
      throw new Error(`The work did not end within ${TIMEOUT_MS / 1000} s`)
  }
  isOver = true
  await probing
  return worst
}
