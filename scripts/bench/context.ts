import type { BenchServers } from './bench-servers.ts'
import { load, requestOf, roundRobin } from './client.ts'
import type { Fixture } from './fixture.ts'
import type { Row } from './report.ts'
import { comments, contexts, nextTasks, searches } from './requests.ts'
import { compareRuns, rateRatio } from './sample.ts'

const CONNECTIONS = 16

/** What an agent requests before it works on a task. */
export const CONTEXT_REQUESTS: Record<string, (fixture: Fixture) => () => Buffer> = {
  'next of a board': (fixture) => nextTasks(fixture),
  'next, nothing blocked': (fixture) => nextTasks(fixture, '&exclude_blocked=true'),
  'search of a board': searches,
  'context of a task': (fixture) => contexts(fixture),
  'context, summary only': (fixture) => contexts(fixture, '?summary=true'),
}
export const ADD_COMMENT = 'add a comment'

export async function context(bench: BenchServers): Promise<Row[]> {
  const [baselineServer, server] = [await bench.baselineServer(), await bench.large()]
  const writable = await bench.writable('large')
  const emptyRoute = roundRobin([requestOf('GET', '/')])
  const baseline = load({ target: baselineServer, connections: CONNECTIONS, next: emptyRoute })
  const measured = [
    ...Object.entries(CONTEXT_REQUESTS).map(([name, requests]) => ({
      ...{ name, target: server, requests },
    })),
    { name: ADD_COMMENT, target: writable, requests: comments },
  ]
  const rows: Row[] = []
  for (const { name, target, requests } of measured) {
    const subject = load({ target, connections: CONNECTIONS, next: requests(target) })
    rows.push({
      ...{ group: 'context', connections: CONNECTIONS, unit: '×', baselineName: 'empty route' },
      measurement: `${name}, ${bench.sizes.board} of ${bench.sizes.all}`,
      ...(await compareRuns(bench.settings, { subject, baseline }, rateRatio)),
    })
  }
  return rows
}
