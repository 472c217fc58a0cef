import type { BenchServers, TestServer } from './bench-servers.ts'
import { load, requestOf, roundRobin } from './client.ts'
import { ADD_COMMENT, CONTEXT_REQUESTS } from './context.ts'
import { seededRandom } from './random.ts'
import type { Row } from './report.ts'
import { changes, comments, creates, firstBoardOf, gets, lists, patches } from './requests.ts'
import { compareRuns, medianTimeRatio } from './sample.ts'

const CONNECTIONS = 16

const REQUESTS: Record<string, (server: TestServer) => () => Buffer> = {
  'create a task': (server) => creates(firstBoardOf(server)),
  'get a task': (server) => gets(server),
  'list 50 tasks': (server) => lists(server),
  'change title and priority': changes,
  'move to another column': (server) =>
    patches(server, (at) => {
      const { sections } = server.boards[0]!
      return { section_id: sections[at % sections.length] }
    }),
  'search for two words': ({ boards, api_key }) => {
    const { words } = seededRandom(4)
    const path = `/api/v1/tasks?project_id=${boards[0]!.project_id}&limit=20&query=`
    const request = () => requestOf('GET', path + encodeURIComponent(words(2)), { token: api_key })
    return roundRobin(Array.from({ length: 50 }, request))
  },
  ...CONTEXT_REQUESTS,
  [ADD_COMMENT]: comments,
}
/** These add data, so they run on servers of their own. The others keep the size that rows name. */
const ADDING_DATA = ['create a task', ADD_COMMENT]

/** Compares response times on a large board with those on a small one, while tasks change. */
export async function scaling(bench: BenchServers): Promise<Row[]> {
  const steady = [await bench.small(), await bench.large()] as const
  const writable = [await bench.writable('small'), await bench.writable('large')] as const
  const rows: Row[] = []
  for (const [measurement, requests] of Object.entries(REQUESTS)) {
    const [small, large] = ADDING_DATA.includes(measurement) ? writable : steady
    const run = (target: TestServer) =>
      load({
        ...{ target, connections: CONNECTIONS },
        ...{ next: requests(target), background: changes(target) },
      })
    const runs = { baseline: run(small), subject: run(large) }
    rows.push({
      ...{ group: 'scaling', measurement, connections: CONNECTIONS, unit: '×' },
      baselineName: `${bench.sizes.small} tasks, p50`,
      ...(await compareRuns(bench.settings, runs, medianTimeRatio)),
    })
  }
  return rows
}
