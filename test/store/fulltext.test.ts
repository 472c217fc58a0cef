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
import { opened, place } from '../database.ts'
import { NOON } from '../world.ts'

const fresh = async () => opened(await place(), () => NOON)
const text = (id: number, head: string, body = '', places = ['t1n']): IndexedText => ({
  ...{ id, places },
  head: head.split(' ').filter(Boolean),
  body: body.split(' ').filter(Boolean),
})
const phrase = (words: string, prefix = false): Phrase => ({ words: words.split(' '), prefix })
const sought = (more: Partial<TextQuery>): TextQuery => ({
  places: ['t1n'],
  required: [],
  excluded: [],
  ...more,
})

const idsOf = async (tx: Tx, ids: readonly number[], what: TextQuery) => {
  const kept: number[] = []
  for (const id of ids) if (await isIndexed(tx, id, what)) kept.push(id)
  return kept
}

test('a text is found by the words of its latest version', async () => {
  const store = await fresh()
  await store.write((tx) => indexTexts(tx, [text(1, 'red lamp'), text(2, 'lamp', 'of red glass')]))
  await store.write((tx) => indexTexts(tx, [text(1, 'green lamp')]))
  const ask = (what: Partial<TextQuery>) => store.read((tx) => idsOf(tx, [1, 2, 3], sought(what)))
  expect(await ask({ required: [[phrase('lamp')]] })).toEqual([1, 2])
  expect(await ask({ required: [[phrase('red')]] })).toEqual([2])
  expect(await ask({ required: [[phrase('green')], [phrase('lam', true)]] })).toEqual([1])
  // A phrase does not span title and text.
  expect(await ask({ required: [[phrase('lamp of')]] })).toEqual([])
  expect(await ask({ excluded: [phrase('red')] })).toEqual([1])
  expect(await ask({ places: ['t2n'], required: [[phrase('lamp')]] })).toEqual([])
  // The place of a text is not searchable as a word.
  expect(await ask({ required: [[phrase('t1n')]] })).toEqual([])
  expect(await store.read(countIndexedTexts)).toBe(2)
})

test('a failed write indexes nothing, and concurrent writes stay indexed', async () => {
  const store = await fresh()
  const failing = store.write(async (tx) => {
    await indexTexts(tx, [text(1, 'lost'), text(2, 'lost')])
    throw new Error('no')
  })
  const jobs = [store.write((tx) => indexTexts(tx, [text(1, 'first')])), failing]
  const done = await Promise.allSettled([
    ...jobs,
    store.write((tx) => indexTexts(tx, [text(3, 'third')])),
  ])
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const ask = (word: string) =>
    store.read((tx) => idsOf(tx, [1, 2, 3], sought({ required: [[phrase(word)]] })))
  expect([await ask('lost'), await ask('first'), await ask('third')]).toEqual([[], [1], [3]])
})

test('idBeyondNewest returns the next match after the newest ones, or undefined if none is left', async () => {
  const store = await fresh()
  const texts = Array.from({ length: 30 }, (_, at) => text(at + 1, at % 3 ? 'lamp' : 'shade'))
  await store.write((tx) => indexTexts(tx, texts))
  const question = engineQuery(sought({ required: [[phrase('shade')]] }))
  const floor = (many: number) => store.read((tx) => idBeyondNewest(tx, question, many))
  expect([await floor(2), await floor(9), await floor(10)]).toEqual([22, 1, undefined])
})

test('any query finds the same texts as a naive implementation', async () => {
  const store = await fresh()
  const words = ['a', 'ab', 'abc', 'abcd', 'b', 'bc', '日', 'é']
  const row = fc.array(fc.constantFrom(...words), { maxLength: 5 })
  const one = fc.record({
    words: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
    prefix: fc.boolean(),
  })
  const asks = fc.record({
    required: fc.array(fc.array(one, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
    excluded: fc.array(one, { maxLength: 2 }),
    places: fc.constantFrom(['t1n'], ['t2n'], ['t1n', 't2n']),
  })
  const shelf = fc.sample(
    fc.record({ head: row, body: row, place: fc.constantFrom('t1n', 't2n') }),
    40,
  )
  const texts = shelf.map(({ place, ...rest }, at) => ({ id: at + 1, places: [place], ...rest }))
  await store.write((tx) => indexTexts(tx, texts))
  const stands = ({ words, prefix }: Phrase, among: readonly string[]) =>
    among.some((_, from) =>
      words.every((word, at) =>
        prefix && at === words.length - 1
          ? among[from + at]?.startsWith(word)
          : among[from + at] === word,
      ),
    )
  const holds = (phrase: Phrase, { head, body }: IndexedText) =>
    stands(phrase, head) || stands(phrase, body)
  const ids = texts.map(({ id }) => id)
  await fc.assert(
    fc.asyncProperty(asks, async (what) => {
      const expected = texts
        .filter(({ places: [own] }) => what.places.some((place) => place === own))
        .filter((one) => what.required.every((any) => any.some((phrase) => holds(phrase, one))))
        .filter((one) => !what.excluded.some((phrase) => holds(phrase, one)))
      expect(await store.read((tx) => idsOf(tx, ids, what))).toEqual(expected.map(({ id }) => id))
    }),
    { numRuns: 60 },
  )
}, 30_000)
