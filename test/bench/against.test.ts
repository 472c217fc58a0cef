import { expect, test } from 'bun:test'
import {
  compareResults,
  describeComparisons,
  parseTable,
  unpackCommit,
} from '../../scripts/bench/against.ts'
import { type Row, tableOf } from '../../scripts/bench/report.ts'

const row = (
  measurement: string,
  [low, median, high]: number[],
  overrides: Partial<Row> = {},
): Row => ({
  ...{ group: 'tasks', measurement, unit: '×', connections: 16 },
  ...{ figure: { low: low!, median: median!, high: high! }, target: { min: 1 } },
  ...overrides,
})
const resultsOf = (...rows: Row[]) => parseTable(tableOf(rows))
const verdictOf = (before: Row, after: Row) =>
  compareResults(resultsOf(before), resultsOf(after)).map(({ verdict }) => verdict)

test('a printed table is read back with its figures, and rows without a figure are left out', () => {
  const memory = row('memory', [90, 92, 95], { unit: 'MB', target: { max: 100 } })
  const { figure: _, ...unmeasured } = row('not measured', [1, 1, 1])
  expect(resultsOf(row('get', [0.4, 0.45, 0.5]), memory, unmeasured)).toEqual([
    {
      ...{ group: 'tasks', measurement: 'get', connections: '16', unit: '×' },
      ...{ figure: 0.45, low: 0.4, high: 0.5, isLessBetter: false },
    },
    {
      ...{ group: 'tasks', measurement: 'memory', connections: '16', unit: 'MB' },
      ...{ figure: 92, low: 90, high: 95, isLessBetter: true },
    },
  ])
})

test('a figure is worse only if its rounds do not overlap and it moved the wrong way by a tenth', () => {
  const before = row('get', [0.4, 0.45, 0.5])
  expect(verdictOf(before, row('get', [0.2, 0.25, 0.3]))).toEqual(['worse'])
  expect(verdictOf(before, row('get', [0.6, 0.65, 0.7]))).toEqual(['better'])
  expect(verdictOf(before, row('get', [0.3, 0.35, 0.41]))).toEqual(['same'])
  const exact = row('get', [0.45, 0.45, 0.45])
  expect(verdictOf(exact, row('get', [0.42, 0.42, 0.42]))).toEqual(['same'])
})

test('more is worse for times, sizes and growth', () => {
  for (const overrides of [
    { unit: 'ms' as const, target: undefined },
    { target: undefined, baselineName: '500 tasks, p50' },
    { target: { max: 2 } },
  ])
    expect(verdictOf(row('a', [1, 1, 1], overrides), row('a', [2, 2, 2], overrides))).toEqual([
      'worse',
    ])
})

test('rows that only one side has are not compared, and worse ones are listed first', () => {
  const before = resultsOf(row('get', [1, 1, 1]), row('list', [1, 1, 1]), row('old', [1, 1, 1]))
  const after = resultsOf(
    row('get', [2, 2, 2]),
    row('list', [0.5, 0.5, 0.5]),
    row('new', [1, 1, 1]),
  )
  expect(describeComparisons(compareResults(before, after)).split('\n')).toEqual([
    'worse  tasks: list, 16 connections: 1.00 × (1.00–1.00) → 0.50 × (0.50–0.50)',
    'better tasks: get, 16 connections: 1.00 × (1.00–1.00) → 2.00 × (2.00–2.00)',
  ])
})

test('a commit that does not exist is refused by name', async () => {
  await expect(unpackCommit('no-such-commit')).rejects.toThrow(
    'There is no commit "no-such-commit"',
  )
})
