import { expect, test } from 'bun:test'
import { startIndexing } from '../../../../src/features/search/search/model/index.ts'
import { LocalIndex } from '../../../../src/search/passage-index/local-index.ts'
import { addCleanup } from '../../../support/database.ts'
import { type World, world } from '../../../support/world.ts'

function feeding({ store }: Pick<World, 'store'>) {
  const logged: string[] = []
  const tell = (_: object, text?: string) => void logged.push(text ?? '')
  const log = { info: tell, warn: tell, error: tell }
  const shelves = new LocalIndex({ path: ':memory:', memory: 32e6, log })
  const trouble = { refuses: false, taken: 0 }
  const take = shelves.apply.bind(shelves)
  shelves.apply = async (delivery) => {
    if (trouble.refuses) throw new Error('There is no room')
    await take(delivery)
    trouble.taken++
  }
  const { library, stop } = startIndexing({ store, index: shelves, log })
  addCleanup(async () => {
    await stop()
    await shelves.close()
  })
  return { library, stop, logged, trouble, shelves }
}

async function until(done: () => Promise<boolean> | boolean, ms = 5000): Promise<number> {
  const began = performance.now()
  while (!(await done())) {
    if (performance.now() - began > ms) throw new Error(`Not done after ${ms} ms`)
    await Bun.sleep(5)
  }
  return performance.now() - began
}

test('the search index takes in existing texts first and then each write within a second', async () => {
  const w = await world()
  const { library } = feeding(w)
  expect(library.isBuilding()).toBe(true)
  await until(() => !library.isBuilding())
  const projects = [w.board.project_id]
  const finds = async (text: string) =>
    (await library.search({ text, projects, limit: 5 })).length > 0
  expect([await finds('logo'), await finds('zeppelin')]).toEqual([true, false])
  for (const word of ['zeppelin', 'balloon', 'glider']) {
    await w.cleo['comments.add']({ task_id: w.tasks.logo.task_id, text: `<p>A ${word}</p>` })
    expect(await until(() => finds(word))).toBeLessThan(1000)
  }
})

test('a failing index update is logged once and retried until it succeeds', async () => {
  const w = await world()
  const { library, logged, trouble } = feeding(w)
  await until(() => !library.isBuilding())
  trouble.refuses = true
  const { task_id } = w.tasks.logo
  const add = () => w.cleo['comments.add']({ task_id, text: '<p>A zeppelin</p>' })
  await add()
  await until(() => logged.length > 0)
  await add()
  await Bun.sleep(300)
  expect(logged).toEqual(['Updating the search index failed; retrying'])
  trouble.refuses = false
  const asked = { text: 'zeppelin', projects: [w.board.project_id], limit: 5 }
  await until(async () => (await library.search(asked)).length > 0)
})

test('indexing transfers no more updates after it is stopped', async () => {
  const w = await world()
  const { library, stop, trouble } = feeding(w)
  await until(() => !library.isBuilding())
  await w.ada['tasks.create']({ project_id: w.board.project_id, title: 'Last words' })
  await stop()
  const { taken } = trouble
  await w.ada['tasks.create']({ project_id: w.board.project_id, title: 'Too late' })
  await Bun.sleep(1200)
  expect(trouble.taken).toBe(taken)
})
