import { expect, test } from 'bun:test'
import {
  type Line,
  linesOf,
  MAX_CARDS,
  partOf,
  showsRow,
} from '../../src/web/screens/board/lanes/lines.ts'
import type { Lane } from '../../src/web/screens/board/lanes/model.ts'

/** A lane with so many cards in each of its cells. */
const lane = (key: string, ...counts: number[]): Lane => ({
  ...{ key, name: key },
  cells: counts.map((count) =>
    Array.from({ length: count }, (_, at) => ({ task_id: at }) as never),
  ),
  total: counts.reduce((sum, count) => sum + count, 0),
})

const NOTHING = {
  collapsed: new Set<string>(),
  expanded: new Set<string>(),
  newTaskLane: undefined,
}
const WHOLE = { first: 0, end: MAX_CARDS }
const keysOf = (lines: Line[]) => lines.map(({ key }) => key)

test('a lane is a head and one line of cards; a collapsed or empty lane is only a head', () => {
  const lanes = [lane('Ada', 2, 1), lane('Ben', 0, 0), lane('Cleo', 1, 0)]
  const lines = linesOf(lanes, { ...NOTHING, collapsed: new Set(['Cleo']) })
  expect(keysOf(lines)).toEqual(['head Ada', 'Ada 0', 'head Ben', 'head Cleo'])
})

test('an empty lane opens while a task is added to it', () => {
  const lines = linesOf([lane('Ben', 0, 0)], { ...NOTHING, newTaskLane: 'Ben' })
  expect(keysOf(lines)).toEqual(['head Ben', 'Ben 0'])
})

test('a tall lane shows the first cards of each cell, and all of them in parts once expanded', () => {
  const ada = lane('Ada', MAX_CARDS * 2 + 3, 2)
  const [, bounded] = linesOf([ada], NOTHING)
  expect(bounded).toMatchObject({
    is: 'cards',
    part: { first: 0, end: MAX_CARDS, isBounded: true },
  })
  const cells = ada.cells.map((cards) => partOf(cards, { ...WHOLE, isBounded: true }))
  expect(cells.map(({ hiddenCount }) => hiddenCount)).toEqual([MAX_CARDS + 3, 0])
  const lines = linesOf([ada], { ...NOTHING, expanded: new Set(['Ada']) })
  expect(keysOf(lines)).toEqual([
    'head Ada',
    ...[0, 3, 6, 9, 12, 15, 18].map((first) => `Ada ${first}`),
  ])
  const shown = Array.from({ length: MAX_CARDS * 2 + 3 }, (_, row) =>
    lines.flatMap((line, at) => (showsRow(line, row) ? at : [])),
  )
  expect(shown.flat()).toEqual(shown.map((_, row) => 1 + Math.floor(row / 3)))
})

test('a cell ends exactly once, in the part with its last card', () => {
  for (const count of [0, 1, MAX_CARDS, MAX_CARDS + 1, MAX_CARDS * 3]) {
    const cards = Array.from({ length: count })
    const parts = [0, 1, 2].map((at) => {
      const first = at * MAX_CARDS
      return partOf(cards, { first, end: first + MAX_CARDS, isBounded: false })
    })
    expect(parts.filter(({ isEnd }) => isEnd).length).toBe(1)
    expect(parts.reduce((sum, part) => sum + part.cards.length, 0)).toBe(count)
    expect(parts.findIndex(({ isEnd }) => isEnd)).toBe(
      Math.max(0, Math.ceil(count / MAX_CARDS) - 1),
    )
  }
})
