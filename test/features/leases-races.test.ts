import { expect, test } from 'bun:test'
import { type Actor, world } from '../world.ts'

const AGENTS = 16
const TASKS = 60

async function crowd() {
  const w = await world({ furnished: false })
  const { project_id } = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Queue' },
    sections: ['Now', 'Later', 'Done'].map((title) => ({ title })),
    tasks: Array.from({ length: TASKS }, (_, i) => ({
      ...{ title: `Task ${i}`, section_index: i % 2, priority: i % 5 },
    })),
  })
  const agents: Actor[] = []
  for (let i = 0; i < AGENTS; i++) agents.push(await w.agent(w.team_id, w.cleo, `Agent ${i}`))
  return { ...w, project_id, agents }
}

/** Claims the next task until there is none, and returns the keys. */
async function empty(agent: Actor, project_id: number): Promise<string[]> {
  const taken: string[] = []
  for (;;) {
    const { items } = await agent['tasks.next']({ project_id, claim: true })
    if (!items[0]) return taken
    taken.push(items[0].ticket_number)
  }
}

test('agents that claim from one queue concurrently get every task exactly once', async () => {
  const { agents, project_id, clock, emitted } = await crowd()
  const all = async () =>
    (await Promise.all(agents.map((agent) => empty(agent, project_id)))).flat()
  const first = await all()
  expect([first.length, new Set(first).size]).toEqual([TASKS, TASKS])
  expect((await emitted()).filter((type) => type === 'lease.claimed')).toHaveLength(TASKS)
  // All leases expire at the same time.
  clock.pass(30 * 60_000)
  const second = await all()
  expect([second.length, new Set(second).size]).toEqual([TASKS, TASKS])
}, 60_000)

test('of concurrent claims of one task only one succeeds', async () => {
  const { ada, agents, project_id } = await crowd()
  const { items } = await ada['tasks.list']({ project_id, limit: 5 })
  for (const { task_id } of items) {
    const ends = await Promise.allSettled(agents.map((agent) => agent['leases.claim']({ task_id })))
    const won = ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : []))
    expect(won).toMatchObject([{ fencing_token: 1 }])
    const lost = ends.flatMap((end) => (end.status === 'rejected' ? end.reason.code : []))
    expect(new Set(lost)).toEqual(new Set(['conflict']))
  }
}, 60_000)

test('concurrent claims, writes and releases keep one holder at a time, with growing tokens', async () => {
  const { ada, agents, project_id } = await crowd()
  const { items } = await ada['tasks.list']({ project_id, limit: 1 })
  const { task_id } = items[0]!
  const tokens: number[] = []
  const turn = async (agent: Actor) => {
    const lease = await agent['leases.claim']({ task_id }).catch(() => undefined)
    if (!lease) return
    tokens.push(lease.fencing_token)
    const { lease_id } = lease
    await agent['tasks.update']({ task_id, estimate: 2 + (lease.fencing_token % 5), lease_id })
    await agent['leases.release']({ lease_id })
  }
  for (let round = 0; round < 6; round++) await Promise.all(agents.map(turn))
  expect(tokens.length).toBeGreaterThan(5)
  expect(tokens.toSorted((a, b) => a - b)).toEqual(tokens.map((_, i) => i + 1))
  expect((await ada['leases.get']({ task_id })).lease).toBeNull()
}, 60_000)
