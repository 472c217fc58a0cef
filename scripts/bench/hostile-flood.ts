/** Runs in a worker of the bench, so that the flood does not delay the requests that are timed. */
declare const self: Worker

export interface Flood {
  url: string
  token: string
  connections: number
  requests: { path: string; body: string }[]
}

/** How many responses had each status. */
const statuses = new Map<number, number>()
let isStopped = false
let flooding: Promise<unknown> | undefined

async function send({ url, token, requests }: Flood, from: number) {
  for (let at = from; !isStopped; at++) {
    const { path, body } = requests[at % requests.length]!
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body })
    await response.arrayBuffer()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
  }
}

self.onmessage = async ({ data }: MessageEvent<Flood | 'stop'>) => {
  if (data !== 'stop') {
    const { requests, connections } = data
    const start = (nth: number) => Math.floor((nth * requests.length) / connections)
    flooding = Promise.all(Array.from({ length: connections }, (_, nth) => send(data, start(nth))))
    return
  }
  isStopped = true
  await flooding
  self.postMessage(statuses)
}
