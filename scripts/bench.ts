/**
 * How fast the executable answers, as ratios to what this machine does with as little as possible:
 * only ratios mean something elsewhere, and both sides of each are measured turn by turn.
 *
 *   npm run bench -- [groups…] [--quick] [--rounds N] [--seconds N] [--binary FILE]
 *
 * Without groups all are run and bench/RESULTS.md is written. --quick only shows that all of it
 * works; --binary measures another executable than dist/cork.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { around } from './bench/around.ts'
import { boards } from './bench/boards.ts'
import { calibrate } from './bench/calibrate.ts'
import { claims } from './bench/claims.ts'
import { growth } from './bench/growth.ts'
import { hostile } from './bench/hostile.ts'
import { Bench, type Sizes } from './bench/house.ts'
import { imports } from './bench/imports.ts'
import { list } from './bench/list.ts'
import { live } from './bench/live.ts'
import { machine } from './bench/machine.ts'
import { mcp } from './bench/mcp.ts'
import { mine } from './bench/mine.ts'
import { pages } from './bench/pages.ts'
import { passages } from './bench/passages.ts'
import { postgres } from './bench/postgres.ts'
import { quality } from './bench/quality.ts'
import { REMARKS } from './bench/remarks.ts'
import { type Row, reached, tableOf } from './bench/report.ts'
import { search } from './bench/search.ts'
import { start } from './bench/start.ts'
import { sweeps } from './bench/sweeps.ts'
import { tasks } from './bench/tasks.ts'
import { webhooks } from './bench/webhooks.ts'
import { binary, build, isStale } from './build.ts'

const GROUPS: Record<string, (bench: Bench) => Promise<Row[]>> = {
  tasks,
  list,
  around,
  boards,
  mine,
  pages,
  mcp,
  search,
  passages,
  quality,
  claims,
  live,
  webhooks,
  hostile,
  sweeps,
  imports,
  start,
  growth,
  postgres,
}
const FULL: Sizes = {
  small: 500,
  board: 100_000,
  all: 1_000_000,
  streams: 5000,
  queue: 10_000,
  pages: 40,
}
const QUICK: Sizes = { small: 500, board: 2000, all: 5000, streams: 200, queue: 200, pages: 4 }

const ABOUT = `Written by \`npm run bench\`; CONTRIBUTING.md says how to read it. Only the ratios mean something on
another machine.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    binary: { type: 'string' },
  },
})
const unknown = positionals.find((name) => !Object.hasOwn(GROUPS, name))
if (unknown) stop(`There is no group "${unknown}"; there are ${Object.keys(GROUPS).join(', ')}`)
const chosen = positionals.length ? positionals : Object.keys(GROUPS)
const pace = {
  rounds: positive('rounds', values.rounds ?? (values.quick ? '1' : '5')),
  seconds: positive('seconds', values.seconds ?? (values.quick ? '0.1' : '1.5')),
}

if (!values.binary && isStale()) await build()
const bench = new Bench(resolve(values.binary ?? binary), pace, values.quick ? QUICK : FULL)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await bench.stop()
    process.exit(1)
  })
const rows: Row[] = calibrate(pace)
try {
  for (const name of chosen) {
    console.error(`${name} …`)
    rows.push(...(await GROUPS[name]!(bench)))
  }
} finally {
  await bench.stop()
}
const report = `${machine(pace)}\n\n${tableOf(rows)}\n`
console.log(report)
const missed = rows.filter((row) => reached(row) === false)
console.log(`${missed.length} of ${rows.filter(({ target }) => target).length} targets missed`)
if (!positionals.length && !values.quick) {
  const folder = join(import.meta.dir, '../bench')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'RESULTS.md'),
    `# Results of the bench\n\n${ABOUT}\n\n${report}\n${REMARKS}`,
  )
}

function positive(name: string, text: string): number {
  const number = Number(text)
  return number > 0 ? number : stop(`--${name} must be a number above 0, not "${text}"`)
}

function stop(message: string): never {
  console.error(message)
  process.exit(2)
}
