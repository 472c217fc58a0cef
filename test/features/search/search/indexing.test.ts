import { expect, test } from 'bun:test'
import { startIndexing } from '../../../../src/features/search/search/model/index.ts'
import { LocalIndex } from '../../../../src/search/passage-index/local-index.ts'
import { addCleanup } from '../../../support/database.ts'
import { waitUntil } from '../../../support/wait.ts'
import { type World, world } from '../../../support/world.ts'

function startFeed({ store }: Pick<World, 'store'>) {
  const logged: string[] = []
  const record = (_: object, text?: string) => void logged.push(text ?? '')
  const log = { info: record, warn: record, error: record }
  const localIndex = new LocalIndex({ path: ':memory:', memory: 32e6, log })
  const control = { isFailing: false, appliedCount: 0 }
  const apply = localIndex.apply.bind(localIndex)
  localIndex.apply = async (delivery) => {
    if (control.isFailing) throw new Error('There is no room')
    await apply(delivery)
    control.appliedCount++
  }
  const { searchIndex, stop } = startIndexing({ store, index: localIndex, log })
  addCleanup(async () => {
    await stop()
    await localIndex.close()
  })
  return { searchIndex, stop, logged, control, localIndex }
}

test('the search index takes in existing texts first and then each write within a second', async () => {
  const w = await world()
  const { searchIndex } = startFeed(w)
  expect(searchIndex.isBuilding()).toBe(true)
  await waitUntil(() => !searchIndex.isBuilding())
  const projects = [w.board.project_id]
  const finds = async (text: string) =>
    (await searchIndex.search({ text, projects, limit: 5 })).length > 0
  expect([await finds('logo'), await finds('zeppelin')]).toEqual([true, false])
  for (const word of ['zeppelin', 'balloon', 'glider']) {
    await w.cleo['comments.add']({ task_id: w.tasks.logo.task_id, text: `<p>A ${word}</p>` })
    const startedAt = performance.now()
    await waitUntil(() => finds(word))
    expect(performance.now() - startedAt).toBeLessThan(1000)
  }
})

test('a failing index update is logged once and retried until it succeeds', async () => {
  const w = await world()
  const { searchIndex, logged, control } = startFeed(w)
  await waitUntil(() => !searchIndex.isBuilding())
  control.isFailing = true
  const { task_id } = w.tasks.logo
  const add = () => w.cleo['comments.add']({ task_id, text: '<p>A zeppelin</p>' })
  await add()
  await waitUntil(() => logged.length > 0)
  await add()
  await Bun.sleep(300)
  expect(logged).toEqual(['Updating the search index failed; retrying'])
  control.isFailing = false
  const query = { text: 'zeppelin', projects: [w.board.project_id], limit: 5 }
  await waitUntil(async () => (await searchIndex.search(query)).length > 0)
})

test('indexing transfers no more updates after it is stopped', async () => {
  const w = await world()
  const { searchIndex, stop, control } = startFeed(w)
  await waitUntil(() => !searchIndex.isBuilding())
  await w.ada['tasks.create']({ project_id: w.board.project_id, title: 'Last words' })
  await stop()
  const { appliedCount } = control
  await w.ada['tasks.create']({ project_id: w.board.project_id, title: 'Too late' })
  await Bun.sleep(1200)
  expect(control.appliedCount).toBe(appliedCount)
})
