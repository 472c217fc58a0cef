import { expect, test } from 'bun:test'
import { type LiveSegment, type RankRequest, rank } from '../../src/search/ranking/rank.ts'
import { buildSegment, type IndexedPassage } from '../../src/search/segments/segment.ts'
import { knownWords, WordList } from '../../src/search/words/vocabulary.ts'
import { startCpuTimer } from '../support/time.ts'
import { passage, randomPassages, randomSource } from './random-passages.ts'

const wordsOf = (text: string) => WordList.of(knownWords(text))
const noWords = wordsOf('')
const liveSegment = (
  passages: readonly IndexedPassage[],
  deleted: readonly number[] = [],
): LiveSegment => ({
  segment: buildSegment(passages),
  isDeleted: (id) => deleted.includes(id),
})
const found = (
  text: string,
  segments: readonly LiveSegment[],
  words = '',
  options: Partial<RankRequest> = {},
) =>
  rank({ text, limit: 50, ...options }, { segments, vocabulary: wordsOf(words) }).map(
    ({ id }) => id,
  )
/** Finds texts of one passage each, as typed into a search box. */
const foundTyped = (text: string, ...texts: string[]) => {
  const passages = texts.map((content, at) => passage(at + 1, content))
  return found(text, withFiller(...passages), texts.join('\n'), { isTyped: true })
}

/** Filler passages, so that words are as rare as on a board. */
const filler = Array.from({ length: 60 }, (_, at) =>
  passage(1000 + at, `filler number${at} about colour${at % 7} and weather${at % 5} tomorrow`),
)
const withFiller = (...passages: IndexedPassage[]) => [liveSegment([...passages, ...filler])]

test('a word in the title or a heading scores higher than in the text', () => {
  const text = 'some invoice among many other things that were written down here'
  const segments = withFiller(
    passage(1, text),
    passage(2, 'many other things that were written down here', { title: 'Invoice' }),
    passage(3, 'many other things that were written down here', { headings: 'Invoice' }),
  )
  expect(found('invoice', segments).at(-1)).toBe(1)
})

test('a Japanese passage with the quoted phrase comes first, also in the middle of other words', () => {
  const segments = withFiller(
    passage(1, '京都の東に都がある。東京の都合は京都の東にある。'),
    passage(2, '昨日は大東京都庁で会議があった。'),
  )
  expect(found('"東京都"', segments)[0]).toBe(2)
})

test('a Japanese word finds passages with its pairs of characters before those that only have them apart', () => {
  const segments = withFiller(
    passage(1, '議長は会場で待つ。会員は議場にいる。'),
    passage(2, '明日の会議は中止になる。来週も同じ。'),
  )
  expect(found('会議', segments)).toEqual([2, 1])
})

test('a passage with the quoted phrase comes first', () => {
  const segments = withFiller(
    passage(1, 'the key of the master plan, and another key: master of all plans'),
    passage(
      2,
      'somebody wrote much about it, and in the end it was a master key that fitted the lock',
    ),
  )
  expect(found('master key', segments)[0]).toBe(1)
  expect(found('"master key"', segments)[0]).toBe(2)
})

test('words near each other score higher than words far apart', () => {
  const far = 'printer '.concat('paper tray drawer shelf cupboard desk '.repeat(4), 'jam')
  const similar = 'printer jam '.concat('paper tray drawer shelf cupboard desk '.repeat(4))
  const segments = withFiller(passage(1, far), passage(2, similar))
  expect(found('printer jam', segments).slice(0, 2)).toEqual([2, 1])
})

test('a misspelt word is corrected, but only to a word of the searched segments', () => {
  const segments = withFiller(passage(1, 'how the database is restored'))
  expect(found('databsae', segments, 'database')).toContain(1)
  expect(found('databsae', segments, 'databases datebsae database')).toContain(1)
  expect(found('databsae', segments, 'elsewhere')).toEqual([])
})

test('words that no searched passage contains change no score', () => {
  const segments = withFiller(passage(1, 'how the database is restored'))
  const known = 'how the database is restored'
  const others = Array.from({ length: 3000 }, (_, at) => `databas${at.toString(36)}`).join(' ')
  for (const text of ['databsae', 'datab', 'restored databse', 'base']) {
    const scores = (words: string) =>
      rank({ text, limit: 50, isTyped: true }, { segments, vocabulary: wordsOf(words) })
    expect(scores(`${known} ${others}`)).toEqual(scores(known))
  }
})

test('the last word that is typed may be incomplete, from its first letter on', () => {
  expect(foundTyped('m', 'about migrations', 'nothing of it')).toEqual([1])
  expect(foundTyped('database mig', 'a database', 'the migration of a database')[0]).toBe(2)
  expect(foundTyped('mig ', 'about migrations')).toEqual([])
  expect(foundTyped('the "mig', 'of migrations')).toEqual([])
})

test('a complete word outranks rarer words that begin with it', () => {
  const logs = Array.from({ length: 9 }, () => 'reads the log of today')
  const ids = foundTyped('log', 'reads the logarithm of today', ...logs)
  expect(ids).toHaveLength(10)
  expect(ids.at(-1)).toBe(1)
})

