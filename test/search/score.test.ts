import { expect, test } from 'bun:test'
import { parse } from '../../src/search/query/query.ts'
import { scorer } from '../../src/search/query/score.ts'
import { snippetOf, termsOf } from '../../src/search/query/snippet.ts'

const score = (query: string, title: string, isConsecutive = false) =>
  scorer(parse(query, []))({ title, isNamed: false, isConsecutive })

const orders: [query: string, titles: string[]][] = [
  [
    'printer',
    ['Printer', 'The printer', 'Printer of the second floor', 'Printerless', 'Elsewhere'],
  ],
  ['red lamp ', ['Red lamp', 'Lamp, red and blue', 'Red paint', 'Elsewhere']],
  ['"red lamp"', ['A red lamp', 'Lamp, red']],
  ['red OR lamp ', ['Lamp', 'Lamp in the hall', 'Elsewhere']],
  ['entries ', ['Entry', 'Every entry', 'Exit']],
  ['Café ', ['cafe', 'Le café du coin', 'Bar']],
]

for (const [query, titles] of orders)
  test(`better titles for ${query} have higher scores`, () => {
    const scores = titles.map((title) => score(query, title))
    for (const [at, one] of scores.slice(1).entries())
      expect([titles[at + 1], one < scores[at]!]).toEqual([titles[at + 1], true])
  })

test('an exact ticket key scores highest, and an empty query scores 0', () => {
  const named = { title: 'x', isNamed: true, isConsecutive: false }
  expect(scorer(parse('hp-1', []))(named)).toBeGreaterThan(score('hp-1', 'HP-1'))
  expect(score('', 'x')).toBe(0)
})

const snippet = (text: string, query: string) => snippetOf(text, termsOf(parse(query, [])))

test('a snippet marks matching words and phrases on one line, and needs a match', () => {
  expect(snippet('One\ntwo  threes', 'two three ')).toBe('One **two** **threes**')
  expect(snippet('a <b>c</b> *d* & e', 'c e ')).toBe('a ‹b›**c**‹/b› d & **e**')
  expect(snippet('nothing here', 'zebra')).toBeUndefined()
  expect(snippet('red red lamp', '"red lamp"')).toBe('red **red lamp**')
  expect(snippet('東京タワー', '京')).toBe('東**京**タワー')
})

test('a snippet of a long text shows the part with the most matches, cut between words', () => {
  const text = `zebra ${'filler '.repeat(100)}zebra lion tiger ${'filler '.repeat(100)}`
  const marked = snippet(text, 'zebra lion tiger ')!
  expect(marked).toContain('**zebra** **lion** **tiger**')
  expect(marked).toMatch(/^…(filler )+.*( filler)+…$/)
  const endless = snippet(`${'x'.repeat(5000)} zebra ${'y'.repeat(5000)}`, 'zebra ')!
  expect(endless).toContain('**zebra**')
  expect(endless.length).toBeLessThan(230)
})

test('consecutive words of a description score higher than scattered ones, and less than a title', () => {
  const scattered = score('red lamp ', 'Elsewhere')
  const consecutive = score('red lamp ', 'Elsewhere', true)
  expect(consecutive).toBeGreaterThan(scattered)
  expect(consecutive).toBeLessThan(score('red lamp ', 'Red paint for the old wall'))
})
