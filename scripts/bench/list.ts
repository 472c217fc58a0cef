import type { BenchServers, TestServer } from './bench-servers.ts'
import { load, requestOf, roundRobin } from './client.ts'
import type { Row } from './report.ts'
import { changes, listPath, lists, PAGE_SIZE } from './requests.ts'
import { compareRuns, medianTimeRatio, type TimedRun } from './sample.ts'

const CONNECTIONS = 16
/** The page that is compared with the first one. */
const DEEP_PAGE = 1000

const LISTS: Record<string, (server: TestServer) => string> = {
  'newest first': () => '',
  'by due date': () => '&sort=dueDate:asc',
  'with a label': ({ boards }) => `&labels=${boards[0]!.labels[0]}`,
  'of one assignee': ({ people }) => `&assigned_to=${people[1]}`,
}

export async function list(bench: BenchServers): Promise<Row[]> {
  const [small, large] = [await bench.small(), await bench.large()]
  const rows: Row[] = []
  for (const [name, query] of Object.entries(LISTS)) {
    const runs = {
      baseline: listWhileChanging(small, query(small)),
      subject: listWhileChanging(large, query(large)),
    }
    const row = await compareLists(bench, name, runs)
    rows.push({ ...row, target: { max: query(large) ? 2 : 1.5 } })
  }
  const runs = { baseline: listUnchanged(small), subject: listUnchanged(large) }
  rows.push(await compareLists(bench, 'unchanged', runs))
  return [...rows, await comparePages(bench, large)]
}

const compareLists = async (
  { settings, sizes }: BenchServers,
  name: string,
  runs: { baseline: TimedRun; subject: TimedRun },
): Promise<Row> => ({
  ...{ group: 'list', connections: CONNECTIONS, unit: '×' },
  measurement: `${PAGE_SIZE} ${name}, board of ${sizes.board} in ${sizes.all}`,
  baselineName: `board of ${sizes.small}, p50`,
  ...(await compareRuns(settings, runs, medianTimeRatio)),
})

/** Compares a page far down the board, requested by its cursor, with the first page. */
async function comparePages({ settings, sizes }: BenchServers, server: TestServer): Promise<Row> {
  const page = Math.min(DEEP_PAGE, Math.floor(sizes.board / PAGE_SIZE) - 1)
  const cursor = await cursorOf(server, page)
  const runs = {
    baseline: listWhileChanging(server, ''),
    subject: listWhileChanging(server, `&cursor=${cursor}`),
  }
  return {
    ...{ group: 'list', measurement: `page ${page} by cursor, board of ${sizes.board}` },
    ...{ connections: CONNECTIONS, unit: '×', baselineName: 'page 1, p50', target: { max: 1.5 } },
    ...(await compareRuns(settings, runs, medianTimeRatio)),
  }
}

/** Requests a list while tasks change, so that no response comes from a cache. */
const listWhileChanging = (server: TestServer, query: string) =>
  load({
    ...{ target: server, connections: CONNECTIONS },
    ...{ next: lists(server, query), background: changes(server) },
  })

/** Sends the same request while nothing changes, so that responses may come from a cache. */
const listUnchanged = (server: TestServer) =>
  load({
    ...{ target: server, connections: CONNECTIONS },
    next: roundRobin([requestOf('GET', listPath(server, ''), { token: server.api_key })]),
  })

/** Follows the cursors to a page. Returns the cursor that requests it. */
async function cursorOf(server: TestServer, page: number): Promise<string> {
  let cursor = ''
  for (let at = 1; at < page; at++) {
    const response = await fetch(server.url + listPath(server, cursor && `&cursor=${cursor}`), {
      headers: { authorization: `Bearer ${server.api_key}` },
    })
    const { page: info } = (await response.json()) as { page?: { next_cursor: string | null } }
    if (!info?.next_cursor) throw new Error(`There is no page ${at + 1}: ${response.status}`)
    cursor = info.next_cursor
  }
  return cursor
}
