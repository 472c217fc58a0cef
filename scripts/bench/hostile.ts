import { call } from './call.ts'
import { inTurn } from './client.ts'
import type { Flood } from './hostile-flood.ts'
import { knownBad, type Text, worstTexts } from './hostile-texts.ts'
import type { Bench, House } from './house.ts'
import type { Row } from './report.ts'
import { keysOf, onOne } from './requests.ts'
import { type Sample, sampleOf, spreadOf } from './sample.ts'
import { busyNow, environment } from './servers.ts'

const CONNECTIONS = 6
const MOST_P99_MS = 50
const MOST_STALL_MS = 20
/** A reader who looks at one task after the other. */
const PAUSE_MS = 5

/** What others feel while one guest sends the worst texts that were found. */
export async function hostile(bench: Bench): Promise<Row[]> {
  const house = await bench.small()
  // The search spends a budget of its own.
  const [scout, guest] = [await guestOf(bench.binary, house), await guestOf(bench.binary, house)]
  const seconds = Math.max(bench.pace.seconds, 0.5)
  const quiet = await reads(house, seconds)
  const found = await worstTexts((text) => timed(house, scout, text), {
    ...{ seconds: seconds * 4, most: 8 },
  })
  const flood = sending(house, guest, [...found, ...knownBad])
  const during = await reads(house, seconds * bench.pace.rounds)
  const statuses = await flood.stop()
  const note = [...statuses].map(([status, many]) => `${many} × ${status}`).join(', ')
  const common = { group: 'hostile', connections: 1, unit: 'ms' as const, note }
  return [
    {
      ...{ ...common, what: `get while a guest sends the worst texts over ${CONNECTIONS}, p99` },
      ...{ sample: during.sample, yardstick: 'nobody else', base: quiet.sample },
      ...{ figure: spreadOf([during.sample.p99]), target: { most: MOST_P99_MS } },
    },
    {
      ...{ ...common, what: 'longest work of the main thread between a get and its answer' },
      ...{ figure: spreadOf([during.stall]), target: { most: MOST_STALL_MS } },
    },
  ]
}

/** A guest who was invited to the board. */
async function guestOf(binary: string, { data, url, api_key, boards }: House): Promise<string> {
  const email = `guest-${crypto.randomUUID()}@example.com`
  const who = ['--email', email, '--name', 'Guest', '--team', 'Bench', '--role', 'guest']
  const made = Bun.spawnSync([binary, 'user', 'add', ...who, '--json', '--data', data], {
    env: environment(),
  })
  if (made.exitCode !== 0) throw new Error(`cork user add failed: ${made.stderr}`)
  const path = `/api/v1/projects/${boards[0]!.project_id}/members`
  await call(url, api_key, 'POST', path, { member_identifier: email })
  return JSON.parse(made.stdout.toString()).api_key
}

/** Gets of one task after the other, and the longest that the main thread worked during one. */
async function reads(house: House, seconds: number): Promise<{ sample: Sample; stall: number }> {
  const keys = inTurn(keysOf(onOne(house), 1))
  const times: number[] = []
  let stall = 0
  const ends = performance.now() + seconds * 1000
  while (performance.now() < ends) {
    const [began, before] = [performance.now(), busyNow(house.pid)]
    await call(house.url, house.api_key, 'GET', `/api/v1/tasks/${keys()}`)
    times.push(performance.now() - began)
    stall = Math.max(stall, busyNow(house.pid) - before)
    await Bun.sleep(PAUSE_MS)
  }
  return { stall, sample: sampleOf(times, seconds, { client: Number.NaN, server: Number.NaN }) }
}

async function timed(house: House, guest: string, { text, markdown }: Text): Promise<number> {
  const before = performance.now()
  await post(house, guest, markdown ? preview(text) : comment(house, text, 'html'))
  return performance.now() - before
}

interface Request {
  path: string
  body: object
}

const preview = (text: string): Request => ({ path: '/api/v1/preview', body: { text } })

const comment = (house: House, text: string, content_type: string): Request => ({
  path: `/api/v1/tasks/${keysOf(onOne(house), 2, 1)[0]}/comments`,
  body: { text, content_type },
})

const requestsFor = (house: House, { text, markdown }: Text): Request[] => {
  const content_type = markdown ? 'markdown' : 'html'
  const path = `/api/v1/tasks/${keysOf(onOne(house), 3, 1)[0]}/pages`
  return [
    preview(text),
    comment(house, text, content_type),
    { path, body: { content: text, content_type } },
  ]
}

async function post({ url }: House, token: string, { path, body }: Request): Promise<number> {
  const response = await fetch(url + path, {
    ...{ method: 'POST', body: JSON.stringify(body) },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  await response.arrayBuffer()
  return response.status
}

/** Sends them over and over; a refusal is as good as an answer. */
function sending(house: House, guest: string, texts: readonly Text[]) {
  const worker = new Worker(new URL('./hostile-flood.ts', import.meta.url).href)
  const requests = texts
    .flatMap((text) => requestsFor(house, text))
    .map(({ path, body }) => ({ path, body: JSON.stringify(body) }))
  const flood: Flood = { url: house.url, token: guest, connections: CONNECTIONS, requests }
  worker.postMessage(flood)
  return {
    async stop() {
      const { promise, resolve } = Promise.withResolvers<Map<number, number>>()
      worker.onmessage = ({ data }) => resolve(data)
      worker.postMessage('stop')
      const statuses = await promise
      worker.terminate()
      return statuses
    },
  }
}
