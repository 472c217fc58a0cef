/**
 * Measures the performance of the built executable. Most figures are ratios to a baseline that is
 * measured in alternation on the same machine, because absolute times depend on the machine.
 *
 *   npm run bench -- [groups…] [--quick] [--rounds N] [--seconds N] [--binary FILE]
 *                    [--against COMMIT]
 *
 * Without groups, all groups are run and bench/RESULTS.md is written. A run that was interrupted goes
 * on after the last finished group, if it is started again at the same commit. --quick only checks
 * that the bench works. --binary measures another executable than dist/cork. --against builds
 * another commit, measures each group there first, and fails if a figure got worse by more than
 * noise.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  compareResults,
  describeComparisons,
  measureCommit,
  parseTable,
  type Result,
  unpackCommit,
} from './bench/against.ts'
import { BenchServers, type Sizes } from './bench/bench-servers.ts'
import { calibrate } from './bench/calibrate.ts'
import { GROUPS } from './bench/groups.ts'
import { NOTES } from './bench/notes.ts'
import { environmentOf, isReached, type Row, tableOf } from './bench/report.ts'
import { SavedRows } from './bench/saved-rows.ts'
import { binary, build, isStale } from './build.ts'

const FULL: Sizes = {
  small: 500,
  board: 100_000,
  all: 1_000_000,
  streams: 5000,
  queue: 10_000,
  pages: 40,
  cards: 100_000,
}
const QUICK: Sizes = {
  small: 500,
  board: 2000,
  all: 5000,
  streams: 200,
  queue: 200,
  pages: 4,
  cards: 5000,
}

const INTRODUCTION = `Written by \`npm run bench\`. CONTRIBUTING.md explains how to read it. Only the ratios can be
compared with those of another machine.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    binary: { type: 'string' },
    against: { type: 'string' },
  },
})
const unknown = positionals.find((name) => !Object.hasOwn(GROUPS, name))
if (unknown) stop(`There is no group "${unknown}"; there are ${Object.keys(GROUPS).join(', ')}`)
const groups = positionals.length ? positionals : Object.keys(GROUPS)
const settings = {
  rounds: parsePositive('rounds', values.rounds ?? (values.quick ? '1' : '5')),
  seconds: parsePositive('seconds', values.seconds ?? (values.quick ? '0.1' : '1.5')),
}

const isPublished = !positionals.length && !values.quick && !values.binary
const saved = isPublished ? new SavedRows(settings) : undefined

if (!values.binary && isStale()) await build()
const bench = new BenchServers(
  resolve(values.binary ?? binary),
  settings,
  values.quick ? QUICK : FULL,
)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await bench.stop()
    process.exit(1)
  })
const other = values.against === undefined ? undefined : await unpackCommit(values.against)
const otherResults: Result[] = []
const rows: Row[] = calibrate(settings)
try {
  for (const name of groups) {
    if (other) {
      console.error(`${name} at ${other.commit.slice(0, 8)} …`)
      otherResults.push(...(await measureCommit(other.folder, name, settings, values.quick)))
    }
    console.error(`${name} …`)
    const run = () => GROUPS[name]!(bench)
    rows.push(...(await (saved ? saved.measure(name, run) : run())))
  }
} finally {
  await bench.stop()
}
const report = `${environmentOf(settings)}\n\n${tableOf(rows)}\n`
console.log(report)
const missed = rows.filter((row) => isReached(row) === false)
console.log(`${missed.length} of ${rows.filter(({ target }) => target).length} targets missed`)
if (other) {
  const comparisons = compareResults(otherResults, parseTable(report))
  console.log(`\nCompared with ${other.commit}:\n${describeComparisons(comparisons)}`)
  if (comparisons.some(({ verdict }) => verdict === 'worse')) process.exitCode = 1
}
if (saved) {
  const folder = join(import.meta.dir, '../bench')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'RESULTS.md'),
    `# Results of the bench\n\n${INTRODUCTION}\n\n${report}\n${NOTES}`,
  )
  saved.delete()
}

function parsePositive(option: string, text: string): number {
  const number = Number(text)
  return number > 0 ? number : stop(`--${option} must be a number above 0, not "${text}"`)
}

function stop(message: string): never {
  console.error(message)
  process.exit(2)
}
