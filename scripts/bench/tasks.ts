import { join } from 'node:path'
import { call } from './api.ts'
import { startBaselineProcess } from './baseline-process.ts'
import type { BenchServers, TestServer } from './bench-servers.ts'
import { type LoadOptions, load, requestOf, roundRobin } from './client.ts'
import { type Row, short } from './report.ts'
import { changes, creates, firstBoardOf, gets } from './requests.ts'
import { compareRuns, rateRatio, type Sample, spreadOf, type TimedRun } from './sample.ts'

const READERS = 16
const WRITERS = 64

async function reads(bench: BenchServers): Promise<Row[]> {
  const [small, large] = [await bench.small(), await bench.large()]
  const target = await bench.baselineServer()
  const emptyRoute = roundRobin([requestOf('GET', '/')])
  const baseline = load({ target, connections: READERS, next: emptyRoute })
  const row = async (
    keys: string,
    options: Pick<LoadOptions, 'target' | 'next' | 'background'>,
  ): Promise<Row> => {
    const subject = load({ connections: READERS, ...options })
    return {
      ...{ group: 'tasks', measurement: `get, random keys of ${keys}`, connections: READERS },
      ...(await compareRuns(bench.settings, { subject, baseline }, rateRatio)),
      ...{
        baselineName: 'empty route',
        unit: '×',
        target: { min: options.background ? 0.3 : 0.4 },
      },
    }
  }
  const { sizes } = bench
  const ofSmall = { target: small, next: gets(small) }
  const ofLarge = { target: large, next: gets(large, true) }
  const rows = [
    await row(`${sizes.small}`, ofSmall),
    await row(`${sizes.all}`, ofLarge),
    await row(`${sizes.small}, while tasks change`, { ...ofSmall, background: changes(small) }),
    await row(`${sizes.all}, while tasks change`, { ...ofLarge, background: changes(large) }),
  ]
  return [...rows, clientRow(rows[0]!.baseline!)]
}

/** Compares the CPU use of client and server. If the client is busier, it is the bottleneck. */
const clientRow = ({ client, server, rate }: Sample): Row => ({
  ...{ group: 'tasks', measurement: 'CPU use of the client, empty route', connections: READERS },
  ...{ baselineName: 'CPU use of the server', unit: '×' },
  figure: spreadOf([client / server]),
  note: `${short(client * 100)} % to ${short(server * 100)} % of a core at ${short(rate)}/s`,
})

async function writes(bench: BenchServers): Promise<Row[]> {
  const server = await bench.writable('small')
  const { folder, ...fixture } = await bench.copyData('small')
  const rawSqlite = startBaselineProcess('raw-sqlite.ts', [
    join(folder, 'corkboard.db'),
    JSON.stringify(fixture),
  ])
  try {
    const plain = await compareCreates(bench, createRun(server), rawSqlite.run(`${WRITERS} plain`))
    const detailed = await compareCreates(
      bench,
      createRun(server, true),
      rawSqlite.run(`${WRITERS} detailed`),
    )
    const singleCommit = await compareWithSingleCommits(bench, server)
    await checkCreated(server)
    const baselineName = 'raw group commit'
    return [
      { ...plain, baselineName, target: { min: 0.5 } },
      { ...detailed, measurement: 'create, with text, labels, assignee', baselineName },
      singleCommit,
    ]
  } finally {
    await rawSqlite.stop()
  }
}

const createRun = (target: TestServer, hasDetails = false) =>
  load({ target, connections: WRITERS, next: creates(firstBoardOf(target), hasDetails) })

const PLAIN_CREATE = {
  group: 'tasks',
  measurement: 'create, title and priority',
  unit: '×',
} as const

const compareCreates = async (
  { settings }: BenchServers,
  subject: TimedRun,
  baseline: TimedRun,
): Promise<Row> => ({
  ...{ ...PLAIN_CREATE, connections: WRITERS },
  ...(await compareRuns(settings, { subject, baseline }, rateRatio)),
})

/** Compares with the same executable when it commits every write separately. */
async function compareWithSingleCommits(bench: BenchServers, server: TestServer): Promise<Row> {
  const common = { baselineName: 'one commit per request', target: { min: 4 } }
  if (!(await supportsSingleCommits(bench.binary)))
    return { ...PLAIN_CREATE, ...common, note: 'this executable always shares commits' }
  const baseline = createRun(await bench.singleCommit())
  return { ...(await compareCreates(bench, createRun(server), baseline)), ...common }
}

/** Whether the executable knows the setting. Old ones, given with --binary, do not. */
const supportsSingleCommits = async (binary: string) =>
  Buffer.from(await Bun.file(binary).arrayBuffer()).includes('CORK_BENCH_ONE_COMMIT')

/** Checks that the created tasks exist. */
async function checkCreated({ url, api_key, boards }: TestServer) {
  const { project_id, key } = boards[0]!
  const path = `/api/v1/tasks?project_id=${project_id}&limit=1&sort=createdAt:desc`
  const [last] = (await call(url, api_key, 'GET', path)) as unknown as { ticket_number: string }[]
  if (!last?.ticket_number.startsWith(`${key}-`)) throw new Error('No created task was found')
}

export const tasks = async (bench: BenchServers) => [
  ...(await reads(bench)),
  ...(await writes(bench)),
]
