import { onPostgres } from '../server.ts'
import type { World } from '../world.ts'
import { performed, type Way } from './calls.ts'
import type { Desk } from './schedule.ts'

export const AGENTS = ['Anna', 'Bert', 'Carl']

export interface Crew {
  team_id: number
  /** Creates the boards and writes on them without a lease. */
  person: Way
  agents: ReadonlyMap<string, Way>
}

/** Takes about as long as a call, so that the clock and other workers run between two calls. */
const turn = () =>
  onPostgres ? Bun.sleep(1) : new Promise<void>((resolve) => setImmediate(resolve))

/** Agents and boards of a world whose clock moves only when a test moves it. */
export async function shared({ agent, team_id, cleo, ada, clock }: World) {
  const agents = new Map<string, Way>()
  for (const name of AGENTS) agents.set(name, await agent(team_id, cleo, name))
  return boards(
    { team_id, person: ada, agents },
    { now: () => clock.now.getTime(), pass: (ms) => clock.pass(ms), turn },
  )
}

/** Titles with different keys: finding a free key takes longer the more boards share it. */
const titled = (number: number) =>
  [...String(number).padStart(5, '0')].map((digit) => 'ABCDEFGHIJ'[Number(digit)]).join(' ')

/** Creates a board for each schedule, with tasks of these titles. */
export function boards(crew: Crew, running: Pick<Desk, 'now' | 'pass' | 'turn'>) {
  const { team_id, person, agents } = crew
  let made = 0
  return async (titles: readonly string[]): Promise<Desk> => {
    const { project_id, sections } = await person['projects.create']({
      ...{ team_id, title: titled(++made) },
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
      ...running,
      ...{ tasks, agents: [...agents.keys()] },
      perform: (asked, task) => performed(board, asked, task),
    }
  }
}
