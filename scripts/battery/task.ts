import { deepEqual } from 'node:assert/strict'
import type { Answer } from './agent.ts'
import type { Scenario, ScenarioAgent } from './environment.ts'

/** A task for agents: it sets up a board, acts as the agents and checks the outcome. */
export interface Task {
  name: string
  run(scenario: Scenario): Promise<void>
  /** The largest cost, if the docs promise one. */
  budget?: { calls: number; tokens: number }
}

/** Checks an outcome. The goal is part of the error message. */
export function expectSame(goal: string, found: unknown, expected: unknown): void {
  deepEqual(found, expected, `${goal}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`)
}

/** The first call of every session: returns the id of the agent's board. */
export async function boardIdOf(agent: ScenarioAgent): Promise<number> {
  const { boards } = await agent.do('svc_user_context', 'hello')
  return boards[0].project_id
}

/** The id of a column, by its title. */
export async function columnOf(
  agent: ScenarioAgent,
  project_id: number,
  title: string,
): Promise<number> {
  const { sections } = await agent.do('svc_projects', 'manifest', { project_id })
  return sections.find((section: Answer) => section.title === title).section_id
}

/** Starts a session whose first calls do not count: the board and its columns are known. */
export async function startedSession(agent: ScenarioAgent) {
  const project_id = await boardIdOf(agent)
  const done = await columnOf(agent, project_id, 'Done')
  Object.assign(agent.cost, { calls: 0, tokens: 0, errors: 0 })
  return { project_id, done }
}

/** Claims the next free task and returns its key. */
export async function claimNext(agent: ScenarioAgent, project_id: number): Promise<string> {
  const [next] = await agent.do('svc_tasks', 'next', { project_id, claim: true })
  return next.ticket_number
}

/** Claims a task by its key. */
export const claim = (
  agent: ScenarioAgent,
  ticket_number: string,
  options: object = {},
): Promise<Answer> => agent.do('svc_tasks', 'claim', { ticket_number, ...options })

const ATTEMPTS = 200

/** Polls until there is a result. */
export async function waitFor<T>(poll: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await poll()
    if (found !== undefined) return found
    await Bun.sleep(50)
  }
  throw new Error(`No result after ${ATTEMPTS} attempts`)
}
