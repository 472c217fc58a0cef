import { inTurn, load, requestOf } from './client.ts'
import type { Bench, House } from './house.ts'
import type { Row } from './report.ts'
import { changes, listPath, lists, ROWS } from './requests.ts'
import { byMedianTime, type Run, sideBySide } from './sample.ts'

const READERS = 16
const PAGES = 1000

type Query = (house: House) => string

const LISTS: Record<string, Query> = {
  'newest first': () => '',
  'by due date': () => '&sort=dueDate:asc',
  'with a label': ({ boards }) => `&labels=${boards[0]!.labels[0]}`,
  'of one assignee': ({ people }) => `&assigned_to=${people[1]}`,
}

export async function list(bench: Bench): Promise<Row[]> {
  const [small, large] = [await bench.small(), await bench.large()]
  const rows: Row[] = []
  for (const [name, query] of Object.entries(LISTS)) {
    const runs = { base: changing(small, query(small)), subject: changing(large, query(large)) }
    const row = await compared(bench, name, runs)
    rows.push({ ...row, ...(!query(large) && { target: { most: 1.5 } }) })
  }
  const again = { base: asks(small, same(small)), subject: asks(large, same(large)) }
  rows.push(await compared(bench, 'asked for again and again', again))
  return [...rows, await deep(bench, large)]
}

const compared = async (
  { pace, sizes }: Bench,
  name: string,
  runs: { base: Run; subject: Run },
): Promise<Row> => ({
  ...{ group: 'list', connections: READERS, unit: '×' },
  what: `${ROWS} ${name}, board of ${sizes.board} in ${sizes.all}`,
  yardstick: `board of ${sizes.small}, p50`,
  ...(await sideBySide(pace, runs, byMedianTime)),
})

/** A page far down the board, by the cursor that leads there, against the first. */
async function deep({ pace, sizes }: Bench, house: House): Promise<Row> {
  const pages = Math.min(PAGES, Math.floor(sizes.board / ROWS) - 1)
  const cursor = await walked(house, pages)
  const runs = { base: changing(house, ''), subject: changing(house, `&cursor=${cursor}`) }
  return {
    ...{ group: 'list', what: `page ${pages} by cursor, board of ${sizes.board}` },
    ...{ connections: READERS, unit: '×', yardstick: 'page 1, p50', target: { most: 1.5 } },
    ...(await sideBySide(pace, runs, byMedianTime)),
  }
}

const asks = (house: House, next: () => Buffer, beside?: () => Buffer) =>
  load({ target: house, connections: READERS, next, beside })

/** While tasks change, and no answer can be one that was given before. */
const changing = (house: House, query: string) => asks(house, lists(house, query), changes(house))

const same = (house: House) =>
  inTurn([requestOf('GET', listPath(house, ''), { token: house.api_key })])

/** The cursor of that page, reached from page to page. */
async function walked(house: House, pages: number): Promise<string> {
  let cursor = ''
  for (let page = 1; page < pages; page++) {
    const response = await fetch(house.url + listPath(house, cursor && `&cursor=${cursor}`), {
      headers: { authorization: `Bearer ${house.api_key}` },
    })
    const { page: info } = (await response.json()) as { page?: { next_cursor: string | null } }
    if (!info?.next_cursor) throw new Error(`There is no page ${page + 1}: ${response.status}`)
    cursor = info.next_cursor
  }
  return cursor
}
