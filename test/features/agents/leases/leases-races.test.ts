import { expect, test } from 'bun:test'
import { Fault } from '../../../../src/kernel/fault.ts'
import { resultOrFault } from '../../../support/faults.ts'
import { type Actor, world } from '../../../support/world.ts'

const AGENTS = 16
const TASKS = 60

async function queueWithAgents() {
  const w = await world({ hasBoard: false })
  const { project_id } = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Queue' },
    sections: ['Now', 'Later', 'Done'].map((title) => ({ title })),
    tasks: Array.from({ length: TASKS }, (_, i) => ({
      ...{ title: `Task ${i}`, section_index: i % 2, priority: i % 5 },
    })),
  })
  const agents: Actor[] = []
  for (let i = 0; i < AGENTS; i++) agents.push(await w.addAgent(w.team_id, w.cleo, `Agent ${i}`))
  return { ...w, project_id, agents }
}

/** Claims the next task until there is none, and returns the ticket numbers. */
async function claimAll(agent: Actor, project_id: number): Promise<string[]> {
  const keys: string[] = []
  for (;;) {
    const { items } = await agent['tasks.next']({ project_id, claim: true })
    if (!items[0]) return keys
    keys.push(items[0].ticket_number)
  }
}

test('agents that claim from one queue concurrently get every task exactly once', async () => {
  const { agents, project_id, clock, changeTypes } = await queueWithAgents()
  const claimConcurrently = async () =>
    (await Promise.all(agents.map((agent) => claimAll(agent, project_id)))).flat()
  const first = await claimConcurrently()
  expect([first.length, new Set(first).size]).toEqual([TASKS, TASKS])
  expect((await changeTypes()).filter((type) => type === 'lease.claimed')).toHaveLength(TASKS)
  // All leases expire at the same time.
  clock.advance(30 * 60_000)
  const second = await claimConcurrently()
  expect([second.length, new Set(second).size]).toEqual([TASKS, TASKS])
})

test('of concurrent claims of one task only one succeeds', async () => {
  const { ada, agents, project_id } = await queueWithAgents()
  const { items } = await ada['tasks.list']({ project_id, limit: 5 })
  for (const { task_id } of items) {
    const results = await Promise.allSettled(
      agents.map((agent) => agent['leases.claim']({ task_id })),
    )
    const leases = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    expect(leases).toMatchObject([{ fencing_token: 1 }])
    const errorCodes = results.flatMap((result) =>
      result.status === 'rejected' ? result.reason.code : [],
    )
    expect(new Set(errorCodes)).toEqual(new Set(['conflict']))
  }
})

test('concurrent claims, writes and releases keep one holder at a time, with growing tokens', async () => {
  const { ada, agents, project_id } = await queueWithAgents()
  const { items } = await ada['tasks.list']({ project_id, limit: 1 })
  const { task_id } = items[0]!
  const tokens: number[] = []
  const claimUpdateRelease = async (agent: Actor) => {
    const lease = await resultOrFault(agent['leases.claim']({ task_id }))
    if (lease instanceof Fault) return expect(lease.code).toBe('conflict')
    tokens.push(lease.fencing_token)
    const { lease_id } = lease
    await agent['tasks.update']({ task_id, estimate: 2 + (lease.fencing_token % 5), lease_id })
    await agent['leases.release']({ lease_id })
  }
  for (let round = 0; round < 6; round++) await Promise.all(agents.map(claimUpdateRelease))
  expect(tokens.length).toBeGreaterThan(5)
  expect(tokens.toSorted((a, b) => a - b)).toEqual(tokens.map((_, i) => i + 1))
  expect((await ada['leases.get']({ task_id })).lease).toBeNull()
})
