import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'
import { dotProduct } from '../../src/search/latent/latent-model.ts'
import { PassageDirections } from '../../src/search/latent/passage-directions.ts'
import { BoardModel } from '../../src/search/passage-index/board-model.ts'
import type { SearchableText } from '../../src/search/passage-index/index.ts'
import { loadModel } from '../../src/search/passage-index/models.ts'
import { loadSegments } from '../../src/search/passage-index/segments.ts'
import { collectingLog, newIndexPath, openIndex, page } from './index-fixtures.ts'
import { randomSource } from './random-passages.ts'

const IDLE_MS = 1300
const SUBJECTS = [
  'sea whale wave ship salt',
  'oven yeast flour dough crust',
  'road wheel brake fuel car',
]

const pages = (from: number, to: number, fields: Partial<SearchableText> = {}) =>
  Array.from({ length: to - from }, (_, at) => {
    const id = from + at
    const words = SUBJECTS[id % SUBJECTS.length]!.split(' ')
    words.splice(id % 5, 1)
    return page(id, `${words.join(' ')} number${id}`, fields)
  })

/** The models in the file: for each board, the passages it was trained on and its bytes. */
function modelsIn(path: string) {
  const db = new Database(path, { readonly: true })
  const rows = db
    .query<{ project: number; passages: number; directions: Uint8Array }, []>(
      'SELECT * FROM models',
    )
    .all()
  db.close()
  return new Map(rows.map(({ project, ...rest }) => [project, rest]))
}

/** Waits until the segments are merged and the models trained. */
async function settle(index: ReturnType<typeof openIndex>) {
  await Bun.sleep(IDLE_MS)
  await index.update({})
}

test('a board gets a model once it has 64 passages, and a new one when it has grown', async () => {
  const path = newIndexPath()
  const index = openIndex(path)
  await index.update({ put: pages(1, 60) })
  await settle(index)
  expect(modelsIn(path).size).toBe(0)
  await index.update({ put: pages(60, 121) })
  await settle(index)
  expect(modelsIn(path).get(1)?.passages).toBe(120)
  await index.update({ put: pages(121, 130) })
  await settle(index)
  expect(modelsIn(path).get(1)?.passages).toBe(120)
  await index.update({ put: pages(130, 181) })
  await settle(index)
  expect(modelsIn(path).get(1)?.passages).toBe(180)
})

test('a board of many texts that arrive at once gets a model before the index is idle', async () => {
  const path = newIndexPath()
  const index = openIndex(path)
  await index.update({ put: pages(1, 400) })
  await index.update({})
  expect(modelsIn(path).get(1)?.passages).toBe(399)
})

test('the model of a board does not depend on the texts of other boards', async () => {
  const [alone, together] = [newIndexPath(), newIndexPath()]
  const [first, second] = [openIndex(alone), openIndex(together)]
  const secret = (id: number) => page(id, `whale oven road secret${id % 7}`, { project_id: 2 })
  await first.update({ put: pages(1, 400) })
  await second.update({
    put: [...pages(1, 400), ...Array.from({ length: 300 }, (_, at) => secret(at + 1000))],
  })
  for (const index of [first, second]) await index.update({})
  expect(modelsIn(together).get(1)).toEqual(modelsIn(alone).get(1)!)
  expect(modelsIn(together).get(2)?.passages).toBe(300)
})

test('a board whose texts are deleted loses its model', async () => {
  const path = newIndexPath()
  const index = openIndex(path)
  await index.update({ put: pages(1, 400) })
  await index.update({})
  expect(modelsIn(path).size).toBe(1)
  await index.update({ deleted: pages(1, 350).map(({ id }) => ({ kind: 'page', id })) })
  await index.update({})
  expect(modelsIn(path).size).toBe(0)
  expect(await index.bestResult('number399')).toBe('page 399')
})

test('a damaged model is dropped and trained again, and the log says so', async () => {
  const path = newIndexPath()
  const index = openIndex(path)
  await index.update({ put: pages(1, 400) })
  await index.update({})
  await index.close()
  const db = new Database(path)
  db.run(
    "UPDATE models SET directions = cast(substr(directions, 1, 90) || x'ff' || substr(directions, 92) AS BLOB)",
  )
  db.close()
  const again = openIndex(path)
  expect(await again.bestResult('number7')).toBe('page 7')
  expect(modelsIn(path).size).toBe(0)
  expect(again.messages).toEqual(['A damaged model of the search index is trained again'])
  await again.update({ put: pages(400, 401) })
  await again.update({})
  expect(modelsIn(path).get(1)?.passages).toBe(399)
})

test('a board that was scanned and not trained when its process ended gets its model later', async () => {
  const path = newIndexPath()
  const index = openIndex(path)
  await index.update({ put: pages(1, 600), isScan: true })
  await index.close()
  expect(modelsIn(path).size).toBe(0)
  await settle(openIndex(path))
  expect(modelsIn(path).get(1)?.passages).toBe(599)
})

test('a board with a model takes little more memory than its segments', async () => {
  const path = newIndexPath()
  const index = openIndex(path)
  const { below, word } = randomSource(3)
  const text = () => Array.from({ length: 80 }, () => word(1 + below(4000))).join(' ')
  await index.update({ put: Array.from({ length: 600 }, (_, at) => page(at + 1, text())) })
  await settle(index)
  await index.results('w1 w2')
  const { loaded_bytes } = await index.state()
  const db = new Database(path, { readonly: true })
  const bytesOf = (column: string, table: string) =>
    db.query<{ n: number }, []>(`SELECT sum(length(${column})) AS n FROM ${table}`).get()!.n
  expect(bytesOf('block', 'model_blocks')).toBeGreaterThan(100_000)
  expect(loaded_bytes).toBeLessThan(bytesOf('shelf', 'segments') + 600 * 110)
  db.close()
})

test('the direction of a passage is the same whether it was stored or is computed later', async () => {
  const path = newIndexPath()
  const index = openIndex(path)
  await index.update({ put: pages(1, 400) })
  await index.update({})
  const db = new Database(path, { readonly: true, strict: true })
  const { log } = collectingLog()
  const trained = loadModel(db, 1, log)!
  const { directions } = modelsIn(path).get(1)!
  const { dimensions } = PassageDirections.decode(directions)!
  const later = new BoardModel(db, 1, PassageDirections.pack([], dimensions))
  for (const { segment } of loadSegments(db, 1, log))
    for (let row = 0; row < segment.size; row++) {
      const both = [trained, later].map((model) => model.passageDirection(segment, row)!)
      expect(dotProduct(both[0]!, both[1]!)).toBeGreaterThan(0.99)
    }
  expect(later.bytes).toBeGreaterThan(trained.bytes)
  db.close()
})

test('questions are answered while a model is trained', async () => {
  const index = openIndex()
  const words = (id: number) => Array.from({ length: 30 }, (_, at) => `w${(id * (at + 7)) % 997}`)
  const put = Array.from({ length: 2000 }, (_, at) =>
    page(at + 1, `${words(at).join(' ')} number${at + 1}`),
  )
  await index.update({ put })
  let isTraining = true
  const training = index.update({}).then(() => {
    isTraining = false
  })
  let answers = 0
  while (isTraining) {
    await setImmediate()
    expect(await index.bestResult('number99')).toBe('page 99')
    answers++
  }
  await training
  expect(answers).toBeGreaterThan(2)
})
