import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { combine, knownWords, WordList } from '../../src/search/words/vocabulary.ts'
import { startCpuTimer } from '../support/time.ts'
import { newIndexPath, openIndex, page } from './index-fixtures.ts'
import { randomSource } from './random-passages.ts'

const listOf = (text: string) => WordList.of(knownWords(text))
const spellingsIn = (text: string) => knownWords(text).map(({ word }) => word)
const termOf = (word: string) => knownWords(word)[0]!.term

test('a vocabulary has the words of any script and names with digits, each once', () => {
  expect(spellingsIn('Printers, printers; v2 x 12 Übung दिल्ली')).toEqual([
    ...['printers', 'v2', 'ubung', 'दिल्ली'],
  ])
  expect(spellingsIn('fooBarBaz')).toEqual(['foobarbaz', 'foo', 'bar', 'baz'])
  expect(spellingsIn('東京タワー ปลา')).toEqual([])
})

test('similar words differ by a typo, in the first letter too, or by two in long words', () => {
  const list = listOf('database export exports board the migration')
  const similar = (word: string) => list.similarTo(word).map((one) => `${one.word} ${one.typos}`)
  expect(similar('atabase')).toEqual(['database 1'])
  expect(similar('exprot')).toEqual(['export 1'])
  expect(similar('teh')).toEqual(['the 1'])
  expect(similar('migartoin')).toEqual(['migration 2'])
  expect(similar('board')).toEqual([])
})

test('words are found by how they begin and how they end', () => {
  const list = listOf('bus bushaltestelle busch haltestelle zug')
  expect(list.startingWith('bus')).toEqual(['bus', 'busch', 'bushaltestelle'].map(termOf))
  expect(list.startingWith('x')).toEqual([])
  expect(list.compoundsOf('haltestelle')).toEqual([termOf('bushaltestelle')])
  expect(list.compoundsOf('bus')).toEqual(['busch', 'bushaltestelle'].map(termOf))
})

test('a decoded vocabulary has the same words, and a damaged one is refused', () => {
  const words = [...knownWords('zebra Übung printer'), { word: '\ufefff', term: 7 }]
  const bytes = WordList.of(words).encode()
  const inOrder = words.toSorted((a, b) => (a.word < b.word ? -1 : 1))
  expect(WordList.decode(bytes)!.words()).toEqual(inOrder.map(({ word, term }) => ({ word, term })))
  expect(WordList.decode(bytes)!.startingWith('print')).toEqual([termOf('printer')])
  expect(WordList.decode(WordList.of([]).encode())!.size).toBe(0)
  for (let at = 0; at < bytes.length; at++) {
    const damaged = bytes.slice()
    damaged[at]! ^= 1
    expect(WordList.decode(damaged)).toBeUndefined()
  }
  expect(WordList.decode(bytes.slice(0, 5))).toBeUndefined()
})

test('combined vocabularies find the words of each', () => {
  const both = combine([listOf('printer'), listOf('printing zebra')])
  expect(both.startingWith('print')).toEqual([termOf('printer'), termOf('printing')])
  expect(both.similarTo('printre').map(({ word }) => word)).toEqual(['printer'])
  expect(both.startingWith('zebra')).toHaveLength(1)
})

test('a vocabulary of 100,000 words takes 4 MB, and 20 lookups take a tenth of a second', () => {
  const { below } = randomSource(5)
  const alphabet = 'etaoinshrdlucmfwypvbgkjqxz'
  const character = () => alphabet[Math.min(below(26), below(26))]!
  const words = new Set<string>()
  while (words.size < 100_000) words.add(Array.from({ length: 5 + below(8) }, character).join(''))
  const list = WordList.of([...words].map((word, term) => ({ word, term })))
  expect(list.bytes).toBeLessThan(4e6)
  list.similarTo('warming')
  const elapsedCpu = startCpuTimer()
  for (const word of [...words].slice(0, 20)) list.similarTo(`${word.slice(0, -1)}e`)
  expect(elapsedCpu()).toBeLessThan(100 * SLOW_MACHINE)
})

/** Other tests share the processor. */
const SLOW_MACHINE = 4

test('words of a board that is not searched change no score of any question', async () => {
  const index = openIndex()
  await index.update({
    put: [
      page(1, 'How the database of the printer is restored'),
      page(2, 'Die Bushaltestelle am Markt'),
    ],
  })
  const questions = ['databsae', 'datab', 'restored databse ', 'haltestelle', 'prnter', 'r']
  const answers = () =>
    Promise.all(
      questions.flatMap((text) =>
        [true, false].map((isTyped) => index.search({ text, isTyped, projects: [1], limit: 50 })),
      ),
    )
  const before = await answers()
  expect(before.filter((passages) => passages.length).length).toBeGreaterThan(6)
  const similar = Array.from({ length: 3000 }, (_, at) => `databs${at.toString(36)} r${at}`)
  const others = `${similar.join(' ')} prenter printre databsae umsteigehaltestelle`
  await index.update({ put: [page(3, others, { project_id: 2 })] })
  expect(await answers()).toEqual(before)
  expect(await index.results('umsteigehaltestelle', { projects: [2] })).toEqual(['page 3'])
  expect(await answers()).toEqual(before)
})

