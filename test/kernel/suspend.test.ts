import { expect, test } from 'bun:test'
import { Results } from '../../src/kernel/suspend.ts'

test('a transaction that needs slow work ends, and starts again with the result', async () => {
  const results = new Results()
  const events: string[] = []
  const result = await results.runUntilResolved(async () => {
    events.push('begin')
    const length = results.resolve('length', async () => {
      events.push('work')
      return 3
    })
    events.push('end')
    return length
  })
  expect(result).toBe(3)
  expect(events).toEqual(['begin', 'work', 'begin', 'end'])
})

test('failed work throws inside the transaction, where it can be caught', async () => {
  const results = new Results()
  const result = await results.runUntilResolved(async () => {
    try {
      return results.resolve('broken', () => Promise.reject(new Error('no')))
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'no') throw error
      return 'caught'
    }
  })
  expect(result).toBe('caught')
})

test('a transaction that needs other work each time is unavailable, with a retry after 1 s', async () => {
  const results = new Results()
  let round = 0
  const running = results.runUntilResolved(async () =>
    results.resolve(`${round++}`, async () => round),
  )
  await expect(running).rejects.toMatchObject({ code: 'unavailable', details: { retry_after: 1 } })
})

test('concurrent changes of one text all succeed, although each one needs new work', async () => {
  let version = 0
  const change = () => {
    const results = new Results()
    return results.runUntilResolved(async () => {
      const readVersion = results.resolve(`version ${version}`, async () => {
        await Bun.sleep(1)
        return version
      })
      version++
      return readVersion
    })
  }
  await Promise.all(Array.from({ length: 32 }, change))
  expect(version).toBe(32)
})
