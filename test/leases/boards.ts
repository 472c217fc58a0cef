import { onPostgres } from '../support/postgres.ts'
import type { World } from '../support/world.ts'
import { type LeaseClient, performCall } from './calls.ts'
import type { LeaseServer } from './schedule.ts'

export const AGENTS = ['Anna', 'Bert', 'Carl']

export interface Team {
  team_id: number
  /** Creates the boards and writes on them without a lease. */
  person: LeaseClient
  agents: ReadonlyMap<string, LeaseClient>
}

/** Takes about as long as a call, so that the clock and other workers run between two calls. */
const yieldToOthers = () =>
  onPostgres ? Bun.sleep(1) : new Promise<void>((resolve) => setImmediate(resolve))

/** Agents and boards of a world whose clock moves only when a test moves it. */
export async function createBoardsInWorld({ addAgent, team_id, cleo, ada, clock }: World) {
  const agents = new Map<string, LeaseClient>()
  for (const name of AGENTS) agents.set(name, await addAgent(team_id, cleo, name))
  return createBoards(
    { team_id, person: ada, agents },
    { now: () => clock.now.getTime(), advance: (ms) => clock.advance(ms), yieldToOthers },
  )
}

/** Titles with different keys: finding a free key takes longer the more boards share it. */
const boardTitle = (number: number) =>
  [...String(number).padStart(5, '0')].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join(' ')

/** Creates a board for each schedule, with tasks of these titles. */
export function createBoards(
  team: Team,
  clock: Pick<LeaseServer, 'now' | 'advance' | 'yieldToOthers'>,
) {
  const { team_id, person, agents } = team
  let boardCount = 0
  return async (titles: readonly string[]): Promise<LeaseServer> => {
    const { project_id, sections } = await person['projects.create']({
      ...{ team_id, title: boardTitle(++boardCount) },
      sections: [{ title: 'Open' }, { title: 'Done', role: 'done' }],
    })
    const [open, done] = sections.map(({ section_id }) => section_id) as [number, number]
    const tasks = []
    for (const title of titles) {
      const task = await person['tasks.create']({ project_id, section_id: open, title })
      tasks.push({ task: task.ticket_number, value: title })
    }
    const board = { agents, person, project_id, open, done }
    return {
      ...clock,
      ...{ tasks, agents: [...agents.keys()] },
      perform: (request, task) => performCall(board, request, task),
    }
  }
}
