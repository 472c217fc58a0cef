import { ask, cork, initiated, serving, sweep } from '../../test/binary/cork.ts'
import { Agent, type Answer, type Cost } from './agent.ts'

export interface Person {
  user_id: number
  api_key: string
}

const LABELS = ['bug', 'ui', 'docs']

/** A served executable with a team of two, Ada and Ben, where each task gets a board of its own. */
export async function openGround() {
  const { data, ...ada } = await initiated()
  const who = ['--email', 'ben@example.com', '--name', 'Ben', '--team', 'Harbour']
  const made = await cork(['user', 'add', ...who, '--role', 'member', '--json', '--data', data])
  const ben: Person = JSON.parse(made.out)
  const server = await serving(data, { env: { CORK_ALLOW_HOSTS: '127.0.0.1' } })
  const as = (person: Person) => async (method: string, path: string, body?: object) => {
    const { status, body: told } = await ask(server.url, person.api_key, method, path, body)
    if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(told)}`)
    return told.data as Answer
  }
  let scenes = 0
  return {
    server,
    /** Boards and agents want names of their own. */
    next: () => `Board ${++scenes}`,
    team_id: ada.team_id,
    people: { ada, ben },
    ada: as(ada),
    ben: as(ben),
    async close() {
      await server.end()
      sweep()
    },
  }
}

export type Ground = Awaited<ReturnType<typeof openGround>>

/** A board, what there is on it, and agents who are only let onto it. */
export async function openScene(ground: Ground) {
  const title = ground.next()
  const { ada, ben, people, team_id, server } = ground
  const sections = ['To do', 'Doing', 'Review', { title: 'Done', is_done: true }].map((one) =>
    typeof one === 'string' ? { title: one } : one,
  )
  const labels = LABELS.map((name) => ({ name, color: '#336699' }))
  const { project_id } = await ada('POST', '/api/v1/projects', {
    ...{ team_id, title, sections, labels },
  })
  const { sections: columns } = await ada('GET', `/api/v1/projects/${project_id}`)
  const [todo, doing, review, done] = columns.map(({ section_id }: Answer) => section_id)
  const agents: Agent[] = []
  return {
    ada,
    ben,
    people,
    project_id,
    columns: { todo, doing, review, done } as Record<'todo' | 'doing' | 'review' | 'done', number>,
    /** Somebody who works here; knows nothing but an address and a token. */
    async hire(name: string, projects: number[] = [project_id]) {
      const fields = { team_id, name: `${name} of ${title}`, project_ids: projects }
      const { agent_id, token } = await ada('POST', '/api/v1/agents', fields)
      const agent = await Agent.at(server.url, token)
      agents.push(agent)
      return Object.assign(agent, { agent_id: agent_id as string, title: fields.name })
    },
    /** Its key. */
    async task(fields: object): Promise<string> {
      return (await ada('POST', '/api/v1/tasks', { project_id, ...fields })).ticket_number
    },
    seen: (key: string, more = '') => ada('GET', `/api/v1/tasks/${key}${more}`),
    /** What the agents took until now, together. */
    cost(): Cost {
      const sum = (of: keyof Cost) => agents.reduce((all, { cost }) => all + cost[of], 0)
      return { calls: sum('calls'), tokens: sum('tokens'), errors: sum('errors') }
    },
    close: () => Promise.all(agents.map((agent) => agent.close())),
  }
}

export type Scene = Awaited<ReturnType<typeof openScene>>
export type Hired = Awaited<ReturnType<Scene['hire']>>
