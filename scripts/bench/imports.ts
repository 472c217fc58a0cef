import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { call } from './api.ts'
import type { BenchServers, TestServer } from './bench-servers.ts'
import { waitUntilIdle } from './fill.ts'
import { type Random, seededRandom } from './random.ts'
import type { Row } from './report.ts'
import { ticketKeysOf } from './requests.ts'
import { type Sample, sampleOf } from './sample.ts'
import { environment } from './servers.ts'

/** The longest allowed response time while an import or a reindex runs. */
const MAX_MS = 100
const PAUSE_MS = 3
/** Followers of the change log still work for a while after the command has ended. */
const FOLLOWUP_MS = 15_000
const OWNER = 'bench@example.com'
const STAMP = '2026-01-05T08:00:00.000Z'
const LABELS = ['web', 'api', 'docs', 'risk']

/**
 * Imports a team and rebuilds the indexes while a server runs. Meanwhile one client reads and another
 * writes all the time. The figures are their longest response times.
 */
export async function imports(bench: BenchServers): Promise<Row[]> {
  const server = await bench.importTarget()
  const tasks = bench.sizes.board
  const file = bench.path('import.jsonl')
  await writeTeam(file, tasks)
  const run = (args: string[]) => runCommand(bench.binary, [...args, '--data', server.data])
  const doNothing = () => Bun.sleep(FOLLOWUP_MS)
  return [
    ...(await observeClients(server, 'no command', 0, doNothing)),
    ...(await observeClients(server, `import ${tasks} tasks`, tasks, () => run(['import', file]))),
    ...(await observeClients(server, `reindex ${tasks} tasks`, tasks, () => run(['reindex']))),
  ]
}

async function runCommand(binary: string, args: string[]): Promise<void> {
  const run = Bun.spawn([binary, ...args], { env: environment(), stdout: 'ignore', stderr: 'pipe' })
  const [err, code] = await Promise.all([new Response(run.stderr).text(), run.exited])
  if (code !== 0) throw new Error(`cork ${args[0]} ended with ${code}: ${err}`)
}

/** Runs a job, and returns a row about reads and one about writes, until followers are done. */
async function observeClients(
  server: TestServer,
  name: string,
  tasks: number,
  job: () => Promise<void>,
): Promise<Row[]> {
  const keys = ticketKeysOf(server, 11)
  let requests = 0
  const path = () => `/api/v1/tasks/${keys[requests++ % keys.length]}`
  const reads = repeat(() => call(server.url, server.api_key, 'GET', path()))
  const writes = repeat(() =>
    call(server.url, server.api_key, 'PATCH', path(), { title: `At ${performance.now()}` }),
  )
  const startedAt = performance.now()
  await job()
  const seconds = (performance.now() - startedAt) / 1000
  await Bun.sleep(FOLLOWUP_MS)
  const [read, written] = [await reads.stop(), await writes.stop()]
  const elapsed = performance.now() - startedAt
  console.error(
    `  ${name}: ${seconds.toFixed(1)} s, ${Math.max(...read.times, ...written.times)} ms`,
  )
  await waitUntilIdle(server)
  const note = tasks ? `${Math.round(tasks / seconds)} tasks/s, ${seconds.toFixed(1)} s` : ''
  return [
    rowOf(`${name}: slowest read`, read, elapsed, note),
    rowOf(`${name}: slowest write`, written, elapsed, note),
  ]
}

interface Observation {
  times: number[]
  failures: number
}

function rowOf(
  measurement: string,
  { times, failures }: Observation,
  ms: number,
  note: string,
): Row {
  const sample: Sample = sampleOf(times, ms / 1000, { client: Number.NaN, server: Number.NaN })
  const slowest = Math.max(...times)
  return {
    ...{ group: 'imports', measurement, connections: 1, sample, unit: 'ms' },
    note: failures ? `${failures} requests failed; ${note}` : note,
    figure: { median: slowest, low: slowest, high: slowest },
    ...(note && { target: { max: MAX_MS } }),
  }
}

