import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GROUPS } from '../../scripts/bench/groups.ts'
import { everyNth } from '../support/scale.ts'

const root = join(import.meta.dir, '../..')
const results = join(root, 'bench/RESULTS.md')
const publishedResults = () => readFileSync(results, 'utf8')

function runBench(...args: string[]) {
  const result = Bun.spawnSync([process.execPath, join(root, 'scripts/bench.ts'), ...args])
  return { code: result.exitCode, out: result.stdout.toString(), err: result.stderr.toString() }
}

/** Groups that measure for minutes, also in a quick run. */
const LONG = ['hostile', 'imports', 'import']
/** Groups that start other programs or download files, which not every machine can. */
const FOREIGN = ['peers', 'collections']
const names = Object.keys(GROUPS)
const short = names.filter((name) => ![...LONG, ...FOREIGN].includes(name))
const groups = everyNth(short, { sqlite: short.length, postgres: short.length })

test('the published results contain every group of the bench, and no other', () => {
  const rows = publishedResults().matchAll(/^\| ([a-z]\S*) +\|/gm)
  const published = new Set([...rows].map(([, name]) => name!))
  const withoutForeign = (groups: string[]) => groups.filter((name) => !FOREIGN.includes(name))
  expect(withoutForeign([...published]).sort()).toEqual(
    ['machine', ...withoutForeign(names)].sort(),
  )
})

test('a quick bench measures its groups and leaves the published results unchanged', () => {
  const before = publishedResults()
  const { code, out, err } = runBench('--quick', ...groups)
  expect([code, err.match(/error.*/gi)]).toEqual([0, null])
  const rows = out.split('\n').filter((line) => line.startsWith('| '))
  const measuredGroups = new Set(rows.slice(2).map((row) => row.split('|')[1]!.trim()))
  expect([...measuredGroups]).toEqual(['machine', ...groups])
  for (const row of rows) expect(row).not.toMatch(/NaN|Infinity|undefined/)
  // Only executables built before that setting existed may have rows that are not measured.
  const missing = rows.filter((row) => row.includes('not measured'))
  expect(missing.filter((row) => !row.includes('always shares commits'))).toEqual([])
  expect(publishedResults()).toBe(before)
}, 300_000)

test('an unknown group and an invalid --rounds are refused', () => {
  expect(runBench('tasts')).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      'no group "tasts"; there are tasks, list, context, boards, my-tasks',
    ),
  })
  expect(runBench('--rounds', 'many')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--rounds must be a number above 0, not "many"'),
  })
})
