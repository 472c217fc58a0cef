import { call, requestApi } from './api.ts'
import type { BenchServers, TestServer } from './bench-servers.ts'
import { load, requestOf, roundRobin } from './client.ts'
import { addPerson, waitUntilIdle } from './fill.ts'
import type { Row } from './report.ts'
import { medianSample, sampleRounds, spreadOf } from './sample.ts'

/** The number of boards on which the person has tasks, and of open and done ones on each board. */
const BOARDS = 50
const OPEN_TASKS = 40
const DONE_TASKS = 400
const PAGE_SIZE = 50
const DISTINCT_REQUESTS = 4096
const MAX_MS = 20

const filter = { groups: [{ rules: [{ field: 'label', op: 'any_of', value: ['api', 'risk'] }] }] }
const sorting = [{ mode: 'Priority' }, { mode: 'Title', order: 'Descending' }]
const QUERIES = {
  'by due': 'grouping=due',
  'by board': 'grouping=board',
  'filtered and sorted': `board_filters=${JSON.stringify(filter)}&sorting_stack=${JSON.stringify(sorting)}`,
}

/** Requests My Tasks of a person with many tasks, among very many tasks of other people. */
export async function myTasks(bench: BenchServers): Promise<Row[]> {
  const server = await bench.writable('large')
  const { token, open, done } = await addBusyPerson(bench, server)
  await waitUntilIdle(server)
  const tasks = `${open} open and ${done} done of ${bench.sizes.all}`
  const rows: Row[] = []
  for (const [name, query] of Object.entries(QUERIES)) {
    // Each request differs, so that no response comes from a cache. Limits above 50 mean 50.
    const requests = Array.from({ length: DISTINCT_REQUESTS }, (_, at) =>
      requestOf('GET', encodeURI(`/api/v1/my-tasks?${query}&limit=${PAGE_SIZE + at}`), { token }),
    )
    const run = load({ target: server, connections: 1, next: roundRobin(requests) })
    const samples = await sampleRounds(bench.settings, run)
    rows.push({
      ...{ group: 'my-tasks', measurement: `My Tasks ${name}, ${tasks}` },
      ...{ connections: 1, unit: 'ms', baselineName: 'p95', sample: medianSample(samples) },
      ...{ figure: spreadOf(samples.map(({ p95 }) => p95)), target: { max: MAX_MS } },
    })
  }
  return rows
}

/** Adds a person and assigns the first tasks of many boards to them, open and done ones. */
async function addBusyPerson({ binary }: BenchServers, server: TestServer) {
  const { user_id, api_key: token } = addPerson(binary, server.data, {
    ...{ email: 'busy@example.com', name: 'Busy', role: 'member' },
  })
  let [open, done] = [0, 0]
  for (const { project_id, sections } of server.boards.slice(0, BOARDS)) {
    const [first, last] = [sections[0]!, sections.at(-1)!]
    open += await assign(server, user_id, { project_id, section_id: first }, OPEN_TASKS)
    done += await assign(server, user_id, { project_id, section_id: last }, DONE_TASKS)
  }
  return { token, open, done }
}

interface Column {
  project_id: number
  section_id: number
}

/** Assigns up to `limit` tasks of a column. Returns the number of assigned tasks. */
async function assign(
  { url, api_key }: TestServer,
  user_id: number,
  { project_id, section_id }: Column,
  limit: number,
): Promise<number> {
  const path = `/api/v1/tasks?project_id=${project_id}&section_id=${section_id}&limit=${PAGE_SIZE}`
  let assigned = 0
  for (let cursor = ''; assigned < limit; ) {
    const { data, page } = await requestApi(url, api_key, 'GET', path + cursor)
    const ids = (data as { task_id: number }[]).map(({ task_id }) => task_id)
    const task_ids = ids.slice(0, limit - assigned)
    if (!task_ids.length) break
    await call(url, api_key, 'PATCH', '/api/v1/tasks', { task_ids, assignee_ids: [user_id] })
    assigned += task_ids.length
    if (!page?.next_cursor) break
    cursor = `&cursor=${page.next_cursor}`
  }
  return assigned
}
