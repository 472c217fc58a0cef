import pino from 'pino'
import { type ModelPrice, openModel, runTurn } from '../../src/ai/index.ts'
import { catalog } from '../../src/catalog.ts'
import { startNative } from '../../src/chat/native/index.ts'
import type { Pace } from '../../src/chat/native/run.ts'
import { queueRuns } from '../../src/features/agents/runs/model/index.ts'
import { follow } from '../../src/store/follow.ts'
import { startScriptedModel } from '../ai/scripted-model.ts'
import { addCleanup } from '../support/database.ts'
import { waitUntil } from '../support/wait.ts'
import type { Actor, World } from '../support/world.ts'

export interface NativeAgent {
  agent_id: string
  name: string
}

/** Creates a native agent, owned by Cleo unless another actor is given. */
export async function createNativeAgent(
  w: World,
  overrides: object = {},
  owner: Actor = w.cleo,
): Promise<NativeAgent> {
  const agent = await owner['agents.create']({
    ...{ team_id: w.team_id, name: 'Nia', kind: 'native', instructions: 'Answer in rhymes.' },
    ...overrides,
  })
  return { agent_id: agent.agent_id, name: agent.name }
}

/** Starts a scripted model; `startServer` starts a server that runs native agents with it. */
export function nativeAgentHost(w: World, protocol: 'openai' | 'anthropic' = 'openai') {
  const service = startScriptedModel()
  addCleanup(() => service.stop())
  addCleanup(
    follow(w.store, 'runs', queueRuns, (error) => {
      throw error
    }),
  )
  const ai = openModel(service.endpoint(protocol), { retryPause: 1 })!
  const startServer = (pace: Partial<Pace> = {}, hasModel = true, price?: ModelPrice) => {
    const log = pino({ level: process.env.CORK_TEST_LOG ?? 'warn' })
    const services = { ...w, clock: w.clock.read, catalog, log }
    const stop = startNative(
      { ...services, price, runTurn: hasModel ? (turn) => runTurn(ai, turn) : undefined },
      { pace: { poll_ms: 20, retry_ms: 20, ...pace } },
    )
    addCleanup(stop)
    return stop
  }
  return { service, startServer }
}

export const runsOf = async (w: World, task = w.tasks.logo) =>
  (await w.ada['runs.list']({ task_id: task.task_id, sort: 'createdAt:asc' })).items

/** Waits until the latest run of a task is in this state. */
export const waitForRun = (w: World, state: string, task = w.tasks.logo) =>
  waitUntil(async () => {
    const run = (await runsOf(w, task)).at(-1)
    return run?.state === state && run
  })

export const transcriptOf = async (w: World, run_id: number) =>
  (await w.ada['runs.transcript']({ run_id, limit: 200 })).items.map(
    ({ kind, text }) => `${kind}: ${text.split('\n')[0]!.slice(0, 200)}`,
  )

export const readTask = async (w: World, task = w.tasks.logo) =>
  (await w.ada['tasks.get']({ task_id: task.task_id })) as { priority_name: string; status: string }

export const assign = (
  w: World,
  { agent_id }: Pick<NativeAgent, 'agent_id'>,
  task = w.tasks.logo,
) => w.ada['tasks.assign']({ task_id: task.task_id, agent_id })

export const mention = (w: World, { agent_id, name }: NativeAgent, text: string) =>
  w.ben['comments.add']({
    task_id: w.tasks.logo.task_id,
    text: `@${name} ${text}`,
    content_type: 'markdown',
    mentions: [{ agent_id, display_name: name }],
  })

export const commentsOf = async (w: World) =>
  (await w.ada['comments.list']({ task_id: w.tasks.logo.task_id, sort: 'createdAt:asc' })).items

export const leaseOf = async (w: World, task = w.tasks.logo) =>
  (await w.ada['leases.get']({ task_id: task.task_id })).lease

export const logo = { ticket_number: 'HP-1' }
