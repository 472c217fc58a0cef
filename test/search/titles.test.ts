import { expect, test } from 'bun:test'
import { wordAt } from '../../scripts/bench/random.ts'
import { TitleCandidates } from '../../src/search/titles/candidates.ts'
import { matchNames, toNamed } from '../../src/search/titles/names.ts'
import { titleScore } from '../../src/search/titles/score.ts'
import { titleWords } from '../../src/search/titles/words.ts'

const ENOUGH = 50

function indexOf(titles: readonly string[], capacity = 100_000) {
  const candidates = new TitleCandidates(capacity)
  for (const [at, title] of titles.entries())
    candidates.put({ source: at + 1, kind: 0, ref: at + 1, project: at % 2, title })
  const find = (text: string, boards: readonly number[] = [0, 1]) => {
    const typed = titleWords(text)
    return candidates
      .find(typed, ({ project }) => boards.includes(project))
      .map(({ ref, words }) => ({ title: titles[ref - 1]!, score: titleScore(typed, words) ?? 0 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ title }) => title)
  }
  return { candidates, find }
}

const TITLES = [
  'Export the database',
  'Import people',
  'Größe der Anhänge',
  'Exporter crashes',
  '東京の会議',
]

test.each([
  ['e', 'Export the database'],
  ['data', 'Export the database'],
  ['exp dat', 'Export the database'],
  ['database ex', 'Export the database'],
  ['exprot', 'Export the database'],
  ['expro', 'Export the database'],
  ['atabase', 'Export the database'],
  ['databsa', 'Export the database'],
  ['teh database', 'Export the database'],
  ['imprt poeple', 'Import people'],
  ['GROSSE', 'Größe der Anhänge'],
  ['anhange', 'Größe der Anhänge'],
  ['京', '東京の会議'],
])('%s finds "%s"', (text, title) => {
  expect(indexOf(TITLES).find(text)).toContain(title)
})

test('a whole word is better than a beginning, and a beginning is better than a typo', () => {
  const { find } = indexOf(['Expert advice', 'Exports', 'Export'])
  expect(find('export')).toEqual(['Export', 'Exports', 'Expert advice'])
})

test('every typed word must match', () => {
  expect(indexOf(TITLES).find('export people')).toEqual([])
})

test('titles of other boards neither appear nor change the order', () => {
  const own = ['Plan sails', 'Sail plan', 'Plan']
  const alone = indexOf(own.flatMap((title) => [title, '']))
  const beside = indexOf(own.flatMap((title) => [title, 'Plan sail palm sial plan']))
  for (const text of ['p', 'pl', 'plan', 'plan sail', 'sial', 'palm'])
    expect(beside.find(text, [0])).toEqual(alone.find(text, [0]))
})

test('a renamed title is found by its new words only, a removed one not at all', () => {
  const { candidates } = indexOf(['Export'])
  const found = (text: string) => candidates.find(titleWords(text), () => true).length
  candidates.put({ source: 1, kind: 0, ref: 1, project: 0, title: 'Lantern' })
  expect([found('export'), found('lantern')]).toEqual([0, 1])
  candidates.remove(1, 7)
  expect(found('lantern')).toBe(1)
  candidates.remove(1, 0)
  expect(found('lantern')).toBe(0)
})

test('a full index drops its oldest titles', () => {
  const { find } = indexOf(['First task', 'Second task', 'Third task'], 2)
  expect(find('task').toSorted()).toEqual(['Second task', 'Third task'])
})

test('an old title is found by its whole text, however many newer ones begin with it', () => {
  const newer = Array.from({ length: 6000 }, (_, at) => `Export ${wordAt(at)}`)
  expect(indexOf(['Export', ...newer]).find('export')[0]).toBe('Export')
})

test('another correct letter never loses a title that is among fewer than 50', () => {
  const titles = Array.from({ length: 2000 }, (_, at) =>
    Array.from({ length: 2 + (at % 4) }, (_, nth) =>
      wordAt((at * 37 + nth * nth * 911) % 4000),
    ).join(' '),
  )
  const { find } = indexOf(titles)
  for (const title of titles.filter((_, at) => at % 20 === 0)) {
    let wasFound = false
    for (let length = 1; length <= title.length; length++) {
      const found = find(title.slice(0, length))
      const isFound = found.includes(title)
      if (wasFound || found.length < ENOUGH)
        expect([title, length, isFound]).toEqual([title, length, true])
      wasFound = found.length < ENOUGH
    }
  }
})

test('names with typos are found among 10,000 within milliseconds', () => {
  const names = Array.from({ length: 10_000 }, (_, at) => {
    const name = `${wordAt(at % 500)} ${wordAt(at)}`
    return toNamed(name, name)
  })
  names.push(toNamed('Rosalind Franklin', 'Rosalind Franklin'))
  for (const text of ['rosa', 'frankiln', 'rosalnd f'])
    expect(matchNames(titleWords(text), names, 5).map(({ item }) => item)).toContain(
      'Rosalind Franklin',
    )
})
