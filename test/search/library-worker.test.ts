import { afterEach, describe, expect, test } from 'bun:test'
import { WorkerIndex } from '../../src/search/passage-index/worker-index.ts'
import { emptyPlace, handy, listening, page } from './shelved.ts'

const WORKER = new URL('./mortal.ts', import.meta.url).href
const WHALES = 'Whales sing under water.'
const PLACE = { seq: 1, mark: 'x' }

const open: WorkerIndex[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

function remote(path = emptyPlace(), patience = 5000) {
  const { said, log } = listening()
  const opening = { path, memory: 32e6 }
  const made = new WorkerIndex({ worker: WORKER, opening, log, timeout: patience })
  open.push(made)
  return Object.assign(made, { said, ...handy(made) })
}

async function soon<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++)
    try {
      return await ask()
    } catch (error) {
      if ((error as Error).name !== 'Unready' || tries > 200) throw error
      await Bun.sleep(20)
    }
}

describe('a search index in a worker', () => {
  test('searches, keeps its position and is cleared as in this thread', async () => {
    const library = remote()
    expect(await library.position()).toBeUndefined()
    await library.give({ put: [page(1, WHALES)], position: PLACE })
    expect(await library.best('whale')).toBe('page 1')
    expect(await library.position()).toEqual(PLACE)
    expect(await library.state()).toMatchObject({ passages: 1, asked: 1 })
    await library.clear()
    expect(await library.position()).toBeUndefined()
  })

  test('fails an update with the same message and code as in this thread', async () => {
    const library = remote()
    const never = page(1, WHALES, { written_at: new Date('never') })
    const refused = await library.give({ put: [never] }).catch((error) => error)
    expect(refused).toBeInstanceOf(Error)
    expect(refused.message).toContain('NOT NULL')
    expect(refused.code).toStartWith('SQLITE_CONSTRAINT')
  })

  test('passes its messages on to the log', async () => {
    const path = emptyPlace()
    await Bun.write(path, 'no database at all, '.repeat(500))
    const library = remote(path)
    await library.position()
    expect(library.said).toEqual(['The search index is damaged and is rebuilt'])
  })

  for (const way of ['leave', 'fail'])
    test(`is restarted when it dies, and keeps its texts: ${way}`, async () => {
      const library = remote()
      await library.give({ put: [page(1, WHALES)], position: PLACE })
      const lost = library.answers(way).catch((error) => error)
      const meanwhile = library.answers('whale').catch((error) => error)
      await Promise.all([lost, meanwhile])
      await Bun.sleep(100)
      expect(await soon(() => library.best('whale'))).toBe('page 1')
      expect(await library.position()).toEqual(PLACE)
      expect(library.said).toEqual(['The search index stopped and is restarted'])
    })

  test('is restarted when it hangs, and then responds again', async () => {
    const library = remote(emptyPlace(), 100)
    await library.position()
    const refused = await library.answers('hang').catch((error) => error)
    expect(refused).toMatchObject({ name: 'Unready', message: 'The search index does not respond' })
    await library.give({ put: [page(1, WHALES)] }).catch(() => {})
    await soon(async () => library.best('whale'))
    expect(library.said).toEqual(['The search index stopped and is restarted'])
  }, 10_000)

  test('can be closed before its first query, and refuses queries afterwards', async () => {
    const library = remote()
    await library.close()
    expect(await library.position().catch((error) => error)).toMatchObject({ name: 'Unready' })
    expect(library.said).toEqual([])
  })

  test('is closed within 4.5 seconds although it hangs', async () => {
    const library = remote()
    await library.position()
    const asked = library.answers('hang').catch((error) => error)
    const began = performance.now()
    await library.close()
    expect(performance.now() - began).toBeLessThan(4500)
    expect(await asked).toMatchObject({ name: 'Unready' })
  }, 10_000)

  test('writes a pending update before it is closed', async () => {
    const path = emptyPlace()
    const first = remote(path)
    // The worker has started once it has responded.
    await first.position()
    const given = first.give({ put: [page(1, WHALES)], from: undefined, position: PLACE })
    await Promise.all([given.catch(() => {}), first.close()])
    const second = remote(path)
    expect(await second.position()).toEqual(PLACE)
    expect(await second.best('whale')).toBe('page 1')
  })
})