test('words of new texts and of moved texts are known at once', async () => {
  const index = openIndex()
  const typed = (text: string, project: number) =>
    index.bestResult(text, { isTyped: true, projects: [project] })
  await index.update({ put: [page(1, 'about whales')] })
  expect(await typed('wha', 1)).toBe('page 1')
  await index.update({ put: [page(2, 'about wharves')] })
  expect(await typed('whar', 1)).toBe('page 2')
  expect(await typed('wha', 2)).toBeUndefined()
  await index.update({ put: [page(2, 'about wharves', { project_id: 2 })] })
  expect(await typed('whar', 2)).toBe('page 2')
  expect(await typed('whar', 1)).toBeUndefined()
})

test('thousands of words that are learned after loading are found', async () => {
  const index = openIndex()
  await index.update({ put: [page(1, 'about whales')] })
  expect(await index.results('whal', { isTyped: true })).toEqual(['page 1'])
  const many = Array.from({ length: 2500 }, (_, at) => `word${at.toString(36)}`).join(' ')
  await index.update({ put: [page(2, many)] })
  await index.update({ put: [page(3, 'about zebras')] })
  expect(await index.results('wordab', { isTyped: true })).toContain('page 2')
  expect(await index.bestResult('zebr', { isTyped: true })).toBe('page 3')
})

test('words of deleted texts leave the file when their board is compacted', async () => {
  const path = newIndexPath()
  const index = openIndex(path)
  const wordsIn = () => {
    const db = new Database(path, { readonly: true })
    const rows = db.query<{ word: string }, []>('SELECT word FROM words').all()
    const lists = db.query<{ list: Uint8Array }, []>('SELECT list FROM word_lists').all()
    db.close()
    return [...rows, ...lists.flatMap(({ list }) => WordList.decode(list)!.words())].map(
      ({ word }) => word,
    )
  }
  const pages = Array.from({ length: 20 }, (_, at) => page(at + 1, `about whales ${at}`))
  await index.update({ put: [...pages, page(99, 'a secret narwhal')] })
  await index.update({ deleted: [{ kind: 'page', id: 99 }] })
  expect(wordsIn()).toContain('narwhal')
  for (let tries = 0; wordsIn().includes('narwhal') && tries < 500; tries++) await Bun.sleep(20)
  expect(wordsIn()).not.toContain('narwhal')
  expect(wordsIn()).toContain('whales')
  await index.update({ put: [page(98, 'another narwhal')] })
  expect(await index.bestResult('narwha', { isTyped: true })).toBe('page 98')
  expect(wordsIn()).toContain('narwhal')
})

test('hundreds of words are merged into a list, which is read at the next start', async () => {
  const path = newIndexPath()
  const index = openIndex(path)
  const many = Array.from({ length: 400 }, (_, at) => `whale${at.toString(36)}`).join(' ')
  await index.update({ put: [page(1, many)] })
  const rowsIn = (table: string) => {
    const db = new Database(path, { readonly: true })
    const { n } = db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()!
    db.close()
    return n
  }
  for (let tries = 0; rowsIn('words') && tries < 500; tries++) await Bun.sleep(20)
  expect([rowsIn('words'), rowsIn('word_lists')]).toEqual([0, 1])
  await index.update({ put: [page(2, 'whale1 and a zebra')] })
  expect(rowsIn('words')).toBe(2)
  await index.close()
  const again = openIndex(path)
  expect(await again.bestResult('zebr', { isTyped: true })).toBe('page 2')
  expect(await again.bestResult('whaleb4', { isTyped: true })).toBe('page 1')
})

test('an index with a damaged list of words is rebuilt', async () => {
  const path = newIndexPath()
  const index = openIndex(path)
  await index.update({ put: [page(1, 'about whales')] })
  await index.close()
  const db = new Database(path)
  db.query('INSERT INTO word_lists VALUES (1, ?)').run(new Uint8Array(40))
  db.close()
  const again = openIndex(path)
  await expect(again.results('whalse')).rejects.toThrow('being rebuilt')
  expect(await again.results('whales')).toEqual([])
  expect(again.messages).toEqual(['The search index is damaged and is rebuilt'])
  await again.update({ put: [page(1, 'about whales')] })
  expect(await again.results('whalse')).toEqual(['page 1'])
})
