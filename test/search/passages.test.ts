import { expect, test } from 'bun:test'
import { splitPassages } from '../../src/search/segments/passages.ts'
import { startCpuTimer } from '../support/time.ts'

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean)
const long = (wordCount: number, from = 0) =>
  Array.from({ length: wordCount }, (_, at) => `w${from + at}${at % 12 === 11 ? '.' : ''}`).join(
    ' ',
  )

test('a text is split at its headings, and each passage has the headings above it', () => {
  const text = '# Setup\nfirst\n## Linux\nsecond\n### Arch\nthird\n## Mac\nfourth\n# Use\nfifth'
  expect(splitPassages(text, 'markdown')).toEqual([
    { headings: ['Setup'], text: 'first' },
    { headings: ['Setup', 'Linux'], text: 'second' },
    { headings: ['Setup', 'Linux', 'Arch'], text: 'third' },
    { headings: ['Setup', 'Mac'], text: 'fourth' },
    { headings: ['Use'], text: 'fifth' },
  ])
})

test('HTML is split at its headings, with a line for each list item', () => {
  const html = '<p>before</p><h2>One <em>more</em></h2><p>a</p><ul><li>b</li><li>c</li></ul>'
  expect(splitPassages(html, 'html')).toEqual([
    { headings: [], text: 'before' },
    { headings: ['One more'], text: 'a\nb\nc' },
  ])
})

test('a heading without text is a passage, unless it has subheadings', () => {
  expect(splitPassages('# A\n## B\n# C', 'markdown')).toEqual([
    { headings: ['A', 'B'], text: '' },
    { headings: ['C'], text: '' },
  ])
})

test('code keeps its lines, a table row is a line, and a # in code is not a heading', () => {
  const text = '```sh\n# no heading\nls  -l\n```\n\n| a | b |\n|---|---|\n| c | d |'
  expect(splitPassages(text, 'markdown')).toEqual([
    { headings: [], text: '# no heading\nls  -l\na | b\nc | d' },
  ])
})

test('a long text is split into overlapping passages of about 150 words', () => {
  const text = long(2000)
  const pieces = splitPassages(text, 'markdown').map((piece) => wordsOf(piece.text))
  for (const [at, words] of pieces.slice(0, -1).entries()) {
    expect(words.length).toBeWithin(110, 201)
    const next = pieces[at + 1]!
    const shared = words.length - words.indexOf(next[0]!)
    expect(shared).toBeWithin(15, 46)
    expect(words.slice(-shared)).toEqual(next.slice(0, shared))
  }
  expect([...new Set(pieces.flat())]).toEqual(wordsOf(text))
})

test('appending to a text leaves its earlier passages unchanged', () => {
  const text = `# A\n\n${long(1000)}\n\n# B\n\n${long(700, 1000)}`
  const before = splitPassages(text, 'markdown')
  const after = splitPassages(`${text} ${long(300, 1700)}`, 'markdown')
  expect(after.slice(0, before.length - 2)).toEqual(before.slice(0, -2))
  expect(after.length).toBeGreaterThan(before.length)
})

test('splitting loses no character, cuts no surrogate pair and keeps ordinary words whole', () => {
  const texts = [
    'x'.repeat(100_000),
    '漢字かな交じり文。'.repeat(3000),
    'ไทย'.repeat(10_000),
    '😀'.repeat(20_000),
    `${'słowo '.repeat(3000)}`,
    long(5000),
  ]
  for (const text of texts) {
    const pieces = splitPassages(text, 'markdown')
    for (const piece of pieces) {
      expect(piece.text.isWellFormed()).toBe(true)
      expect(piece.text.length).toBeLessThan(2000)
    }
    const characters = new Set(text.replace(/\s/g, ''))
    expect(new Set(pieces.flatMap((piece) => [...piece.text.replace(/\s/g, '')]))).toEqual(
      characters,
    )
  }
  const words = new Set(wordsOf(long(5000)))
  for (const piece of splitPassages(long(5000), 'markdown'))
    for (const word of wordsOf(piece.text)) expect(words.has(word)).toBe(true)
})

test('an empty text has no passages', () => {
  for (const text of ['', ' \n\t ', '<!-- nothing -->', '<p></p>'])
    for (const format of ['markdown', 'html'] as const)
      expect(splitPassages(text, format)).toEqual([])
})

test('20 unusual texts of a megabyte are split within 20 seconds of processor time', () => {
  const elapsedCpu = startCpuTimer()
  for (const part of ['x', 'x ', '<', '# a\n', '漢', '😀', '- a\n', '<p>', '`', '|a|b|\n'])
    for (const format of ['html', 'markdown'] as const)
      expect(splitPassages(part.repeat(1_000_000 / part.length), format)).toBeArray()
  expect(elapsedCpu()).toBeLessThan(20_000)
})

test('a text has at most 10,000 passages', () => {
  expect(splitPassages('# a\n'.repeat(30_000), 'markdown')).toHaveLength(10_000)
  expect(splitPassages(long(1_000_000), 'markdown').length).toBeLessThan(10_000)
})
