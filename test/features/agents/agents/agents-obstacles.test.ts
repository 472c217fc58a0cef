import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  agents,
  monthlyCosts,
  obstacleTo,
} from '../../../../src/features/agents/agents/model/index.ts'
import { dueRuns } from '../../../../src/features/agents/runs/model/index.ts'
import { projects } from '../../../../src/features/boards/projects/model/index.ts'
import { world } from '../../../support/world.ts'

const BUDGET = 1_000_000

/** What a pause and a budget can look like, with the cost of this month and of the last one. */
const STATES = [
  { paused: false, budget: null, cost: BUDGET, lastMonth: 0 },
  { paused: true, budget: null, cost: 0, lastMonth: 0 },
  { paused: false, budget: BUDGET, cost: undefined, lastMonth: BUDGET },
  { paused: false, budget: BUDGET, cost: BUDGET - 1, lastMonth: BUDGET },
  { paused: false, budget: BUDGET, cost: BUDGET, lastMonth: 0 },
  { paused: false, budget: BUDGET, cost: BUDGET + 1, lastMonth: 0 },
]

type State = (typeof STATES)[number]

async function worldWithQueuedRun() {
  const w = await world()
  const { team_id, cleo, store, clock, board } = w
  const { agent_id } = await cleo['agents.create']({ team_id, name: 'Nia', kind: 'native' })
  const { run_id } = await cleo['runs.create']({ task_id: w.tasks.logo.task_id, agent_id })
  const isAgent = eq(agents.agent_id, agent_id)
  const columnsOf = ({ paused, budget }: State) => ({
    paused_at: paused ? clock.now : null,
    paused_by: paused ? w.ben.caller.actor_id : null,
    budget_micro_usd: budget,
  })
  const put = (ofAgent: State, ofBoard: State) =>
    store.write(async (tx) => {
      const { project_id } = board
      await tx.update(projects).set(columnsOf(ofBoard)).where(eq(projects.project_id, project_id))
      await tx.update(agents).set(columnsOf(ofAgent)).where(isAgent)
      const [agent] = await tx.select().from(agents).where(isAgent)
      const rowsOf = (kind: 'agent' | 'board', subject_id: number, state: State) => [
        { team_id, kind, subject_id, month: '2026-10', micro_usd: state.lastMonth },
        { team_id, kind, subject_id, month: '2026-11', micro_usd: state.cost },
      ]
      await tx.delete(monthlyCosts)
      for (const { micro_usd, ...row } of [
        ...rowsOf('agent', agent!.actor_id, ofAgent),
        ...rowsOf('board', project_id, ofBoard),
      ])
        if (micro_usd !== undefined) await tx.insert(monthlyCosts).values({ ...row, micro_usd })
      return agent!
    })
  return { ...w, run_id, put }
}

test('a server starts a queued run exactly if neither its agent nor its board is held back', async () => {
  const { run_id, put, store, clock, board } = await worldWithQueuedRun()
  const outcomes = new Set<boolean>()
  for (const ofAgent of STATES)
    for (const ofBoard of STATES) {
      const agent = await put(ofAgent, ofBoard)
      const { now } = clock
      const [obstacle, due] = await store.read(async (tx) => [
        await obstacleTo({ tx, now }, agent, board.project_id),
        await dueRuns(tx, now, 10),
      ])
      expect([ofAgent, ofBoard, due]).toEqual([ofAgent, ofBoard, obstacle ? [] : [run_id]])
      outcomes.add(obstacle === undefined)
    }
  expect(outcomes.size).toBe(2)
})
