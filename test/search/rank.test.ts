import { expect, test } from 'bun:test'
import { type LiveSegment, rank } from '../../src/search/rank.ts'
import { buildSegment, type IndexedPassage } from '../../src/search/segment.ts'
import { leaf, leavesAtRandom, randomly } from './leaves.ts'

const none = () => []
const stackOf = (leaves: readonly IndexedPassage[], gone: readonly number[] = []): LiveSegment => ({
  segment: buildSegment(leaves),
  isDeleted: (id) => gone.includes(id),
})
const found = (
  text: string,
  stacks: readonly LiveSegment[],
  near: (word: string) => string[] = none,
) => rank({ text, limit: 50 }, { segments: stacks, similarSpellings: near }).map(({ id }) => id)

/** Filler passages, so that words are as rare as on a board. */
const others = Array.from({ length: 60 }, (_, at) =>
  leaf(1000 + at, `filler number${at} about colour${at % 7} and weather${at % 5} tomorrow`),
)
const among = (...leaves: IndexedPassage[]) => [stackOf([...leaves, ...others])]

test('a word in the title or a heading scores higher than in the text', () => {
  const text = 'some invoice among many other things that were written down here'
  const stacks = among(
    leaf(1, text),
    leaf(2, 'many other things that were written down here', { title: 'Invoice' }),
    leaf(3, 'many other things that were written down here', { headings: 'Invoice' }),
  )
  expect(found('invoice', stacks).at(-1)).toBe(1)
})

test('a passage with the quoted phrase comes first', () => {
  const stacks = among(
    leaf(1, 'the key of the master plan, and another key: master of all plans'),
    leaf(
      2,
      'somebody wrote much about it, and in the end it was a master key that fitted the lock',
    ),
  )
  expect(found('master key', stacks)[0]).toBe(1)
  expect(found('"master key"', stacks)[0]).toBe(2)
})

test('words near each other score higher than words far apart', () => {
  const far = 'printer '.concat('paper tray drawer shelf cupboard desk '.repeat(4), 'jam')
  const near = 'printer jam '.concat('paper tray drawer shelf cupboard desk '.repeat(4))
  const stacks = among(leaf(1, far), leaf(2, near))
  expect(found('printer jam', stacks).slice(0, 2)).toEqual([2, 1])
})

test('a misspelt word is corrected, but only to a word of the searched segments', () => {
  const stacks = among(leaf(1, 'how the database is restored'))
  expect(found('databsae', stacks, () => ['database'])).toContain(1)
  expect(found('databsae', stacks, () => ['elsewhere', 'database'])).toContain(1)
  expect(found('databsae', stacks, () => ['elsewhere'])).toEqual([])
  const asked: string[] = []
  const near = (word: string) => {
    asked.push(word)
    return []
  }
  found('database restored', stacks, near)
  expect(asked).toEqual([])
})

test('a compound matches whether it is written as one word or as two', () => {
  const stacks = among(leaf(1, 'the lockfile is old'), leaf(2, 'about time zones'))
  expect(found('lock file', stacks)).toContain(1)
  expect(found('timezone', stacks)).toContain(2)
})

test('a synonym matches, after the word itself', () => {
  const stacks = among(
    leaf(1, 'removing a directory and what is in it'),
    leaf(2, 'deleting a folder and what is in it'),
  )
  expect(found('delete folder', stacks).slice(0, 2)).toEqual([2, 1])
})

test('words that often occur together match each other, but only within the searched segments', () => {
  const company = [1, 2, 3, 4, 5].map((id) => leaf(id, `the zorbifex runs with quuxly ${id}`))
  const alone = leaf(9, 'quuxly by itself')
  const elsewhere = [stackOf([alone, ...others])]
  expect(found('zorbifex', among(...company, alone))).toContain(9)
  expect(found('zorbifex', elsewhere)).toEqual([])
})

test('a passage scores higher if other passages of its text match too', () => {
  const same = 'we keep backups of everything'
  const stacks = among(
    leaf(1, same, { source: 1 }),
    leaf(2, same, { source: 2 }),
    leaf(3, 'restoring is tried every month with a spare machine', { source: 2 }),
  )
  const ids = found('backups restoring', stacks)
  expect(ids.indexOf(2)).toBeLessThan(ids.indexOf(1))
})

test('of two overlapping passages only the better one is returned', () => {
  const shared = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda'
  const stacks = among(
    leaf(1, `something at first about nothing ${shared}`, { source: 1 }),
    leaf(2, `${shared} and the gasket at last, a gasket`, { source: 1 }),
    leaf(3, `${shared} somewhere else`, { source: 2 }),
  )
  expect(found('gasket alpha beta lambda', stacks).slice(0, 3)).toEqual([2, 3])
})

