import { expect, test } from 'bun:test'
import { isReached, type Row, short, tableOf } from '../../scripts/bench/report.ts'
import {
  compareByRound,
  compareRuns,
  median,
  medianSample,
  rateRatio,
  type Sample,
  sampleOf,
} from '../../scripts/bench/sample.ts'

const load = { client: 0.5, server: 1 }
const sampleTaking = (ms: number, seconds = 1) => sampleOf([ms], seconds, load)

test('a sample has the rate, the mean and the percentiles of its times', () => {
  const times = Array.from({ length: 100 }, (_, at) => 100 - at)
  expect(sampleOf(times, 4, load)).toEqual({
    ...{ rate: 25, mean: 50.5, p50: 51, p95: 96, p99: 100 },
    ...load,
  })
})

test('the median does not depend on the order and on outliers', () => {
  expect(median([9, 1, 2])).toBe(2)
  expect(median([4, 1, 3, 1000])).toBe(3.5)
})

test('a typical sample has the median of each figure', () => {
  expect(medianSample([sampleTaking(1), sampleTaking(5, 10), sampleTaking(9, 100)])).toMatchObject({
    p50: 5,
    rate: 0.1,
  })
})

test('two sides are compared round by round, so a slow round affects both', () => {
  const rates = (all: number[]) => all.map((rate) => ({ ...sampleTaking(1), rate }))
  const figure = compareByRound(rates([50, 5, 30]), rates([100, 10, 50]), rateRatio)
  expect(figure).toEqual({ median: 0.5, low: 0.5, high: 0.6 })
})

test('both sides warm up before they are measured in turn', async () => {
  const turns: string[] = []
  const run = (name: string) => {
    let ms = 1000
    return async (seconds: number): Promise<Sample> => {
      turns.push(`${name} ${seconds}`)
      const sample = sampleTaking(ms)
      ms = name === 'subject' ? 4 : 2
      return sample
    }
  }
  const runs = { subject: run('subject'), baseline: run('baseline') }
  const { sample, baseline, figure } = await compareRuns(
    { rounds: 2, seconds: 3 },
    runs,
    (subject, baseline) => subject.p50 / baseline.p50,
  )
  expect(turns).toEqual(Array(3).fill(['baseline 3', 'subject 3']).flat())
  expect([sample.p50, baseline.p50, figure]).toEqual([4, 2, { median: 2, low: 2, high: 2 }])
})

test('a target is reached if the median is at least its lower or at most its upper bound', () => {
  const figure = { median: 2, low: 1, high: 9 }
  expect(isReached({ figure, target: { min: 2 } })).toBe(true)
  expect(isReached({ figure, target: { min: 2.1 } })).toBe(false)
  expect(isReached({ figure, target: { max: 2 } })).toBe(true)
  expect(isReached({ figure, target: { max: 1.9 } })).toBe(false)
  expect(isReached({ figure })).toBeUndefined()
  expect(isReached({ target: { max: 1 } })).toBeUndefined()
})

test('the report is an aligned Markdown table that marks missed targets and missing figures', () => {
  const figure = { median: 0.254, low: 0.2, high: 0.3 }
  const row: Row = { group: 'tasks', measurement: 'get', unit: '×', figure, target: { min: 0.35 } }
  const lines = tableOf([row, { ...row, figure: undefined, note: 'why' }]).split('\n')
  expect(new Set(lines.map((line) => line.length)).size).toBe(1)
  expect(new Set(lines.map((line) => line.split('|').length)).size).toBe(1)
  expect(lines[2]).toMatch(/0\.25× \| +0\.20–0\.30 \| ≥ 0\.35× \| +NO /)
  expect(lines[3]).toMatch(/not measured \| why/)
})

test('numbers are shown with three significant digits, or more before the decimal point', () => {
  expect([1234.5, 12.345, 1.2345, 0.01, 0.00345, 0, Number.NaN].map(short)).toEqual([
    ...['1235', '12.3', '1.23', '0.01', '0.0034', '0', ''],
  ])
})
