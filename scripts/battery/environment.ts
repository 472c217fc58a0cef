import { cleanUp, cork, initDataFolder, sendRequest, startServer } from '../../test/binary/cork.ts'
import { Agent, type Answer, type Cost } from './agent.ts'

export interface Person {
  user_id: number
  api_key: string
}

const LABELS = ['bug', 'ui', 'docs']

/** Starts the executable with a team of two people, Ada and Ben. */
export async function openEnvironment() {
  const { data, ...ada } = await initDataFolder()
  const who = ['--email', 'ben@example.com', '--name', 'Ben', '--team', 'Harbour']
  const added = await cork(['user', 'add', ...who, '--role', 'member', '--json', '--data', data])
  const ben: Person = JSON.parse(added.out)
  const server = await startServer(data, { env: { CORK_ALLOW_HOSTS: '127.0.0.1' } })
  const as = (person: Person) => async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await sendRequest(
      server.url,
      person.api_key,
      method,
      path,
      body,
    )
    if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer.data as Answer
  }
  let boardCount = 0
  return {
    server,
    /** Boards and agents need unique names. */
    nextName: () => `Board ${++boardCount}`,
    team_id: ada.team_id,
    people: { ada, ben },
    ada: as(ada),
    ben: as(ben),
    async close() {
      await server.end()
      cleanUp()
    },
  }
}

export type Environment = Awaited<ReturnType<typeof openEnvironment>>

/** Creates a board for one task, to which its agents are limited. */
export async function createScenario(environment: Environment) {
  const title = environment.nextName()
  const { ada, ben, people, team_id, server } = environment
  const sections = ['To do', 'Doing', 'Review', { title: 'Done', is_done: true }].map((section) =>
    typeof section === 'string' ? { title: section } : section,
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
    /** Creates an agent for the board. It knows only an address and a token. */
    async addAgent(name: string, projects: number[] = [project_id]) {
      const fields = { team_id, name: `${name} of ${title}`, project_ids: projects }
      const { agent_id, token } = await ada('POST', '/api/v1/agents', fields)
      const agent = await Agent.at(server.url, token)
      agents.push(agent)
      return Object.assign(agent, { agent_id: agent_id as string, title: fields.name })
    },
    /** Creates a task and returns its key. */
    async task(fields: object): Promise<string> {
      return (await ada('POST', '/api/v1/tasks', { project_id, ...fields })).ticket_number
    },
    getTask: (key: string, suffix = '') => ada('GET', `/api/v1/tasks/${key}${suffix}`),
    /** The total cost of all agents so far. */
    cost(): Cost {
      const sum = (of: keyof Cost) => agents.reduce((total, { cost }) => total + cost[of], 0)
      return { calls: sum('calls'), tokens: sum('tokens'), errors: sum('errors') }
    },
    close: () => Promise.all(agents.map((agent) => agent.close())),
  }
}

export type Scenario = Awaited<ReturnType<typeof createScenario>>
export type ScenarioAgent = Awaited<ReturnType<Scenario['addAgent']>>
