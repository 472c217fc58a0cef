import { call } from './api.ts'

const REQUESTS_PER_SECOND = 20

interface Options {
  url: string
  token: string
  /** A board, and the keys of its tasks. */
  project_id: number
  keys: readonly string[]
}

export interface LightLoad {
  /** Stops sending, and returns the milliseconds of each response. */
  stop(): Promise<{ times: number[]; failures: number }>
}

/**
 * Sends reads and writes at a steady rate, whether or not earlier ones were answered. The time of a
 * request begins when it is due.
 */
export function startLightLoad(options: Options): LightLoad {
  const times: number[] = []
  const pending = new Set<Promise<void>>()
  const startedAt = performance.now()
  let failures = 0
  let count = 0
  const send = async (number: number) => {
    const due = startedAt + (number * 1000) / REQUESTS_PER_SECOND
    await sendRequest(options, number).catch(() => {
      failures++
    })
    times.push(performance.now() - due)
  }
  const sendDue = () => {
    while (startedAt + (count * 1000) / REQUESTS_PER_SECOND <= performance.now()) {
      const request = send(count++)
      pending.add(request)
      void request.then(() => pending.delete(request))
    }
  }
  const timer = setInterval(sendDue, 1)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(pending)
      return { times, failures }
    },
  }
}

/** Five kinds of requests in turn, two of which write. */
function sendRequest({ url, token, project_id, keys }: Options, number: number) {
  const task = `/api/v1/tasks/${keys[number % keys.length]}`
  const list = `/api/v1/tasks?project_id=${project_id}&limit=20`
  const requests: [method: string, path: string, body?: object][] = [
    ['GET', task],
    ['PATCH', task, { title: `Changed ${number}` }],
    ['GET', list],
    ['POST', `${task}/comments`, { text: `Seen ${number}` }],
    ['GET', `${list}&search=others`],
  ]
  return call(url, token, ...requests[number % requests.length]!)
}
