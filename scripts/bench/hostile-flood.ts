/** Runs in a worker of the bench, so that what it does delays none of the answers that are timed. */
declare const self: Worker

export interface Flood {
  url: string
  token: string
  connections: number
  requests: { path: string; body: string }[]
}

const statuses = new Map<number, number>()
let isOver = false
let all: Promise<unknown> | undefined

async function send({ url, token, requests }: Flood, from: number) {
  for (let at = from; !isOver; at++) {
    const { path, body } = requests[at % requests.length]!
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body })
    await response.arrayBuffer()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
  }
}

self.onmessage = async ({ data }: MessageEvent<Flood | 'stop'>) => {
  if (data !== 'stop') {
    const first = (nth: number) => Math.floor((nth * data.requests.length) / data.connections)
    all = Promise.all(Array.from({ length: data.connections }, (_, nth) => send(data, first(nth))))
    return
  }
  isOver = true
  await all
  self.postMessage(statuses)
}
