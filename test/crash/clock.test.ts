import { expect, test } from 'bun:test'
import { world } from '../support/world.ts'

const HOUR = 3_600_000

test('setting the clock back keeps the order of changes and the idempotency keys', async () => {
  const { ada, board, clock, changes, http } = await world()
  const create = (title: string, key: string) =>
    http(
      ada,
      'POST',
      '/api/v1/tasks',
      { project_id: board.project_id, title },
      { 'idempotency-key': key },
    )
  const before = await create('before', 'a')
  clock.advance(-HOUR)
  const after = await create('after', 'b')
  expect(after.body.data.task_id).toBeGreaterThan(before.body.data.task_id)
  const repeated = await create('before', 'a')
  expect(repeated.headers.get('idempotent-replayed')).toBe('true')
  expect(repeated.body.data.task_id).toBe(before.body.data.task_id)

  const log = await changes()
  expect(log.map(({ data }) => data.title)).toEqual(['before', 'after'])
  expect(log[1]!.seq).toBe(log[0]!.seq + 1)
  expect(log[1]!.created_at.getTime()).toBe(log[0]!.created_at.getTime() - HOUR)
})

test('setting the clock back does not set the last use of a key back', async () => {
  const { ada, clock, http } = await world()
  const readLastUse = async () => {
    const { body } = await http(ada, 'GET', '/api/v1/api-keys')
    const keys = body.data as { name: string; last_used_at: string | null }[]
    return keys.find(({ name }) => name === 'test')!.last_used_at
  }
  /** The last use is written after the response, so it is read a moment later. */
  const readSettledLastUse = async () => {
    await readLastUse()
    await Bun.sleep(20)
    return readLastUse()
  }
  const noon = await readSettledLastUse()
  expect(noon).toBe(clock.now.toISOString())
  clock.advance(-HOUR)
  expect(await readSettledLastUse()).toBe(noon)
  clock.advance(HOUR + 61_000)
  expect(await readSettledLastUse()).toBe(clock.now.toISOString())
})
