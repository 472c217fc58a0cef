import { call } from './call.ts'
import { inTurn, load, requestOf } from './client.ts'
import { idle } from './fill.ts'
import type { Bench, House } from './house.ts'
import type { Row } from './report.ts'
import { changes, gets, keysOf, onOne } from './requests.ts'
import { byMedianTime, byRate, sideBySide } from './sample.ts'
import { chance } from './words.ts'

const READERS = 16
const WRITERS = 16
const AT_ONCE = 32
const LETTERS = 4096
const LARGE = { letters: 200_000, versions: 500 }
/** So that none of them has grown much when the last round ends. */
const FRESH = 1000
const ADDED = 200

const dice = chance(21)
const textOf = (letters: number) => dice.words(Math.ceil(letters / 5)).slice(0, letters)
/** As somebody writes it: paragraphs. */
const longText = (letters: number) =>
  Array.from({ length: Math.ceil(letters / 500) }, () => textOf(498))
    .join('\n\n')
    .slice(0, letters)

export async function pages(bench: Bench): Promise<Row[]> {
  const house = await bench.growing('small')
  const many = bench.sizes.small
  const short = await made(house, many, () => longText(LETTERS))
  const fresh = await made(house, FRESH, () => textOf(ADDED))
  const large = await grown(house, bench.sizes.pages)
  await idle(house)
  const read = (beside?: () => Buffer) => reads(bench, house, short, beside)
  const more = (connections: number) => appends(bench, house, { large, fresh }, connections)
  return [
    { what: `get a page of 4 KB, of ${many}`, ...(await read()) },
    { what: `get a page of 4 KB, of ${many}, while tasks change`, ...(await read(changes(house))) },
    await more(1),
    await more(WRITERS),
  ]
}

async function reads(bench: Bench, house: House, ids: readonly number[], beside?: () => Buffer) {
  const ask = (page_id: number) =>
    requestOf('GET', `/api/v1/pages/${page_id}`, { token: house.api_key })
  const shared = { target: house, connections: READERS, ...(beside && { beside }) }
  const subject = load({ ...shared, next: inTurn(ids.map(ask)) })
  const base = load({ ...shared, next: gets(house) })
  return {
    ...{ group: 'pages', connections: READERS, unit: '×' as const, yardstick: 'get a task' },
    ...(await sideBySide(bench.pace, { subject, base }, byRate)),
    target: { least: 0.5 },
  }
}

async function appends(
  bench: Bench,
  house: House,
  { large, fresh }: { large: readonly number[]; fresh: readonly number[] },
  connections: number,
): Promise<Row> {
  const body = { content: textOf(ADDED), mode: 'append' }
  const ask = (page_id: number) =>
    requestOf('PATCH', `/api/v1/pages/${page_id}`, { token: house.api_key, body })
  const at = (ids: readonly number[]) =>
    load({ target: house, connections, next: inTurn(ids.map(ask)) })
  const runs = { subject: at(large), base: at(fresh) }
  return {
    ...{ group: 'pages', connections, unit: '×', yardstick: 'to a fresh page, p50' },
    what: `append ${ADDED} letters to 200 KB with ${LARGE.versions} versions`,
    ...(await sideBySide(bench.pace, runs, byMedianTime)),
    target: { most: 3 },
  }
}

/** Pages on the tasks of the board, one after the other. */
async function made(house: House, many: number, text: () => string): Promise<number[]> {
  const keys = keysOf(onOne(house), 22, many)
  return inParallel(keys, async (key) => {
    const body = { content: text(), title: dice.words(4) }
    const path = `/api/v1/tasks/${key}/pages`
    return Number((await call(house.url, house.api_key, 'POST', path, body)).page_id)
  })
}

/** Pages that were written bit by bit, in as many versions as there are bits. */
async function grown(house: House, many: number): Promise<number[]> {
  const { letters, versions } = LARGE
  const ids = await made(house, many, () => longText(letters - versions * ADDED))
  const body = () => ({ content: textOf(ADDED), mode: 'append', note: 'Learnt today' })
  await inParallel(ids, async (page_id) => {
    for (let version = 1; version < versions; version++)
      await call(house.url, house.api_key, 'PATCH', `/api/v1/pages/${page_id}`, body())
    const page = await call(house.url, house.api_key, 'GET', `/api/v1/pages/${page_id}`)
    if (page.version !== versions || Number(page.length) < letters)
      throw new Error(`A page of ${page.length} letters has ${page.version} versions`)
  })
  return ids
}

async function inParallel<T, R>(all: readonly T[], job: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < all.length; at = next++) done[at] = await job(all[at]!)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return done
}
