import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync } from 'node:fs'
import type { PassageQuery } from '../../src/kernel/services.ts'
import type { SearchableText } from '../../src/search/passage-index/index.ts'
import { IndexReader } from '../../src/search/passage-index/index-reader.ts'
import { LocalIndex } from '../../src/search/passage-index/local-index.ts'
import { WorkerIndex } from '../../src/search/passage-index/worker-index.ts'
import { collectingLog, indexHelpers, newIndexPath, page } from './index-fixtures.ts'
import { randomSource } from './random-passages.ts'

setDefaultTimeout(120_000)

const MEMORY = 32e6
const BOARDS = [1, 2, 3]
const WORKER = new URL('./failing-worker.ts', import.meta.url).href
const WHALES = 'Whales sing under water.'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

/** An index and a reader of its file, in this thread. */
function openBoth() {
  const path = newIndexPath()
  const { log } = collectingLog()
  const index = new LocalIndex({
    ...{ path, memory: MEMORY, log },
    onChange: (changes) => changes && reader.changed(changes),
  })
  const reader = new IndexReader({ path, memory: MEMORY, log })
  open.push(index, reader)
  return { index, reader, ...indexHelpers(index) }
}

/** The index in workers, of which the second one is started by the first concurrent searches. */
async function openWorkers(path = newIndexPath(), maxIdle = 60_000) {
  const { messages, log } = collectingLog()
  const opening = { path, memory: MEMORY }
  const index = new WorkerIndex({
    worker: WORKER,
    opening,
    log,
    timeout: 5000,
    workers: 2,
    maxIdle,
  })
  open.push(index)
  await index.position()
  return Object.assign(index, { messages, ...indexHelpers(index) })
}

type Workers = Awaited<ReturnType<typeof openWorkers>>

const searchTwice = (index: Workers, text = 'whale') =>
  Promise.all([index.bestResult(text), index.bestResult(text)])

/** Searches until both workers have the board in memory. */
async function startSecond(index: Workers) {
  // Workers have a lower priority, so on a busy machine their start takes long.
  for (let tries = 0; tries < 500; tries++) {
    await searchTwice(index)
    if ((await index.state()).loaded === 6) return
    await Bun.sleep(100)
  }
  throw new Error('the second worker was not started')
}

describe('a reader of the file of an index', () => {
  test('gives the same answers as the index after each of many random updates', async () => {
    const { index, reader, update } = openBoth()
    const { below, word } = randomSource(4)
    const words = (count: number) => Array.from({ length: count }, () => word(300)).join(' ')
    const text = (): SearchableText =>
      page(1 + below(60), Array.from({ length: 1 + below(4) }, () => words(90)).join('\n\n'), {
        ...{ project_id: 1 + below(3), author_id: 1 + below(3), title: words(3) },
      })
    for (let round = 0; round < 60; round++) {
      const put = Array.from({ length: 1 + below(6) }, text)
      await update({ put, deleted: [{ kind: 'page', id: 1 + below(60) }] })
      const question: PassageQuery = {
        ...{ text: words(1 + below(6)), projects: BOARDS.slice(below(2)), limit: 20 },
        ...(below(2) && { authors: [1, 2] }),
        ...(below(2) && { isTyped: true }),
      }
      expect(reader.search(question)).toEqual(await index.search(question))
      // Sometimes time passes until segments are merged and models are trained.
      if (round % 20 === 19) await Bun.sleep(1200)
    }
    expect(reader.load().asked).toBe(60)
  }, 60_000)
})

describe('a second search worker', () => {
  test('is not started by searches that follow each other', async () => {
    const index = await openWorkers()
    await index.update({ put: [page(1, WHALES)] })
    for (let at = 0; at < 5; at++) await index.bestResult('whale')
    await Bun.sleep(300)
    expect(await index.state()).toMatchObject({ loaded: 3, asked: 5 })
  })

  test('shares concurrent searches, and both find each update at once', async () => {
    const index = await openWorkers()
    await index.update({ put: [page(1, WHALES)] })
    await startSecond(index)
    for (let at = 2; at < 30; at++) {
      await index.update({ put: [page(at, `zebra${at} ${WHALES}`)] })
      expect(await searchTwice(index, `zebra${at}`)).toEqual([`page ${at}`, `page ${at}`])
    }
    expect(index.messages).toEqual([])
  })

  test('is started again after the index was cleared', async () => {
    const index = await openWorkers()
    await index.update({ put: [page(1, WHALES)] })
    await startSecond(index)
    await index.clear()
    expect(await searchTwice(index)).toEqual([undefined, undefined])
    await index.update({ put: [page(2, WHALES)] })
    await startSecond(index)
    expect(await searchTwice(index)).toEqual(['page 2', 'page 2'])
  })

  test('is ended when it is idle, and its searches stay counted', async () => {
    const index = await openWorkers(newIndexPath(), 400)
    await index.update({ put: [page(1, WHALES)] })
    await startSecond(index)
    const { asked } = await index.state()
    await Bun.sleep(1500)
    expect(await index.state()).toMatchObject({ loaded: 3, asked })
  })

  test('leaves the answers to the first worker when it fails', async () => {
    const index = await openWorkers()
    await index.update({ put: [page(1, WHALES)] })
    await startSecond(index)
    // One of both is sent to the second worker, and then repeated by the first one.
    const failures = Promise.all([index.results('whale'), index.results('leave').catch(() => {})])
    expect((await failures)[0]).toEqual(['page 1'])
    for (let tries = 0; tries < 200; tries++) {
      const answers = await searchTwice(index).catch(() => undefined)
      if (answers?.every((answer) => answer === 'page 1')) return
      await Bun.sleep(20)
    }
    throw new Error('no worker answers')
  })

  test('is not started if the file was deleted', async () => {
    const path = newIndexPath()
    const index = await openWorkers(path)
    await index.update({ put: [page(1, WHALES)] })
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix)
    for (let at = 0; at < 10; at++) {
      expect(await searchTwice(index)).toEqual(['page 1', 'page 1'])
      await Bun.sleep(30)
    }
    expect(await index.state()).toMatchObject({ loaded: 3 })
  })
})
