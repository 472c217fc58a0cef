import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import pino from 'pino'
import type { Tx } from '../../src/kernel/caller.ts'
import { type IndexedText, indexTexts, isIndexed } from '../../src/store/fulltext.ts'
import { compactTexts, isFragmented, segmentSizes } from '../../src/store/text-segments.ts'
import { compactMinutely } from '../../src/workers/index.ts'
import { createDatabaseLocation, openTestStore } from '../support/database.ts'
import { onPostgres } from '../support/postgres.ts'
import { expectEventually } from '../support/wait.ts'
import { NOON } from '../support/world.ts'

const WORDS = 20_011
const wordsOf = (id: number) =>
  Array.from({ length: 60 }, (_, at) => `word${(id * 7919 + at * 104_729) % WORDS}`)
const textOf = (id: number): IndexedText => ({
  id,
  places: ['t1n'],
  head: [`title${id}`],
  body: wordsOf(id),
})
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

async function openStore() {
  const location = await createDatabaseLocation()
  const store = await openTestStore(location, () => NOON)
  const database = new Database(location.path)
  const logPages = () =>
    (database.query('PRAGMA wal_checkpoint(NOOP)').get() as { log: number }).log
  /** The pages that a write adds to the write-ahead log. */
  async function pagesWritten(run: (tx: Tx) => Promise<unknown>): Promise<number> {
    const before = logPages()
    await store.write(run)
    return logPages() - before
  }
  const insertText = database.query(
    'INSERT INTO task_texts (rowid, place, head, body) VALUES (?, ?, ?, ?)',
  )
  const insert = (id: number) => {
    const { places, head, body } = textOf(id)
    insertText.run(id, places.join(' '), head.join(' '), body.join(' '))
  }
  return {
    ...store,
    pagesWritten,
    /** Adds a segment for each group, without the merging of other writes. */
    addSegments(...groups: number[][]) {
      for (const ids of groups) database.transaction(() => ids.forEach(insert))()
    },
    /** Merges all segments. Returns the pages that each step has written. */
    async compact(afterStep: (steps: number) => void = () => {}): Promise<number[]> {
      const pagesPerStep: number[] = []
      let isLeft = true
      const step = async (tx: Tx) => {
        isLeft = await compactTexts(tx, pagesPerStep.length === 0)
      }
      while (isLeft) afterStep(pagesPerStep.push(await pagesWritten(step)))
      return pagesPerStep
    },
    countSegments: async () => (await store.read(segmentSizes)).length,
    isFragmented: () => store.read(isFragmented),
    /** Whether each text is found by its title. */
    finds: (ids: readonly number[]) =>
      store.read(async (tx) => {
        for (const id of ids) {
          const required = [[{ words: [`title${id}`], prefix: false }]]
          if (!(await isIndexed(tx, id, { places: ['t1n'], required, excluded: [] }))) return false
        }
        return true
      }),
  }
}

describe.skipIf(onPostgres)('the segments of the text index', () => {
  test('texts written one by one merge the index a few pages at a time', async () => {
    const store = await openStore()
    const pagesPerWrite: number[] = []
    for (const id of range(1, 3001))
      pagesPerWrite.push(await store.pagesWritten((tx) => indexTexts(tx, [textOf(id)])))
    expect(Math.max(...pagesPerWrite)).toBeLessThan(100)
    expect(await store.countSegments()).toBeLessThan(32)
  })

  test('a fragmented index becomes one segment in small steps, while texts are written', async () => {
    const store = await openStore()
    store.addSegments(...range(0, 30).map((at) => range(at * 100, at * 100 + 100)))
    expect(await store.countSegments()).toBe(30)
    expect(await store.isFragmented()).toBe(true)
    const pagesPerStep = await store.compact((steps) => {
      if (steps === 3) store.addSegments([3000])
    })
    expect(pagesPerStep.length).toBeGreaterThan(5)
    expect(Math.max(...pagesPerStep)).toBeLessThan(300)
    // The other one has the texts that were written meanwhile.
    expect(await store.countSegments()).toBe(2)
    expect(await store.finds(range(0, 3001))).toBe(true)
    expect(await store.isFragmented()).toBe(false)
  })

  test('an index is not merged again until the small segments have grown', async () => {
    const store = await openStore()
    store.addSegments(range(0, 2000))
    await store.compact()
    store.addSegments(...range(2000, 2010).map((id) => [id]))
    expect(await store.countSegments()).toBe(11)
    expect(await store.isFragmented()).toBe(false)
    store.addSegments(range(2010, 2400))
    expect(await store.isFragmented()).toBe(true)
  })

  test('a server merges a fragmented index in the background', async () => {
    const store = await openStore()
    store.addSegments(...range(0, 20).map((id) => [id]))
    const pace = { minutely: 5, rest: 1 }
    const stop = compactMinutely({ store, log: pino({ level: 'silent' }), pace })
    await expectEventually(store.countSegments, 1)
    await stop()
    expect(await store.finds(range(0, 20))).toBe(true)
  })
})
