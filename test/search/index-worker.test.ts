import { afterEach, describe, expect, test } from 'bun:test'
import { WorkerIndex } from '../../src/search/passage-index/worker-index.ts'
import { collectingLog, indexHelpers, newIndexPath, page } from './index-fixtures.ts'

const WORKER = new URL('./failing-worker.ts', import.meta.url).href
const WHALES = 'Whales sing under water.'
const PLACE = { seq: 1, mark: 'x' }

const open: WorkerIndex[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

function openWorkerIndex(path = newIndexPath(), timeout = 5000, workers = 2) {
  const { messages, log } = collectingLog()
  const opening = { path, memory: 32e6 }
  const index = new WorkerIndex({ worker: WORKER, opening, log, timeout, workers })
  open.push(index)
  return Object.assign(index, { messages, ...indexHelpers(index) })
}

async function retryWhileUnready<T>(query: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++)
    try {
      return await query()
    } catch (error) {
      if ((error as Error).name !== 'Unready' || tries > 200) throw error
      await Bun.sleep(20)
    }
}

describe('a search index in a worker', () => {
  test('searches, keeps its position and is cleared as in this thread', async () => {
    const index = openWorkerIndex()
    expect(await index.position()).toBeUndefined()
    await index.update({ put: [page(1, WHALES)], position: PLACE })
    expect(await index.bestResult('whale')).toBe('page 1')
    expect(await index.position()).toEqual(PLACE)
    expect(await index.state()).toMatchObject({ passages: 1, asked: 1 })
    await index.clear()
    expect(await index.position()).toBeUndefined()
  })

  test('fails an update with the same message and code as in this thread', async () => {
    const index = openWorkerIndex()
    const invalid = page(1, WHALES, { written_at: new Date('never') })
    const fault = await index.update({ put: [invalid] }).catch((error) => error)
    expect(fault).toBeInstanceOf(Error)
    expect(fault.message).toContain('NOT NULL')
    expect(fault.code).toStartWith('SQLITE_CONSTRAINT')
  })

  test('passes its messages on to the log', async () => {
    const path = newIndexPath()
    await Bun.write(path, 'no database at all, '.repeat(500))
    const index = openWorkerIndex(path)
    await index.position()
    expect(index.messages).toEqual(['The search index is damaged and is rebuilt'])
  })

  for (const query of ['leave', 'fail'])
    test(`is restarted when it dies, and keeps its texts: ${query}`, async () => {
      const index = openWorkerIndex()
      await index.update({ put: [page(1, WHALES)], position: PLACE })
      const firstQuery = index.results(query).catch((error) => error)
      const secondQuery = index.results('whale').catch((error) => error)
      await Promise.all([firstQuery, secondQuery])
      await Bun.sleep(100)
      expect(await retryWhileUnready(() => index.bestResult('whale'))).toBe('page 1')
      expect(await index.position()).toEqual(PLACE)
      expect(index.messages).toEqual(['The search index stopped and is restarted'])
    })

  test('is restarted when it hangs, and then responds again', async () => {
    const index = openWorkerIndex(newIndexPath(), 500)
    // On a busy machine, a worker may need longer than the short timeout to start.
    await retryWhileUnready(() => index.position())
    const fault = await index.results('hang').catch((error) => error)
    expect(fault).toMatchObject({ name: 'Unready', message: 'The search index does not respond' })
    await index.update({ put: [page(1, WHALES)] }).catch(() => {})
    await retryWhileUnready(async () => index.bestResult('whale'))
    expect(new Set(index.messages)).toEqual(new Set(['The search index stopped and is restarted']))
  })

  test('answers all searches of a busy moment, although the last ones wait long', async () => {
    const index = openWorkerIndex(newIndexPath(), 1500, 1)
    await retryWhileUnready(() => index.update({ put: [page(1, WHALES)] }))
    const queries = ['long', 'long', 'long', 'long', 'whale']
    const answers = await Promise.all(queries.map((query) => index.results(query)))
    expect(answers.at(-1)).toEqual(['page 1'])
    expect(index.messages).toEqual([])
  })

  test('refuses searches that would wait too long behind others, and does not restart', async () => {
    const index = openWorkerIndex(newIndexPath(), 1500, 1)
    await retryWhileUnready(() => index.update({ put: [page(1, WHALES)] }))
    const queries = Array.from({ length: 9 }, () => index.results('long').catch((fault) => fault))
    expect((await Promise.all(queries)).at(-1)).toMatchObject({
      ...{ name: 'Unready', message: 'The search index is overloaded' },
    })
    expect(index.messages).toEqual([])
  }, 30_000)

  test('can be closed before its first query, and refuses queries afterwards', async () => {
    const index = openWorkerIndex()
    await index.close()
    expect(await index.position().catch((error) => error)).toMatchObject({ name: 'Unready' })
    expect(index.messages).toEqual([])
  })

  test('is closed although it hangs', async () => {
    const index = openWorkerIndex()
    await index.position()
    const pendingQuery = index.results('hang').catch((error) => error)
    const startedAt = performance.now()
    await index.close()
    expect(performance.now() - startedAt).toBeLessThan(8000)
    expect(await pendingQuery).toMatchObject({ name: 'Unready' })
  })

  test('writes a pending update before it is closed', async () => {
    const path = newIndexPath()
    const first = openWorkerIndex(path)
    // The worker has started once it has responded.
    await first.position()
    const pendingUpdate = first.update({ put: [page(1, WHALES)], from: undefined, position: PLACE })
    await Promise.all([pendingUpdate.catch(() => {}), first.close()])
    const second = openWorkerIndex(path)
    expect(await second.position()).toEqual(PLACE)
    expect(await second.bestResult('whale')).toBe('page 1')
  })
})
