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
  expect(bounded).toMatchObject({ is: 'cards', part: { first: 0, isBounded: true } })
  const cells = ada.cells.map((cards) => partOf(cards, { first: 0, isBounded: true }))
  expect(cells.map(({ hiddenCount }) => hiddenCount)).toEqual([MAX_CARDS + 3, 0])
  const lines = linesOf([ada], { ...NOTHING, expanded: new Set(['Ada']) })
  expect(keysOf(lines)).toEqual(['head Ada', 'Ada 0', 'Ada 1', 'Ada 2'])
  expect(lines.findIndex((line) => showsRow(line, MAX_CARDS * 2))).toBe(3)
})

test('a cell ends exactly once, in the part with its last card', () => {
  for (const count of [0, 1, MAX_CARDS, MAX_CARDS + 1, MAX_CARDS * 3]) {
    const cards = Array.from({ length: count })
    const parts = [0, 1, 2].map((at) => partOf(cards, { first: at * MAX_CARDS, isBounded: false }))
    expect(parts.filter(({ isEnd }) => isEnd).length).toBe(1)
    expect(parts.reduce((sum, part) => sum + part.cards.length, 0)).toBe(count)
    expect(parts.findIndex(({ isEnd }) => isEnd)).toBe(
      Math.max(0, Math.ceil(count / MAX_CARDS) - 1),
    )
  }
})