test('deleted passages are not returned, and other passages still are', () => {
  for (const seed of [1, 2, 3]) {
    const leaves = leavesAtRandom(seed, 300)
    const { word, below } = randomly(seed)
    const gone = leaves.filter(() => below(3) === 0).map(({ id }) => id)
    const text = Array.from({ length: 6 }, () => word(400)).join(' ')
    const ids = found(text, [stackOf(leaves, gone)])
    expect(ids.length).toBeGreaterThan(0)
    expect(ids.filter((id) => gone.includes(id))).toEqual([])
  }
})

test('the same query has the same results, with positive scores in descending order', () => {
  for (const seed of [4, 5, 6]) {
    const leaves = leavesAtRandom(seed, 300)
    const { word } = randomly(seed)
    const asked = { text: Array.from({ length: 9 }, () => word(900)).join(' '), limit: 25 }
    const hits = rank(asked, { segments: [stackOf(leaves)], similarSpellings: none })
    expect(rank(asked, { segments: [stackOf(leaves)], similarSpellings: none })).toEqual(hits)
    expect(hits.length).toBeLessThanOrEqual(25)
    expect(hits.every(({ score }) => Number.isFinite(score) && score > 0)).toBe(true)
    expect(hits.map(({ score }) => score)).toEqual(
      hits.map(({ score }) => score).sort((a, b) => b - a),
    )
  }
})

test('splitting passages over several segments changes the ranking little', () => {
  for (const seed of [7, 8, 9]) {
    const leaves = leavesAtRandom(seed, 300).map((one) => ({ ...one, source: one.id }))
    const { word } = randomly(seed)
    const text = `${word(500)} ${word(500)} ${word(500)}`
    const one = found(text, [stackOf(leaves)])
    const parts = [leaves.slice(0, 100), leaves.slice(100, 250), leaves.slice(250)]
    const several = found(
      text,
      parts.map((part) => stackOf(part)),
    )
    expect(several.slice(0, 5)).toContain(one[0]!)
    const both = several.slice(0, 20).filter((id) => one.slice(0, 20).includes(id))
    expect(both.length).toBeGreaterThan(12)
  }
})

test('a query of stop words alone finds titles that contain them', () => {
  const stacks = among(leaf(1, 'a text', { title: 'What we do, and how' }))
  expect(found('what do we', stacks)[0]).toBe(1)
})

test('words of other scripts and emoji are found', () => {
  const stacks = among(leaf(1, '東京タワーに行く'), leaf(2, 'привет мир'), leaf(3, 'ship it 🚀'))
  expect(found('東京', stacks)[0]).toBe(1)
  expect(found('МИР', stacks)[0]).toBe(2)
  expect(found('🚀', stacks)[0]).toBe(3)
})

test('an empty query, an empty index and an unknown word have no results', () => {
  const stacks = among(leaf(1, 'text'))
  for (const text of ['', ' … ', '"', '""', '\0', '\ud800']) expect(found(text, stacks)).toEqual([])
  expect(found('text', [])).toEqual([])
  expect(found('text', [stackOf([])])).toEqual([])
  expect(found('unheard', stacks)).toEqual([])
})

test('queries of 10,000 words or of a million characters are ranked within 10 seconds', () => {
  const leaves = leavesAtRandom(8, 3000)
  const { word } = randomly(8)
  const stacks = [stackOf(leaves)]
  const began = performance.now()
  const texts = [
    Array.from({ length: 10_000 }, () => word(8000)).join(' '),
    'x'.repeat(1_000_000),
    '"a b" '.repeat(100_000),
    'the of and '.repeat(100_000),
    '字'.repeat(300_000),
    'unheard of '.repeat(50_000),
  ]
  for (const text of texts)
    expect(rank({ text, limit: 10 }, { segments: stacks, similarSpellings: none })).toBeArray()
  expect(performance.now() - began).toBeLessThan(10_000)
}, 20_000)

test('a long query finds the passage about its main subject', () => {
  const body = 'the gearbox of the windmill is greased before the storm season begins '
  const stacks = among(leaf(1, body.repeat(3)), leaf(2, 'greasing a bicycle'))
  const text = `${others.map((_, at) => `filler number${at} about colour`).join(' ')} ${body.repeat(20)}`
  expect(found(text, stacks)[0]).toBe(1)
})