test('an exact word outranks a correction of it, however rare', () => {
  const exact = Array.from({ length: 4 }, () => 'an exprot of it')
  expect(foundTyped('exprot ', 'an export of it', ...exact).at(-1)).toBe(1)
})

test('an incomplete name from code is completed as a whole', () => {
  expect(foundTyped('fooBa', 'calls fooBarBaz here', 'calls it')[0]).toBe(1)
  expect(foundTyped('fooba', 'calls fooBarBaz here', 'calls it')[0]).toBe(1)
})

test('a typed word may have typos even if a text has the same typo', () => {
  expect(foundTyped('exprot ', 'an exprot of it', 'the export of it')).toEqual([1, 2])
  expect(foundTyped('atabase ', 'the database of it')).toEqual([1])
  expect(foundTyped('teh ', 'is it the one')).toContain(1)
})

test('a typed word is found however names are written', () => {
  expect(foundTyped('nodejs ', 'uses node.js here')).toEqual([1])
  expect(foundTyped('nodejs', 'has many nodes here', 'uses node.js here')[0]).toBe(2)
  expect(foundTyped('OAuth2', 'signs in by oauth 2', 'signs in twice')[0]).toBe(1)
  expect(foundTyped('oauth 2', 'has 2 parts', 'signs in by OAuth2')[0]).toBe(2)
  expect(foundTyped('node.js ', 'uses nodejs here')).toEqual([1])
  expect(foundTyped('bar baz ', 'calls fooBarBaz here')).toEqual([1])
  expect(foundTyped('oauth', 'signs in by OAuth2')).toEqual([1])
  expect(foundTyped('1.2.3', 'release 3.2.1', 'release 1.2.3')[0]).toBe(2)
  expect(foundTyped('🚀', 'ready', 'ready 🚀')[0]).toBe(2)
})

test('a word is found in compounds, and a compound by its last part', () => {
  const texts = ['die Bushaltestelle im Ort', 'ein Haltegriff am Rad']
  const words = texts.join('\n')
  const segments = withFiller(...texts.map((text, at) => passage(at + 1, text)))
  expect(found('Haltestelle', segments, words)).toEqual([1])
  expect(found('Fahrradgriff', segments, 'ein Griff')).toEqual([])
  expect(found('Fahrradhaltegriff', segments, words)).toEqual([2])
})

test('passages with an excluded word or phrase are not returned', () => {
  const segments = withFiller(
    passage(1, 'the printers are slow today'),
    passage(2, 'the printer is fast'),
    passage(3, 'slow is the printer'),
  )
  expect(found('printer', segments, '', { without: ['slow'] })).toEqual([2])
  expect(found('printer', segments, '', { without: ['are slow'] }).sort()).toEqual([2, 3])
  expect(found('printer', segments, '', { without: ['is the printer'] }).sort()).toEqual([1, 2])
  expect(found('printer', segments, '', { without: ['unknown'] })).toHaveLength(3)
})

test('a phrase with stop words is excluded from long texts too', () => {
  const long = 'printers in every office of every building need paper, toner and much patience'
  const segments = withFiller(
    passage(1, `${long}, a state of the art machine among them`),
    passage(2, `${long}, and state laws of art`),
  )
  expect(found('printer', segments, '', { without: ['state of the art'] })).toEqual([2])
  expect(found('printer', segments, '', { without: ['art machine'] })).toEqual([2])
})

test('a compound matches whether it is written as one word or as two', () => {
  const segments = withFiller(passage(1, 'the lockfile is old'), passage(2, 'about time zones'))
  expect(found('lock file', segments)).toContain(1)
  expect(found('timezone', segments)).toContain(2)
})

test('a synonym matches, after the word itself', () => {
  const segments = withFiller(
    passage(1, 'removing a directory and what is in it'),
    passage(2, 'deleting a folder and what is in it'),
  )
  expect(found('delete folder', segments).slice(0, 2)).toEqual([2, 1])
})

test('words that often occur together match each other, but only within the searched segments', () => {
  const together = [1, 2, 3, 4, 5].map((id) => passage(id, `the zorbifex runs with quuxly ${id}`))
  const single = passage(9, 'quuxly by itself')
  const elsewhere = [liveSegment([single, ...filler])]
  expect(found('zorbifex', withFiller(...together, single))).toContain(9)
  expect(found('zorbifex', elsewhere)).toEqual([])
})

test('a passage scores higher if other passages of its text match too', () => {
  const sentence = 'we keep backups of everything'
  const segments = withFiller(
    passage(1, sentence, { source: 1 }),
    passage(2, sentence, { source: 2 }),
    passage(3, 'restoring is tried every month with a spare machine', { source: 2 }),
  )
  const ids = found('backups restoring', segments)
  expect(ids.indexOf(2)).toBeLessThan(ids.indexOf(1))
})