/** Sends requests one after another until it is stopped, and records their response times. */
function repeat(request: () => Promise<unknown>) {
  const times: number[] = []
  let failures = 0
  let isStopped = false
  const run = async () => {
    while (!isStopped) {
      const startedAt = performance.now()
      await request().catch(() => {
        failures++
      })
      times.push(performance.now() - startedAt)
      await Bun.sleep(PAUSE_MS)
    }
  }
  const running = run()
  return {
    async stop() {
      isStopped = true
      await running
      return { times, failures }
    },
  }
}

/** Writes a file like those of `cork export`: a board of tasks, with a comment on every third. */
async function writeTeam(path: string, tasks: number): Promise<void> {
  const out = createWriteStream(path)
  let lines = 0
  const writeLine = async (line: object) => {
    lines++
    if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, 'drain')
  }
  for (const line of head(tasks)) await writeLine(line)
  const random = seededRandom(21)
  for (let n = 1; n <= tasks; n++) for (const line of task(n, random)) await writeLine(line)
  out.end(`${JSON.stringify({ end: { lines } })}\n`)
  await once(out, 'finish')
}

const head = (tasks: number): object[] => [
  { format: 'corkboard-team', version: 1 },
  {
    team: {
      team_uuid: '6f0e7c1e-7a34-4b2c-9d3e-0123456789ab',
      name: 'Imported',
      created_at: STAMP,
    },
  },
  {
    person: {
      ...{ email: OWNER, name: 'Bench', avatar: null, time_zone: 'UTC', locale: 'en' },
      ...{ default_board: null, created_at: STAMP, role: 'owner', joined_at: STAMP },
    },
  },
  {
    board: {
      ...{ key: 'IMP', title: 'Imported', description: null, access: 'team', status: 'Normal' },
      ...{ next_number: tasks + 1, custom_instruction: null, working_rules: null, notes: null },
      ...{ definition_of_done: [], model_selected: null, playbook_version: 1 },
      ...{ source_summary: null, created_by: OWNER, created_at: STAMP, updated_at: STAMP },
      sections: ['intake', 'building', 'done'].map((role, at) => ({
        ...{ title: role, role, is_done: null, done: role === 'done', hidden: false },
        ...{ auto_assign: null, rank: `a${at}`, created_at: STAMP },
      })),
      labels: LABELS.map((name) => ({ name, color: '#123456', created_at: STAMP })),
      ...{ fields: [], members: [] },
    },
  },
]

function* task(n: number, random: Random): Generator<object> {
  const ticket_number = `IMP-${n}`
  const section = n % 3
  const content = `<p>${random.words(20 + random.below(60))}</p>`
  yield {
    task: {
      ...{ ticket_number, board: 'IMP', section, unique_index: n, title: random.words(6) },
      ...{ description: content, content_type: 'html', description_version: 1 },
      ...{ priority: n % 5, estimate: 0, start_date: null, due_date: null, due_at: null },
      ...{ parent: null, status: 'Normal', rank: `b${String(n).padStart(6, '0')}V` },
      ...{ created_by: OWNER, created_at: STAMP, updated_at: STAMP, section_changed_at: STAMP },
      ...{ completed_at: section === 2 ? STAMP : null, pr_badge: null },
      ...{ labels: LABELS.slice(0, n % 3), assignees: n % 4 ? [] : [OWNER] },
      ...{ former_tickets: [], fields: [] },
    },
  }
  yield {
    version: {
      ...{ task: ticket_number, version: 1, content, content_type: 'html' },
      ...{ author: OWNER, created_at: STAMP },
    },
  }
  if (n % 3) return
  yield {
    comment: {
      ...{ task: ticket_number, author: OWNER, text: `<p>${random.words(40)}</p>` },
      ...{ content_type: 'html', reply_to: null, mentioned: [], reactions: [] },
      ...{ created_at: STAMP, edited_at: null },
    },
  }
}
