import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { call } from './call.ts'
import { idle } from './fill.ts'
import type { Bench, House } from './house.ts'
import type { Row } from './report.ts'
import { keysOf } from './requests.ts'
import { type Sample, sampleOf } from './sample.ts'
import { environment } from './servers.ts'
import { chance } from './words.ts'

/** The longest that a request may wait while an import or a reindex runs. */
const MOST_MS = 100
const PAUSE_MS = 3
/** What follows the change log is at work for a while after the command has ended. */
const AFTER_MS = 15_000
const OWNER = 'bench@example.com'
const STAMP = '2026-01-05T08:00:00.000Z'
const LABELS = ['web', 'api', 'docs', 'risk']

/**
 * A team is imported, and the indexes are rebuilt, while a server runs. One client reads and another
 * writes without a break; the longest time that either waited is the figure.
 */
export async function imports(bench: Bench): Promise<Row[]> {
  const house = await bench.importing()
  const tasks = bench.sizes.board
  const file = bench.path('import.jsonl')
  await writeTeam(file, tasks)
  const run = (args: string[]) => command(bench.binary, [...args, '--data', house.data])
  const quiet = () => Bun.sleep(AFTER_MS)
  return [
    ...(await observed(house, 'nothing beside', 0, quiet)),
    ...(await observed(house, `import ${tasks} tasks`, tasks, () => run(['import', file]))),
    ...(await observed(house, `reindex ${tasks} tasks`, tasks, () => run(['reindex']))),
  ]
}

async function command(binary: string, args: string[]): Promise<void> {
  const run = Bun.spawn([binary, ...args], { env: environment(), stdout: 'ignore', stderr: 'pipe' })
  const [err, code] = await Promise.all([new Response(run.stderr).text(), run.exited])
  if (code !== 0) throw new Error(`cork ${args[0]} ended with ${code}: ${err}`)
}

/** Two rows: of reads and of writes, until a while after the command has ended. */
async function observed(
  house: House,
  what: string,
  tasks: number,
  job: () => Promise<void>,
): Promise<Row[]> {
  const keys = keysOf(house, 11)
  let turn = 0
  const path = () => `/api/v1/tasks/${keys[turn++ % keys.length]}`
  const reads = repeated(() => call(house.url, house.api_key, 'GET', path()))
  const writes = repeated(() =>
    call(house.url, house.api_key, 'PATCH', path(), { title: `At ${performance.now()}` }),
  )
  const began = performance.now()
  await job()
  const seconds = (performance.now() - began) / 1000
  await Bun.sleep(AFTER_MS)
  const [read, written] = [await reads.stop(), await writes.stop()]
  const whole = performance.now() - began
  console.error(
    `  ${what}: ${seconds.toFixed(1)} s, ${Math.max(...read.times, ...written.times)} ms`,
  )
  await idle(house)
  const note = tasks ? `${Math.round(tasks / seconds)} tasks/s, ${seconds.toFixed(1)} s` : ''
  return [
    rowOf(`${what}: longest wait of a read`, read, whole, note),
    rowOf(`${what}: longest wait of a write`, written, whole, note),
  ]
}

interface Observed {
  times: number[]
  refused: number
}

function rowOf(what: string, { times, refused }: Observed, ms: number, note: string): Row {
  const sample: Sample = sampleOf(times, ms / 1000, { client: Number.NaN, server: Number.NaN })
  const most = Math.max(...times)
  return {
    ...{ group: 'imports', what, connections: 1, sample, unit: 'ms' },
    note: refused ? `${refused} requests failed; ${note}` : note,
    figure: { median: most, low: most, high: most },
    ...(note && { target: { most: MOST_MS } }),
  }
}

/** Asks again and again, and keeps how long each answer took. */
function repeated(ask: () => Promise<unknown>) {
  const times: number[] = []
  let refused = 0
  let stopped = false
  const run = async () => {
    while (!stopped) {
      const began = performance.now()
      await ask().catch(() => {
        refused++
      })
      times.push(performance.now() - began)
      await Bun.sleep(PAUSE_MS)
    }
  }
  const running = run()
  return {
    async stop() {
      stopped = true
      await running
      return { times, refused }
    },
  }
}

/** What "cork export" writes: one board of tasks, with a comment on every third. */
async function writeTeam(path: string, tasks: number): Promise<void> {
  const out = createWriteStream(path)
  let lines = 0
  const put = async (line: object) => {
    lines++
    if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, 'drain')
  }
  for (const line of head(tasks)) await put(line)
  const dice = chance(21)
  for (let n = 1; n <= tasks; n++) for (const line of task(n, dice)) await put(line)
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

function* task(n: number, dice: ReturnType<typeof chance>): Generator<object> {
  const ticket_number = `IMP-${n}`
  const section = n % 3
  const content = `<p>${dice.words(20 + dice.below(60))}</p>`
  yield {
    task: {
      ...{ ticket_number, board: 'IMP', section, unique_index: n, title: dice.words(6) },
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
      ...{ task: ticket_number, author: OWNER, text: `<p>${dice.words(40)}</p>` },
      ...{ content_type: 'html', reply_to: null, mentioned: [], reactions: [] },
      ...{ created_at: STAMP, edited_at: null },
    },
  }
}