test('of two overlapping passages only the better one is returned', () => {
  const shared = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda'
  const segments = withFiller(
    passage(1, `something at first about nothing ${shared}`, { source: 1 }),
    passage(2, `${shared} and the gasket at last, a gasket`, { source: 1 }),
    passage(3, `${shared} somewhere else`, { source: 2 }),
  )
  expect(found('gasket alpha beta lambda', segments).slice(0, 3)).toEqual([2, 3])
})

test('deleted passages are not returned, and other passages still are', () => {
  for (const seed of [1, 2, 3]) {
    const passages = randomPassages(seed, 300)
    const { word, below } = randomSource(seed)
    const deleted = passages.filter(() => below(3) === 0).map(({ id }) => id)
    const text = Array.from({ length: 6 }, () => word(400)).join(' ')
    const ids = found(text, [liveSegment(passages, deleted)])
    expect(ids.length).toBeGreaterThan(0)
    expect(ids.filter((id) => deleted.includes(id))).toEqual([])
  }
})

test('the same query has the same results, with positive scores in descending order', () => {
  for (const seed of [4, 5, 6]) {
    const passages = randomPassages(seed, 300)
    const { word } = randomSource(seed)
    const query = { text: Array.from({ length: 9 }, () => word(900)).join(' '), limit: 25 }
    const hits = rank(query, { segments: [liveSegment(passages)], vocabulary: noWords })
    expect(rank(query, { segments: [liveSegment(passages)], vocabulary: noWords })).toEqual(hits)
    expect(hits.length).toBeLessThanOrEqual(25)
    expect(hits.every(({ score }) => Number.isFinite(score) && score > 0)).toBe(true)
    expect(hits.map(({ score }) => score)).toEqual(
      hits.map(({ score }) => score).sort((a, b) => b - a),
    )
  }
})

test('words in most of the passages count little, whatever the language', () => {
  const german = Array.from({ length: 30 }, (_, at) =>
    passage(at + 10, `das ist der Text und die Nummer n${at}`),
  )
  const segments = [
    liveSegment([
      ...german,
      passage(1, 'Drucker repariert'),
      passage(2, 'das und der und die ist'),
    ]),
  ]
  expect(found('das ist der und die Drucker', segments)[0]).toBe(1)
})

test('splitting passages over several segments changes the ranking little', () => {
  for (const seed of [7, 8, 9]) {
    const passages = randomPassages(seed, 300).map((one) => ({ ...one, source: one.id }))
    const { word } = randomSource(seed)
    const text = `${word(500)} ${word(500)} ${word(500)}`
    const one = found(text, [liveSegment(passages)])
    const parts = [passages.slice(0, 100), passages.slice(100, 250), passages.slice(250)]
    const results = found(
      text,
      parts.map((part) => liveSegment(part)),
    )
    expect(results.slice(0, 5)).toContain(one[0]!)
    const both = results.slice(0, 20).filter((id) => one.slice(0, 20).includes(id))
    expect(both.length).toBeGreaterThan(12)
  }
})

test('a query of stop words alone finds titles that contain them', () => {
  const segments = withFiller(passage(1, 'a text', { title: 'What we do, and how' }))
  expect(found('what do we', segments)[0]).toBe(1)
})

test('words of other scripts and emoji are found', () => {
  const segments = withFiller(
    passage(1, '東京タワーに行く'),
    passage(2, 'привет мир'),
    passage(3, 'ship it 🚀'),
  )
  expect(found('東京', segments)[0]).toBe(1)
  expect(found('МИР', segments)[0]).toBe(2)
  expect(found('🚀', segments)[0]).toBe(3)
})

test('an empty query, an empty index and an unknown word have no results', () => {
  const segments = withFiller(passage(1, 'text'))
  for (const text of ['', ' … ', '"', '""', '\0', '\ud800'])
    expect(found(text, segments)).toEqual([])
  expect(found('text', [])).toEqual([])
  expect(found('text', [liveSegment([])])).toEqual([])
  expect(found('unheard', segments)).toEqual([])
})

test('queries of 10,000 words or of a million characters are ranked within 10 seconds', () => {
  const passages = randomPassages(8, 3000)
  const { word } = randomSource(8)
  const segments = [liveSegment(passages)]
  const elapsedCpu = startCpuTimer()
  const texts = [
    Array.from({ length: 10_000 }, () => word(8000)).join(' '),
    'x'.repeat(1_000_000),
    '"a b" '.repeat(100_000),
    'the of and '.repeat(100_000),
    '字'.repeat(300_000),
    'unheard of '.repeat(50_000),
  ]
  for (const text of texts)
    expect(rank({ text, limit: 10 }, { segments, vocabulary: noWords })).toBeArray()
  expect(elapsedCpu()).toBeLessThan(10_000)
})

test('a long query finds the passage about its main subject', () => {
  const body = 'the gearbox of the windmill is greased before the storm season begins '
  const segments = withFiller(passage(1, body.repeat(3)), passage(2, 'greasing a bicycle'))
  const text = `${filler.map((_, at) => `filler number${at} about colour`).join(' ')} ${body.repeat(20)}`
  expect(found(text, segments)[0]).toBe(1)
})
