import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { SearchableText } from '../../src/search/passage-index/index.ts'
import { decodeSegment } from '../../src/search/segments/segment.ts'
import { newIndexPath, openIndex, page, sections } from './index-fixtures.ts'

interface StoredPassage {
  project: number
  id: number
}

/** The passages in the file, by the table that has them. */
function passagesIn(path: string) {
  const db = new Database(path, { readonly: true })
  const query = <T>(sql: string) => db.query<T, []>(sql).all()
  const key = ({ project, id }: StoredPassage) => `${project} ${id}`
  const segments = query<{ project: number; size: number; shelf: Uint8Array }>(
    'SELECT project, size, shelf FROM segments ORDER BY project, upto',
  )
  const all = query<StoredPassage>(
    'SELECT s.project, p.id FROM passages p JOIN sources s ON s.source = p.source',
  )
  const passages = {
    all: all.map(key).sort(),
    fresh: query<StoredPassage>('SELECT project, id FROM fresh').map(key),
    deleted: new Set(query<StoredPassage>('SELECT project, id FROM gone').map(key)),
    sizes: segments.map(({ size }) => size),
    inSegments: segments.flatMap(({ project, shelf }) =>
      Array.from(decodeSegment(shelf).column('id'), (id) => key({ project, id })),
    ),
  }
  db.close()
  return passages
}

/** Every passage is in one segment or fresh, and segments hold no others but deleted ones. */
function expectComplete(path: string) {
  const { all, fresh, deleted, inSegments } = passagesIn(path)
  const alive = inSegments.filter((key) => !deleted.has(key))
  expect([...alive, ...fresh].sort()).toEqual(all)
  for (const key of deleted) expect(inSegments).toContain(key)
}

const many = (from: number, to: number, fields: Partial<SearchableText> = {}) =>
  Array.from({ length: to - from }, (_, at) =>
    page(from + at, `Word${from + at} stands here.`, fields),
  )

describe('a board that grows', () => {
  test('has few segments, and each passage is in one of them or among the fresh ones', async () => {
    const path = newIndexPath()
    const index = openIndex(path)
    for (let at = 0; at < 3000; at += 150) await index.update({ put: many(at, at + 150) })
    await index.update({})
    const { sizes, fresh } = passagesIn(path)
    expectComplete(path)
    expect(sizes.length).toBeGreaterThan(1)
    expect(sizes.length).toBeLessThan(6)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2048)
    expect(fresh.length).toBeLessThan(256)
    expect(await index.bestResult('word17')).toBe('page 17')
    expect(await index.bestResult('word2999')).toBe('page 2999')
  })

  test('drops deleted passages from its segments', async () => {
    const path = newIndexPath()
    const index = openIndex(path)
    await index.update({ put: many(0, 600) })
    await index.update({ deleted: many(0, 400).map(({ id }) => ({ kind: 'page', id })) })
    await index.update({})
    expectComplete(path)
    expect(passagesIn(path).sizes).toEqual([200])
    expect(await index.results('word3', { limit: 200 })).not.toContain('page 3')
    expect(await index.bestResult('word500')).toBe('page 500')
  })

  test('finds added texts and no deleted ones while it stays loaded', async () => {
    const path = newIndexPath()
    const index = openIndex(path)
    for (let at = 0; at < 900; at += 300) {
      await index.update({ put: many(at, at + 300) })
      await index.update({ deleted: [{ kind: 'page', id: at }] })
      for (const id of [at + 1, at + 299])
        expect(await index.bestResult(`word${id}`)).toBe(`page ${id}`)
      expect(await index.bestResult(`word${at}`)).not.toBe(`page ${at}`)
    }
  })
})

test('boards beyond the memory limit are loaded when they are searched', async () => {
  const index = openIndex(newIndexPath(), 40_000)
  const boards = Array.from({ length: 20 }, (_, at) => at + 1)
  for (const project_id of boards)
    await index.update({ put: many(project_id * 100, project_id * 100 + 50, { project_id }) })
  for (const project_id of boards) {
    const id = project_id * 100 + 7
    expect(await index.bestResult(`word${id}`, { projects: boards })).toBe(`page ${id}`)
    expect((await index.state()).loaded_bytes).toBeLessThanOrEqual(40_000)
  }
  expect((await index.state()).loaded).toBeLessThan(boards.length)
})

const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heron']

const event = fc.record({
  id: fc.integer({ min: 1, max: 6 }),
  isGone: fc.boolean(),
  project_id: fc.integer({ min: 1, max: 3 }),
  parts: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
})

test('after any sequence of updates each text is found in its last state, only on its board', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
      const path = newIndexPath()
      const index = openIndex(path)
      const last = new Map<number, SearchableText>()
      for (const { id, isGone, project_id, parts } of events) {
        const text = page(id, sections(...parts), { project_id, title: 'Note' })
        if (isGone) last.delete(id)
        else last.set(id, text)
        await index.update(isGone ? { deleted: [{ kind: 'page', id }] } : { put: [text] })
        await index.results('amber birch')
      }
      expectComplete(path)
      for (const word of WORDS)
        for (const project of [1, 2, 3]) {
          const isMatch = ({ text, project_id }: SearchableText) =>
            project_id === project && text!.includes(word)
          const expected = [...last.values()].filter(isMatch).map(({ id }) => `page ${id}`)
          const query = { text: word, projects: [project], limit: 100 }
          const results = await index.search(query)
          for (const { id, text } of results) {
            expect(last.get(id)).toMatchObject({ project_id: project })
            expect(last.get(id)!.text).toContain(text)
          }
          const matching = results
            .filter(({ text }) => text.includes(word))
            .map(({ id }) => `page ${id}`)
          expect([...new Set(matching)].sort()).toEqual(expected.sort())
        }
      await index.close()
    }),
    { numRuns: 25 },
  )
})
