import { afterAll, expect, test } from 'bun:test'
import { removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

test('cork claims the next task, renews and uses its lease by the task key, and releases it', async () => {
  const w = await world()
  const { cork } = terminal(w, w.bot)
  const nextTask = await cork('tasks', 'next', 'HP', '--claim', '--ttl', '60000', '--json')
  expect([nextTask.code, nextTask.err]).toEqual([0, ''])
  const [{ ticket_number, lease }] = JSON.parse(nextTask.out)
  expect([ticket_number, lease.ttl]).toEqual(['HP-2', 60_000])
  w.clock.advance(30_000)
  const renewed = await cork('leases', 'heartbeat', 'HP-2')
  expect(renewed.out).toContain('Renewed the lease of HP-2 until ')
  const update = ['tasks', 'update', 'HP-2', '--priority', 'Low', '--lease']
  expect((await cork(...update, 'HP-2')).code).toBe(0)
  const wrongLease = await cork(...update, crypto.randomUUID())
  expect([wrongLease.code, wrongLease.err]).toEqual([1, expect.stringContaining('lease_id')])
  expect((await cork('leases', 'get', 'HP-2')).out).toContain('Bot')
  expect((await cork('leases', 'release', 'HP-2')).code).toBe(0)
  const secondRelease = await cork('leases', 'release', 'HP-2')
  expect([secondRelease.code, secondRelease.err]).toEqual([0, ''])
  const claimed = await cork('leases', 'claim', 'HP-1')
  expect([claimed.code, claimed.out]).toEqual([0, expect.stringContaining('Claimed HP-1 until ')])
})
