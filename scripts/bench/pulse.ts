import { busyNow, type Server } from './servers.ts'

const PAUSE_MS = 1
const LOOK_MS = 250
const MOST_MS = 900_000

/** Milliseconds that the slowest answer took, and that the server's main thread worked meanwhile. */
interface Pulse {
  waited: number
  worked: number
}

/** Asks for next to nothing every millisecond until all is done. */
export async function watched(server: Server, isDone: () => Promise<boolean>): Promise<Pulse> {
  const slowest: Pulse = { waited: 0, worked: 0 }
  const began = performance.now()
  let done = false
  const asking = (async () => {
    while (!done) {
      const asked = performance.now()
      const before = busyNow(server.pid)
      await (await fetch(`${server.url}/healthz`)).arrayBuffer()
      const waited = performance.now() - asked
      // What other programs take of this machine is no stall of this one.
      const worked = Math.min(waited, busyNow(server.pid) - before || waited)
      slowest.waited = Math.max(slowest.waited, waited)
      slowest.worked = Math.max(slowest.worked, worked)
      await Bun.sleep(PAUSE_MS)
    }
  })()
  while (!(await isDone())) {
    await Bun.sleep(LOOK_MS)
    if (performance.now() - began > MOST_MS) throw new Error('It took too long')
  }
  done = true
  await asking
  return slowest
}
