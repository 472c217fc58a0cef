import { catalog } from '../../src/catalog.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { startKitHost } from '../support/code-host-archives.ts'
import { createFixtures } from '../support/fixtures.ts'
import { sampleCaller } from '../support/samples.ts'
import { restRequest } from '../support/surface-calls.ts'
import type { Actor, World } from '../support/world.ts'
import { cork, initDataFolder, type RunningServer, sendRequest, startServer } from './cork.ts'

const operations: readonly AnyOperation[] = catalog

interface CastMember {
  /** A person has a number, an agent a UUID. */
  caller?: { actor_id: number } | { agent_id: string }
  secret: string
}

/** A served executable with all the people and agents that the samples refer to. */
export async function startCastServer() {
  const { data, user_id, team_id, api_key, mcp_token } = await initDataFolder()
  const cast: Record<string, CastMember> = {
    ada: { caller: { actor_id: user_id }, secret: api_key },
  }
  for (const [name, role] of Object.entries({ ben: 'admin', cleo: 'member', gus: 'guest' }))
    cast[name] = await addUser(data, name, role)
  const hosts = {
    CORK_ALLOW_HOSTS: '127.0.0.1',
    CORK_SKILL_HOSTS: `${startKitHost(emptyConfig())}=github`,
  }
  const server = await startServer(data, { env: hosts })
  const body = { team_id, name: 'Bot' }
  const bot = await sendRequest(server.url, cast.cleo!.secret, 'POST', '/api/v1/agents', body)
  const { agent_id, token } = bot.body.data
  cast.bot = { caller: { agent_id }, secret: token }
  const actors = Object.fromEntries(
    Object.entries(cast).map(([name, member]) => [name, networkActor(server, member)]),
  ) as unknown as World
  // Only its id is used: a promise cannot resolve to an actor, which calls any property as operation.
  const addMember = (_: number, name: string, role: string) =>
    addUser(data, name, role) as Promise<unknown> as Promise<Actor>
  return {
    server,
    mcp_token,
    /** The credential of an actor that may call the operation. */
    secretFor: (op: AnyOperation) =>
      sampleCaller({ ada: cast.ada!, bot: cast.bot! }, op.name).secret,
    secret: api_key,
    agentSecret: token as string,
    /** All people and agents, with a new board. */
    createWorld: async (): Promise<World> => ({
      ...{ ...actors, team_id, addMember },
      // The executable already has the settings that a sample adds here: it reads them at start.
      ...emptyConfig(),
      ...(await createFixtures(actors.ada, actors.cleo, team_id, { due_date: FAR_DAY })),
    }),
  }
}

/** The executable uses the real time, and would send reminders of a day that has come. */
const FAR_DAY = '2099-11-27'

const emptyConfig = () => ({
  config: { allowHosts: [], skillHosts: [] } as unknown as World['config'],
})

async function addUser(data: string, name: string, role: string): Promise<CastMember> {
  const flags = ['--email', `${name}@example.com`, '--name', name, '--role', role]
  const result = await cork([
    'user',
    'add',
    ...flags,
    '--team',
    'Harbour',
    '--json',
    '--data',
    data,
  ])
  const { user_id, api_key } = JSON.parse(result.out)
  return { caller: { actor_id: user_id }, secret: api_key }
}

/** An actor that calls operations over the network. */
function networkActor({ url }: RunningServer, member: CastMember): Actor {
  const call = (name: string) => async (input: Record<string, unknown>) => {
    const { method, path, body } = restRequest(operations.find((op) => op.name === name)!, input)
    const { data, page } = (await sendRequest(url, member.secret, method, path, body)).body
    return page ? { items: data, page } : data
  }
  const get = (_: object, name: string) => (name in member ? member[name as never] : call(name))
  return new Proxy(member, { get }) as unknown as Actor
}
