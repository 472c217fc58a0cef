import { catalog } from '../../src/catalog.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { restCall } from '../ask.ts'
import { furnish } from '../furniture.ts'
import { kitHost } from '../hosting.ts'
import type { Actor, World } from '../world.ts'
import { ask, cork, initiated, type Serving, serving } from './cork.ts'

const operations: readonly AnyOperation[] = catalog

interface Part {
  /** A person has a number, an agent a UUID. */
  caller?: { actor_id: number } | { agent_id: string }
  secret: string
}

/** Operations that the owner may not call, and who may. */
const ONLY: Record<string, 'bot'> = {
  'comments.update': 'bot',
  'runs.update': 'bot',
  'runs.append': 'bot',
  'messages.list': 'bot',
  'messages.ack': 'bot',
}

/** A served executable with all the people and agents that the samples refer to. */
export async function company() {
  const { data, user_id, team_id, api_key, mcp_token } = await initiated()
  const cast: Record<string, Part> = { ada: { caller: { actor_id: user_id }, secret: api_key } }
  for (const [name, role] of Object.entries({ ben: 'admin', cleo: 'member', gus: 'guest' }))
    cast[name] = await hired(data, name, role)
  const hosts = { CORK_ALLOW_HOSTS: '127.0.0.1', CORK_SKILL_HOSTS: `${kitHost(unset())}=github` }
  const server = await serving(data, { env: hosts })
  const body = { team_id, name: 'Bot' }
  const bot = await ask(server.url, cast.cleo!.secret, 'POST', '/api/v1/agents', body)
  const { agent_id, token } = bot.body.data
  cast.bot = { caller: { agent_id }, secret: token }
  const actors = Object.fromEntries(
    Object.entries(cast).map(([name, part]) => [name, acting(server, part)]),
  ) as unknown as World
  return {
    server,
    mcp_token,
    /** The credential of an actor that may call the operation: the owner's, except for `ONLY`. */
    secretFor: (op: AnyOperation) => cast[ONLY[op.name] ?? 'ada']!.secret,
    secret: api_key,
    agentSecret: token as string,
    /** All people and agents, with a new board. */
    played: async (): Promise<World> => ({
      ...{ ...actors, team_id },
      // The executable already has the settings that a sample adds here: it reads them at start.
      ...unset(),
      ...(await furnish(actors.ada, actors.cleo, team_id)),
    }),
  }
}

const unset = () => ({ config: { allowHosts: [], skillHosts: [] } as unknown as World['config'] })

async function hired(data: string, name: string, role: string): Promise<Part> {
  const who = ['--email', `${name}@example.com`, '--name', name, '--role', role]
  const added = await cork(['user', 'add', ...who, '--team', 'Harbour', '--json', '--data', data])
  const { user_id, api_key } = JSON.parse(added.out)
  return { caller: { actor_id: user_id }, secret: api_key }
}

/** An actor that calls operations over the network. */
function acting({ url }: Serving, own: Part): Actor {
  const act = (name: string) => async (input: Record<string, unknown>) => {
    const { method, path, body } = restCall(operations.find((op) => op.name === name)!, input)
    const { data, page } = (await ask(url, own.secret, method, path, body)).body
    return page ? { items: data, page } : data
  }
  const get = (_: object, name: string) => (name in own ? own[name as never] : act(name))
  return new Proxy(own, { get }) as unknown as Actor
}
