import type { Database } from 'bun:sqlite'
import { afterEach, expect, test } from 'bun:test'
import type { PassageQuery } from '../../src/kernel/services.ts'
import type { SearchableText } from '../../src/search/passage-index/index.ts'
import { LocalIndex } from '../../src/search/passage-index/local-index.ts'
import { VectorIndex } from '../../src/search/vectors/index.ts'
import { embeddingsServer } from '../support/embeddings.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const text = (id: number, overrides: Partial<SearchableText>): SearchableText => ({
  ...{ kind: 'page', id, task_id: id, project_id: 1, author_id: 1 },
  ...{ written_at: new Date(id * 1000), title: `Page ${id}`, text: '', format: 'markdown' },
  ...overrides,
})

/** A search index whose texts also have vectors, from a fake embedding service. */
function openIndex() {
  const service = embeddingsServer()
  const log = { info() {}, warn() {}, error() {} }
  let file: Database | undefined
  const index = new LocalIndex({
    ...{ path: ':memory:', memory: 1e6, log },
    vectors: (db) => {
      file = db
      const endpoint = { base: service.baseUrl, model: 'tiny' }
      return new VectorIndex({ db, endpoint, memory: 1e6, log })
    },
  })
  open.push(service.stop, () => index.close())
  let seq = 0
  return {
    index,
    file: () => file!,
    async add(...put: SearchableText[]) {
      await index.apply({
        ...{ put, deleted: [], from: await index.position() },
        position: { seq: ++seq, mark: '' },
      })
      while ((await index.state()).lacking) await Bun.sleep(3)
    },
    search: async (text: string, filter: Partial<PassageQuery> = {}) =>
      (await index.search({ text, projects: [1], limit: 10, ...filter })).map(({ id }) => id),
  }
}

test('matches by word and by meaning are both returned, and a match by both comes first', async () => {
  const { add, search } = openIndex()
  await add(
    text(1, { text: 'The vehicle stands outside' }),
    text(2, { text: 'An automobile stands outside' }),
    text(3, { text: 'The loaf is done' }),
  )
  expect((await search('vehicle')).slice(0, 2)).toEqual([1, 2])
  expect(await search('surgeon')).toEqual([])
})

test('matches by meaning do not contain excluded words either', async () => {
  const { add, search } = openIndex()
  await add(text(1, { text: 'A car stands outside' }), text(2, { text: 'A car is inside' }))
  expect((await search('vehicle')).sort()).toEqual([1, 2])
  expect(await search('vehicle', { without: ['outside'] })).toEqual([2])
  expect(await search('vehicle', { without: ['car stands'] })).toEqual([2])
})

test('filters of a query apply to matches by meaning', async () => {
  const { add, search } = openIndex()
  await add(
    text(1, { text: 'a car', kind: 'comment' }),
    text(2, { text: 'a car' }),
    text(3, { text: 'a car', author_id: 2 }),
    text(4, { text: 'a car', project_id: 2 }),
  )
  expect((await search('vehicle')).sort()).toEqual([1, 2, 3])
  expect(await search('vehicle', { kinds: ['comment'] })).toEqual([1])
  expect(await search('vehicle', { authors: [2] })).toEqual([3])
  expect(await search('vehicle', { tasks: [2, 4] })).toEqual([2])
  expect((await search('vehicle', { beside: 1 })).sort()).toEqual([2, 3])
  expect(await search('vehicle', { since: new Date(3000) })).toEqual([3])
  expect(await search('vehicle', { projects: [2] })).toEqual([4])
  expect(await search('vehicle', { projects: [] })).toEqual([])
})

test('changed, moved and deleted texts are found by their current state', async () => {
  const { add, search, index } = openIndex()
  await add(text(1, { text: 'a car' }), text(2, { text: 'rain' }))
  expect(await search('vehicle')).toEqual([1])
  await add(text(1, { text: 'a loaf' }))
  expect(await search('vehicle')).toEqual([])
  expect(await search('bakery')).toEqual([1])
  await add(text(1, { text: 'a loaf', project_id: 2 }))
  expect(await search('bakery')).toEqual([])
  expect(await search('bakery', { projects: [2] })).toEqual([1])
  const after = await index.position()
  await index.apply({
    put: [],
    deleted: [{ kind: 'page', id: 1 }],
    from: after,
    position: undefined,
  })
  expect(await search('bakery', { projects: [1, 2] })).toEqual([])
  expect(await search('storm')).toEqual([2])
})

test('an index with damaged vectors is rebuilt, and finds by meaning again', async () => {
  const { add, search, index, file } = openIndex()
  await add(text(1, { text: 'a car' }))
  expect(await search('vehicle')).toEqual([1])
  file().run('DROP TABLE vectors')
  await expect(search('vehicle')).rejects.toThrow('being rebuilt')
  expect(await index.position()).toBeUndefined()
  await add(text(1, { text: 'a car' }))
  expect(await search('vehicle')).toEqual([1])
})

test('a cleared index has no vectors', async () => {
  const { add, search, index, file } = openIndex()
  await add(text(1, { text: 'a car' }))
  await index.clear()
  expect(await search('vehicle')).toEqual([])
  for (const table of ['vectors', 'vector_signs', 'vectors_lacking'])
    expect(file().query(`SELECT * FROM ${table}`).all()).toEqual([])
})
