import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Tx } from '../../src/kernel/caller.ts'
import {
  countIndexedTexts,
  type IndexedText,
  idBeyondNewest,
  indexTexts,
  isIndexed,
} from '../../src/store/fulltext.ts'
import { engineQuery, type Phrase, type TextQuery } from '../../src/store/text-query.ts'
import { createDatabaseLocation, openTestStore } from '../support/database.ts'
import { NOON } from '../support/world.ts'

const openEmptyStore = async () => openTestStore(await createDatabaseLocation(), () => NOON)
const text = (id: number, head: string, body = '', places = ['t1n']): IndexedText => ({
  ...{ id, places },
  head: head.split(' ').filter(Boolean),
  body: body.split(' ').filter(Boolean),
})
const phrase = (words: string, prefix = false): Phrase => ({ words: words.split(' '), prefix })
const textQuery = (overrides: Partial<TextQuery>): TextQuery => ({
  places: ['t1n'],
  required: [],
  excluded: [],
  ...overrides,
})

const matchingIds = async (tx: Tx, ids: readonly number[], query: TextQuery) => {
  const found: number[] = []
  for (const id of ids) if (await isIndexed(tx, id, query)) found.push(id)
  return found
}

test('a text is found by the words of its latest version', async () => {
  const store = await openEmptyStore()
  await store.write((tx) => indexTexts(tx, [text(1, 'red lamp'), text(2, 'lamp', 'of red glass')]))
  await store.write((tx) => indexTexts(tx, [text(1, 'green lamp')]))
  const search = (query: Partial<TextQuery>) =>
    store.read((tx) => matchingIds(tx, [1, 2, 3], textQuery(query)))
  expect(await search({ required: [[phrase('lamp')]] })).toEqual([1, 2])
  expect(await search({ required: [[phrase('red')]] })).toEqual([2])
  expect(await search({ required: [[phrase('green')], [phrase('lam', true)]] })).toEqual([1])
  // A phrase does not span title and text.
  expect(await search({ required: [[phrase('lamp of')]] })).toEqual([])
  expect(await search({ excluded: [phrase('red')] })).toEqual([1])
  expect(await search({ places: ['t2n'], required: [[phrase('lamp')]] })).toEqual([])
  // The place of a text is not searchable as a word.
  expect(await search({ required: [[phrase('t1n')]] })).toEqual([])
  expect(await store.read(countIndexedTexts)).toBe(2)
})

test('a failed write indexes nothing, and concurrent writes stay indexed', async () => {
  const store = await openEmptyStore()
  const failing = store.write(async (tx) => {
    await indexTexts(tx, [text(1, 'lost'), text(2, 'lost')])
    throw new Error('no')
  })
  const writes = [store.write((tx) => indexTexts(tx, [text(1, 'first')])), failing]
  const results = await Promise.allSettled([
    ...writes,
    store.write((tx) => indexTexts(tx, [text(3, 'third')])),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const search = (word: string) =>
    store.read((tx) => matchingIds(tx, [1, 2, 3], textQuery({ required: [[phrase(word)]] })))
  expect([await search('lost'), await search('first'), await search('third')]).toEqual([
    [],
    [1],
    [3],
  ])
})

test('idBeyondNewest returns the next match after the newest ones, or undefined if none is left', async () => {
  const store = await openEmptyStore()
  const texts = Array.from({ length: 30 }, (_, at) => text(at + 1, at % 3 ? 'lamp' : 'shade'))
  await store.write((tx) => indexTexts(tx, texts))
  const query = engineQuery(textQuery({ required: [[phrase('shade')]] }))
  const idAfter = (count: number) => store.read((tx) => idBeyondNewest(tx, query, count))
  expect([await idAfter(2), await idAfter(9), await idAfter(10)]).toEqual([22, 1, undefined])
})

test('any query finds the same texts as a naive implementation', async () => {
  const store = await openEmptyStore()
  const words = ['a', 'ab', 'abc', 'abcd', 'b', 'bc', '日', 'é']
  const wordList = fc.array(fc.constantFrom(...words), { maxLength: 5 })
  const one = fc.record({
    words: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
    prefix: fc.boolean(),
  })
  const queries = fc.record({
    required: fc.array(fc.array(one, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
    excluded: fc.array(one, { maxLength: 2 }),
    places: fc.constantFrom(['t1n'], ['t2n'], ['t1n', 't2n']),
  })
  const documents = fc.sample(
    fc.record({ head: wordList, body: wordList, place: fc.constantFrom('t1n', 't2n') }),
    40,
  )
  const texts = documents.map(({ place, ...rest }, at) => ({
    id: at + 1,
    places: [place],
    ...rest,
  }))
  await store.write((tx) => indexTexts(tx, texts))
  const containsPhrase = ({ words, prefix }: Phrase, textWords: readonly string[]) =>
    textWords.some((_, from) =>
      words.every((word, at) =>
        prefix && at === words.length - 1
          ? textWords[from + at]?.startsWith(word)
          : textWords[from + at] === word,
      ),
    )
  const matches = (phrase: Phrase, { head, body }: IndexedText) =>
    containsPhrase(phrase, head) || containsPhrase(phrase, body)
  const ids = texts.map(({ id }) => id)
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const expected = texts
        .filter(({ places: [first] }) => query.places.some((place) => place === first))
        .filter((one) =>
          query.required.every((alternatives) =>
            alternatives.some((phrase) => matches(phrase, one)),
          ),
        )
        .filter((one) => !query.excluded.some((phrase) => matches(phrase, one)))
      expect(await store.read((tx) => matchingIds(tx, ids, query))).toEqual(
        expected.map(({ id }) => id),
      )
    }),
    { numRuns: 60 },
  )
})
