import { join } from 'node:path'
import { short } from './report.ts'
import type { RunSettings } from './sample.ts'
import { cachedFolder } from './servers.ts'

const root = join(import.meta.dir, '../..')
const MAX_COMMITS = 2
/** Differences up to this share are taken for noise, even if the rounds do not overlap. */
const NOISE = 0.1

/** A row of a printed table that has a figure. */
export interface Result {
  group: string
  measurement: string
  connections: string
  unit: string
  figure: number
  low: number
  high: number
  isLessBetter: boolean
}

export interface Comparison {
  before: Result
  after: Result
  verdict: 'worse' | 'better' | 'same'
}

/** Unpacks a commit into the cache. Its own bench measures it, since tables and rows may differ. */
export async function unpackCommit(name: string): Promise<{ folder: string; commit: string }> {
  const { stdout, exitCode } = git('rev-parse', '--verify', '--quiet', `${name}^{commit}`)
  if (exitCode !== 0) throw new Error(`There is no commit "${name}"`)
  const commit = stdout.toString().trim()
  const options = { kind: 'commit', digest: commit.slice(0, 12), maxEntries: MAX_COMMITS }
  return cachedFolder(options, async (folder) => {
    await Bun.$`mkdir -p ${folder} && git archive ${commit} | tar -x -C ${folder}`.cwd(root)
    return { commit }
  })
}

const git = (...args: string[]) => Bun.spawnSync(['git', ...args], { cwd: root })

/** Runs one group of a commit's own bench. Returns no results if that bench has no such group. */
export async function measureCommit(
  folder: string,
  group: string,
  { rounds, seconds }: RunSettings,
  isQuick: boolean,
): Promise<Result[]> {
  const options = ['--rounds', String(rounds), '--seconds', String(seconds)]
  if (isQuick) options.push('--quick')
  const bench = Bun.spawn(
    ['node', join(folder, 'scripts/run.mjs'), 'scripts/bench.ts', group, ...options],
    { cwd: folder, stdout: 'pipe', stderr: 'pipe' },
  )
  const [out, err] = await Promise.all([
    new Response(bench.stdout).text(),
    new Response(bench.stderr).text(),
  ])
  if ((await bench.exited) === 0) return parseTable(out).filter((result) => result.group === group)
  if (err.includes(`no group "${group}"`)) return []
  throw new Error(`The bench of the other commit failed:\n${err}`)
}

/** Reads the rows that have a figure from a table that `tableOf` wrote. */
export function parseTable(text: string): Result[] {
  const [columns = [], , ...rows] = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  return rows.flatMap((cells): Result[] => {
    const cell = (name: string) => cells[columns.indexOf(name)] ?? ''
    const [, number, unit] = /^(-?[\d.]+)\s*(\D*)$/.exec(cell('Figure')) ?? []
    if (number === undefined || unit === undefined) return []
    const [low = number, high = number] = cell('Spread').split('–').filter(Boolean)
    return [
      {
        ...{ group: cell('Group'), measurement: cell('Measurement'), connections: cell('Conn.') },
        ...{ unit, figure: Number(number), low: Number(low), high: Number(high) },
        isLessBetter: isLessBetter(unit, cell('Target'), cell('Baseline')),
      },
    ]
  })
}

/** Ratios without a target compare rates, unless their baseline says that they compare times. */
function isLessBetter(unit: string, target: string, baseline: string): boolean {
  if (target) return target.startsWith('≤')
  return unit === '×' ? baseline.endsWith('p50') : unit !== 'M/s'
}

/** Compares rows that both have. A row differs if no round of one side is among the other's. */
export const compareResults = (before: readonly Result[], after: readonly Result[]): Comparison[] =>
  after.flatMap((result) => {
    const earlier = before.find((candidate) => keyOf(candidate) === keyOf(result))
    return earlier ? [{ before: earlier, after: result, verdict: verdictOn(earlier, result) }] : []
  })

const keyOf = ({ group, measurement, connections, unit }: Result) =>
  [group, measurement, connections, unit].join('|')

function verdictOn(before: Result, after: Result): Comparison['verdict'] {
  const overlaps = before.low <= after.high && after.low <= before.high
  const change = Math.abs(after.figure - before.figure) / Math.abs(before.figure)
  if (overlaps || change <= NOISE) return 'same'
  return after.figure > before.figure === after.isLessBetter ? 'worse' : 'better'
}

/** A line for each comparison, the worse ones first. */
export function describeComparisons(comparisons: readonly Comparison[]): string {
  const order = ['worse', 'better', 'same']
  return comparisons
    .toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict))
    .map(({ before, after, verdict }) => {
      const figure = ({ figure, low, high, unit }: Result) =>
        `${short(figure)} ${unit} (${short(low)}–${short(high)})`
      const name = `${after.group}: ${after.measurement}`
      const connections = after.connections && `, ${after.connections} connections`
      return `${verdict.padEnd(6)} ${name}${connections}: ${figure(before)} → ${figure(after)}`
    })
    .join('\n')
}
