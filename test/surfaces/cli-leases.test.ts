import { afterAll, expect, test } from 'bun:test'
import { sweep, terminal } from '../terminal.ts'
import { world } from '../world.ts'

afterAll(sweep)

test('cork claims the next task, renews and uses its lease by the task key, and releases it', async () => {
  const w = await world()
  const { cork } = terminal(w, w.bot)
  const taken = await cork('tasks', 'next', 'HP', '--claim', '--ttl', '60000', '--json')
  expect([taken.code, taken.err]).toEqual([0, ''])
  const [{ ticket_number, lease }] = JSON.parse(taken.out)
  expect([ticket_number, lease.ttl]).toEqual(['HP-3', 60_000])
  w.clock.pass(30_000)
  const kept = await cork('leases', 'heartbeat', 'HP-3')
  expect(kept.out).toContain('Renewed the lease of HP-3 until ')
  const update = ['tasks', 'update', 'HP-3', '--priority', 'Low', '--lease']
  expect((await cork(...update, 'HP-3')).code).toBe(0)
  const other = await cork(...update, crypto.randomUUID())
  expect([other.code, other.err]).toEqual([1, expect.stringContaining('lease_id')])
  expect((await cork('leases', 'get', 'HP-3')).out).toContain('Bot')
  expect((await cork('leases', 'release', 'HP-3')).code).toBe(0)
  const gone = await cork('leases', 'release', 'HP-3')
  expect([gone.code, gone.err]).toEqual([1, expect.stringContaining('lease')])
  const claimed = await cork('leases', 'claim', 'HP-1')
  expect([claimed.code, claimed.out]).toEqual([0, expect.stringContaining('Claimed HP-1 until ')])
})
