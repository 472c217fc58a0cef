import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchServers, TestServer } from '../bench-servers.ts'
import { seededRandom } from '../random.ts'
import type { Row } from '../report.ts'
import { PAGE_SIZE } from '../requests.ts'
import { compareRuns, rateRatio, sampleOf, type TimedRun } from '../sample.ts'
import { environment } from '../servers.ts'
import { installed, type NewTask, noteOf, ofPeer } from './peer.ts'

/** A command line on the tasks of the small database. */
interface CommandLine {
  program: string
  options: { cwd: string; env: Record<string, string> }
  /** The arguments of each command. */
  create(task: NewTask): string[]
  get(number: number): string[]
  list: string[]
}

type CommandName = 'create' | 'get' | 'list'

const MEASUREMENTS: Record<CommandName, string> = {
  create: 'create a task, the whole command',
  get: 'get a task, the whole command',
  list: `list ${PAGE_SIZE} tasks, the whole command`,
}

/** Compares the times of whole commands with those of beads, on the small database. */
export async function compareWithBeads(bench: BenchServers): Promise<Row[]> {
  const server = await bench.writable('small')
  const beads = ofPeer(createBeads(bench))
  const rows: Row[] = []
  for (const name of Object.keys(MEASUREMENTS) as CommandName[]) {
    const compare = async () => {
      const baseline = commandRun(await beads, name, bench.sizes.small)
      const subject = commandRun(corkOf(bench, server), name, bench.sizes.small)
      const runs = { subject, baseline: (seconds: number) => ofPeer(baseline(seconds)) }
      return compareRuns(bench.settings, runs, rateRatio)
    }
    const measurement = `${MEASUREMENTS[name]}, ${bench.sizes.small} tasks`
    const row: Row = { group: 'peers', measurement, baselineName: 'beads', unit: '×' }
    rows.push({ ...row, ...(await compare().catch(noteOf)) })
  }
  return rows
}

const corkOf = ({ binary }: BenchServers, { url, api_key, data, boards }: TestServer) => {
  const { key } = boards[0]!
  const cork: CommandLine = {
    program: binary,
    options: { cwd: data, env: environment({ CORK_URL: url, CORK_TOKEN: api_key }) },
    create: ({ title, priority }) => ['tasks', 'create', key, title, `--priority=${priority}`],
    get: (number) => ['tasks', 'get', `${key}-${number}`],
    list: ['tasks', 'list', `--project=${key}`, `--limit=${PAGE_SIZE}`],
  }
  return cork
}

/** Creates a beads database with the same number of tasks. */
async function createBeads(bench: BenchServers): Promise<CommandLine> {
  const program = installed('CORK_BENCH_BEADS', 'bd')
  const cwd = bench.path('beads')
  mkdirSync(cwd)
  const { words } = seededRandom(16)
  const tasks = Array.from({ length: bench.sizes.small }, (_, at) => {
    const task = { id: `bench-${at + 1}`, title: words(5), priority: at % 5 }
    return JSON.stringify(at % 2 ? { ...task, description: words(40) } : task)
  })
  writeFileSync(join(cwd, 'tasks.jsonl'), tasks.join('\n'))
  const beads: CommandLine = {
    program,
    options: { cwd, env: environment({ HOME: cwd }) },
    create: ({ title, priority }) => ['create', title, `--priority=${priority}`],
    get: (number) => ['show', `bench-${number}`],
    list: ['list', `--limit=${PAGE_SIZE}`],
  }
  await run(beads, ['init', '--prefix=bench', '--non-interactive', '--skip-agents', '--skip-hooks'])
  await run(beads, ['import', 'tasks.jsonl'])
  return beads
}

/** Runs a command with JSON as its output. */
async function run({ program, options }: CommandLine, args: string[]): Promise<string> {
  const child = Bun.spawn([program, ...args, '--json'], {
    ...options,
    ...{ stdout: 'pipe', stderr: 'pipe' },
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0) throw new Error(`${args[0]} failed: ${error || out}`)
  return out
}

/** Runs one command after another. Each has to print as many tasks as it should. */
const commandRun =
  (line: CommandLine, name: CommandName, tasks: number): TimedRun =>
  async (seconds) => {
    const times: number[] = []
    const random = seededRandom(17)
    const startedAt = performance.now()
    while (performance.now() - startedAt < seconds * 1000) {
      const args = {
        create: line.create({ title: random.words(5), priority: random.below(5) }),
        get: line.get(1 + random.below(tasks)),
        list: line.list,
      }[name]
      const commandStartedAt = performance.now()
      const out = await run(line, args)
      times.push(performance.now() - commandStartedAt)
      const printed = out.match(/"title":/g)?.length ?? 0
      if (printed < (name === 'list' ? PAGE_SIZE : 1))
        throw new Error(`${args.join(' ')} printed ${printed} tasks`)
    }
    const elapsed = (performance.now() - startedAt) / 1000
    return sampleOf(times, elapsed, { client: Number.NaN, server: Number.NaN })
  }
