import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { SearchableText } from '../../src/search/passage-index/index.ts'
import { decodeSegment } from '../../src/search/segment.ts'
import { emptyPlace, page, sections, shelves } from './shelved.ts'

interface Kept {
  project: number
  id: number
}

/** The passages in the file, by the table that has them. */
function insideOf(path: string) {
  const db = new Database(path, { readonly: true })
  const all = <T>(sql: string) => db.query<T, []>(sql).all()
  const key = ({ project, id }: Kept) => `${project} ${id}`
  const segments = all<{ project: number; size: number; shelf: Uint8Array }>(
    'SELECT project, size, shelf FROM segments ORDER BY project, upto',
  )
  const there = all<Kept>(
    'SELECT s.project, p.id FROM passages p JOIN sources s ON s.source = p.source',
  )
  const inside = {
    there: there.map(key).sort(),
    fresh: all<Kept>('SELECT project, id FROM fresh').map(key),
    gone: new Set(all<Kept>('SELECT project, id FROM gone').map(key)),
    sizes: segments.map(({ size }) => size),
    shelved: segments.flatMap(({ project, shelf }) =>
      Array.from(decodeSegment(shelf).column('id'), (id) => key({ project, id })),
    ),
  }
  db.close()
  return inside
}

/** Every passage is in one segment or fresh, and segments hold no others but deleted ones. */
function expectWhole(path: string) {
  const { there, fresh, gone, shelved } = insideOf(path)
  const alive = shelved.filter((key) => !gone.has(key))
  expect([...alive, ...fresh].sort()).toEqual(there)
  for (const key of gone) expect(shelved).toContain(key)
}

const many = (from: number, to: number, more: Partial<SearchableText> = {}) =>
  Array.from({ length: to - from }, (_, at) =>
    page(from + at, `Word${from + at} stands here.`, more),
  )

describe('a board that grows', () => {
  test('has few segments, and each passage is in one of them or among the fresh ones', async () => {
    const path = emptyPlace()
    const library = shelves(path)
    for (let at = 0; at < 3000; at += 150) await library.give({ put: many(at, at + 150) })
    await library.give({})
    const { sizes, fresh } = insideOf(path)
    expectWhole(path)
    expect(sizes.length).toBeGreaterThan(1)
    expect(sizes.length).toBeLessThan(6)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2048)
    expect(fresh.length).toBeLessThan(256)
    expect(await library.best('word17')).toBe('page 17')
    expect(await library.best('word2999')).toBe('page 2999')
  })

  test('drops deleted passages from its segments', async () => {
    const path = emptyPlace()
    const library = shelves(path)
    await library.give({ put: many(0, 600) })
    await library.give({ deleted: many(0, 400).map(({ id }) => ({ kind: 'page', id })) })
    await library.give({})
    expectWhole(path)
    expect(insideOf(path).sizes).toEqual([200])
    expect(await library.answers('word3', { limit: 200 })).not.toContain('page 3')
    expect(await library.best('word500')).toBe('page 500')
  })

  test('finds added texts and no deleted ones while it stays loaded', async () => {
    const path = emptyPlace()
    const library = shelves(path)
    for (let at = 0; at < 900; at += 300) {
      await library.give({ put: many(at, at + 300) })
      await library.give({ deleted: [{ kind: 'page', id: at }] })
      for (const id of [at + 1, at + 299])
        expect(await library.best(`word${id}`)).toBe(`page ${id}`)
      expect(await library.best(`word${at}`)).not.toBe(`page ${at}`)
    }
  })
})

test('boards beyond the memory limit are loaded when they are searched', async () => {
  const library = shelves(emptyPlace(), 40_000)
  const boards = Array.from({ length: 20 }, (_, at) => at + 1)
  for (const project_id of boards)
    await library.give({ put: many(project_id * 100, project_id * 100 + 50, { project_id }) })
  for (const project_id of boards) {
    const id = project_id * 100 + 7
    expect(await library.best(`word${id}`, { projects: boards })).toBe(`page ${id}`)
    expect((await library.state()).loaded_bytes).toBeLessThanOrEqual(40_000)
  }
  expect((await library.state()).loaded).toBeLessThan(boards.length)
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
      const path = emptyPlace()
      const library = shelves(path)
      const last = new Map<number, SearchableText>()
      for (const { id, isGone, project_id, parts } of events) {
        const text = page(id, sections(...parts), { project_id, title: 'Note' })
        if (isGone) last.delete(id)
        else last.set(id, text)
        await library.give(isGone ? { deleted: [{ kind: 'page', id }] } : { put: [text] })
        await library.answers('amber birch')
      }
      expectWhole(path)
      for (const word of WORDS)
        for (const project of [1, 2, 3]) {
          const holds = ({ text, project_id }: SearchableText) =>
            project_id === project && text.includes(word)
          const wanted = [...last.values()].filter(holds).map(({ id }) => `page ${id}`)
          const asked = { text: word, projects: [project], limit: 100 }
          const found = await library.search(asked)
          for (const { id, text } of found) {
            expect(last.get(id)).toMatchObject({ project_id: project })
            expect(last.get(id)!.text).toContain(text)
          }
          const holding = found
            .filter(({ text }) => text.includes(word))
            .map(({ id }) => `page ${id}`)
          expect([...new Set(holding)].sort()).toEqual(wanted.sort())
        }
      await library.close()
    }),
    { numRuns: 25 },
  )
})
