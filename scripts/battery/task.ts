import { deepEqual } from 'node:assert/strict'
import type { Answer } from './agent.ts'
import type { Hired, Scene } from './ground.ts'

/** Something that agents are asked for: what there is, what one does, and whether it came true. */
export interface Task {
  name: string
  play(scene: Scene): Promise<void>
  /** Where less than this is promised, what it may cost at most. */
  most?: { calls: number; tokens: number }
}

/** What came of it; it is told in the words of the goal where it did not come true. */
export function same(goal: string, found: unknown, wanted: unknown): void {
  deepEqual(found, wanted, `${goal}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`)
}

/** How every session begins: who one is, and the number of one's board. */
export async function begun(agent: Hired): Promise<number> {
  const { boards } = await agent.do('svc_user_context', 'hello')
  return boards[0].project_id
}

/** The number of a column, by its title. */
export async function columnOf(agent: Hired, project_id: number, title: string): Promise<number> {
  const { sections } = await agent.do('svc_projects', 'manifest', { project_id })
  return sections.find((one: Answer) => one.title === title).section_id
}

/** A session that has begun before it is looked at: its board and columns are known. */
export async function midway(agent: Hired) {
  const project_id = await begun(agent)
  const done = await columnOf(agent, project_id, 'Done')
  Object.assign(agent.cost, { calls: 0, tokens: 0, errors: 0 })
  return { project_id, done }
}

/** The next free task, held from now on. */
export async function taken(agent: Hired, project_id: number): Promise<string> {
  const [next] = await agent.do('svc_tasks', 'next', { project_id, claim: true })
  return next.ticket_number
}

/** A task that is known by its key, held from now on; the instructions name the route. */
export const claim = (agent: Hired, ticket_number: string, more: object = {}): Promise<Answer> =>
  agent.rest('POST', '/api/mcp/tasks/lease/claim', { ticket_number, ...more })

/** Asks until the answer is there, as others take a moment. */
export async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let turn = 0; turn < 200; turn++) {
    const found = await ask()
    if (found !== undefined) return found
    await Bun.sleep(50)
  }
  throw new Error('It did not come')
}
