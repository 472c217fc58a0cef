import { Database } from 'bun:sqlite'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { call } from './call.ts'
import { inTurn, load, requestOf } from './client.ts'
import type { Bench } from './house.ts'
import { type Library, library, passagesIn, serving, type Volume } from './library.ts'
import { watched } from './pulse.ts'
import type { Row } from './report.ts'
import { type Pace, type Run, spreadOf, typical } from './sample.ts'
import { residentSize, type Server } from './servers.ts'
import { chance } from './words.ts'

const FULL: Volume = { boards: 200, pages: 40, sections: 13 }
const QUICK: Volume = { boards: 10, pages: 4, sections: 13 }
const LARGE = 100_000
const MANY = 2000
const TRIALS = 20
const PAUSE_MS = 10
/** What a process does when it begins is another figure. */
const STARTING_MS = 1000
const MOST_MS = 10_000

/** Search by what is meant, over HTTP, on boards full of pages. */
export async function passages(bench: Bench): Promise<Row[]> {
  const volume = bench.sizes.all > LARGE ? FULL : QUICK
  const made = await library(bench.binary, volume)
  const folder = bench.path('passages')
  cpSync(made.folder, folder, { recursive: true })
  for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `search.db${end}`), { force: true })
  const built = await indexing(bench, folder, passagesIn(volume))
  const restarts = await startedAgain(bench, folder, made)
  const server = await serving(bench.binary, folder)
  try {
    const among = `${volume.boards} boards`
    const all = asking(server, made, made.boards.length)
    // What is loaded once is no part of an answer.
    await all(bench.pace.seconds)
    // Too few are answered in the time of others to tell the slow ones among them.
    const longer = { ...bench.pace, seconds: bench.pace.seconds * 4 }
    return [
      await timed(bench.pace, `a question to one of ${among}`, asking(server, made, 1), 25),
      await timed(longer, `a question to all ${among}`, all, 150),
      row('memory of the process after these', 'MB', [residentSize(server.pid)], 500),
      ...built,
      row('from the start to the first right answer', 'ms', restarts, 2000),
      row('from a write until it is found', 'ms', await lateness(server, made), 1000),
    ]
  } finally {
    await server.stop()
  }
}

function row(what: string, unit: Row['unit'], values: number[], most?: number): Row {
  const about = { group: 'passages', what, unit, figure: spreadOf(values) }
  return { ...about, ...(most !== undefined && { target: { most } }) }
}

/** From nothing to a whole index, while somebody asks for next to nothing all the time. */
async function indexing({ binary, pace }: Bench, folder: string, many: number): Promise<Row[]> {
  const server = await serving(binary, folder)
  try {
    const began = performance.now()
    await Bun.sleep(STARTING_MS)
    const watch = new Database(join(folder, 'search.db'), { readonly: true })
    const count = watch.query<{ n: number }, []>('SELECT count(*) AS n FROM passages')
    let memory = 0
    const busy = await watched(server, async () => {
      memory = Math.max(memory, residentSize(server.pid))
      return count.get()!.n >= many
    })
    const seconds = (performance.now() - began) / 1000
    watch.close()
    const until = performance.now() + pace.seconds * 2000
    const idle = await watched(server, async () => performance.now() > until)
    const rest = `${idle.worked.toFixed(1)} ms and ${idle.waited.toFixed(1)} ms while nothing is to do`
    const note = `${many} passages in ${seconds.toFixed(0)} s; the slowest answer took ${busy.waited.toFixed(1)} ms; ${rest}`
    return [
      {
        ...row('longest work of the main thread while all is indexed', 'ms', [busy.worked], 10),
        note,
      },
      row('memory of the process at most meanwhile', 'MB', [memory], 500),
    ]
  } finally {
    await server.stop()
  }
}

/** One who asks; the same is not asked again while anybody could remember the answer. */
function asking(target: Server, { api_key: token, boards }: Library, among: number): Run {
  const { below, words } = chance(21)
  const asks = Array.from({ length: MANY }, () => {
    const { project_id } = boards[below(boards.length)]!
    const scope = among === 1 ? `&project_id=${project_id}` : ''
    const query = encodeURIComponent(words(2 + below(5)))
    return requestOf('GET', `/api/v1/search/semantic?query=${query}${scope}`, { token })
  })
  return load({ target, connections: 1, next: inTurn(asks) })
}

async function timed({ rounds, seconds }: Pace, what: string, run: Run, most: number) {
  const samples = []
  await run(seconds / 2)
  for (let round = 0; round < rounds; round++) samples.push(await run(seconds))
  const about = {
    ...row(
      what,
      'ms',
      samples.map(({ p95 }) => p95),
      most,
    ),
    connections: 1,
  }
  return { ...about, yardstick: 'p95', sample: typical(samples) }
}

/** Milliseconds from starting the process until a page is found by its title. */
async function startedAgain({ binary, pace }: Bench, folder: string, made: Library) {
  const times: number[] = []
  for (let round = 0; round < pace.rounds; round++) {
    const began = performance.now()
    const server = await serving(binary, folder)
    try {
      await found(server, made, made.title, began)
      times.push(performance.now() - began)
    } finally {
      await server.stop()
    }
  }
  return times
}

/** Milliseconds from the answer to a write until a search finds it. */
async function lateness(server: Server, made: Library): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < TRIALS; at++) {
    const title = `Quagga${Bun.randomUUIDv7('base64url').replace(/[^a-z]/gi, '')}${at}`
    await call(server.url, made.api_key, 'POST', `/api/v1/tasks/${made.task}/pages`, {
      ...{ title, content: 'Written just now.' },
    })
    const began = performance.now()
    await found(server, made, title, began)
    times.push(performance.now() - began)
  }
  return times
}

async function found({ url }: Server, { api_key }: Library, title: string, began: number) {
  const path = `/api/v1/search/semantic?limit=3&query=${encodeURIComponent(title)}`
  for (;;) {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${api_key}` } })
    const text = await response.text()
    if (response.ok && text.includes(title)) return
    if (performance.now() - began > MOST_MS) throw new Error(`${title} was not found: ${text}`)
    await Bun.sleep(PAUSE_MS)
  }
}
