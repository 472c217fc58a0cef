import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { everyNth } from '../extent.ts'

const root = join(import.meta.dir, '../..')
const results = join(root, 'bench/RESULTS.md')
const kept = () => (existsSync(results) ? readFileSync(results, 'utf8') : undefined)

function bench(...args: string[]) {
  const run = Bun.spawnSync([process.execPath, join(root, 'scripts/bench.ts'), ...args])
  return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() }
}

const ALL = [
  'tasks',
  'list',
  'around',
  'boards',
  'mine',
  'pages',
  'mcp',
  'search',
  'passages',
  'quality',
  'claims',
  'live',
  'webhooks',
  'sweeps',
  'start',
  'growth',
  'postgres',
]
const groups = everyNth(ALL, { sqlite: 17, postgres: 17 })

test('a quick bench measures its groups and leaves the published results unchanged', () => {
  const before = kept()
  const { code, out, err } = bench('--quick', ...groups)
  expect([code, err.match(/error.*/gi)]).toEqual([0, null])
  const rows = out.split('\n').filter((line) => line.startsWith('| '))
  const told = new Set(rows.slice(2).map((row) => row.split('|')[1]!.trim()))
  expect([...told]).toEqual(['machine', ...groups])
  for (const row of rows) expect(row).not.toMatch(/NaN|Infinity|undefined/)
  // Only executables built before that setting existed may have rows that are not measured.
  const missing = rows.filter((row) => row.includes('not measured'))
  expect(missing.filter((row) => !row.includes('always shares commits'))).toEqual([])
  expect(kept()).toBe(before)
}, 300_000)

test('an unknown group and an invalid --rounds are refused', () => {
  expect(bench('tasts')).toMatchObject({
    code: 2,
    err: expect.stringContaining('no group "tasts"; there are tasks, list, around, boards, mine'),
  })
  expect(bench('--rounds', 'many')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--rounds must be a number above 0, not "many"'),
  })
})
