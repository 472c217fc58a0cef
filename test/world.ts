import pino from 'pino'
import { type Client, catalog as everything } from '../src/catalog.ts'
import { readConfig } from '../src/config/index.ts'
import { insertAgent } from '../src/features/agents/index.ts'
import { callerOf } from '../src/features/callers/index.ts'
import {
  type CredentialKind,
  insertCredential,
  newSecret,
  SigningKey,
} from '../src/features/credentials/index.ts'
import { createPerson } from '../src/features/people/index.ts'
import { createTeam, DEFAULT_AGENT_SCOPES, joinTeam } from '../src/features/teams/index.ts'
import type { Caller, Role, Scope } from '../src/kernel/caller.ts'
import type { AnyOperation } from '../src/kernel/operation.ts'
import { createApp } from '../src/server/app.ts'
import { changesSince, type LoggedChange, lastSeq } from '../src/store/log.ts'
import type { OpenStore } from '../src/store/store.ts'
import { afterwards, emptyFolder, opened, original } from './database.ts'
import { finding } from './finding.ts'
import { fill } from './full-board.ts'
import { type Furniture, furnish } from './furniture.ts'
import { parse } from './json.ts'
import { spokenOn } from './samples-chat.ts'

export const NOON = new Date('2026-11-20T12:00:00.000Z')

/** Somebody in the cast: every operation as a method, and the secret they use over HTTP. */
export type Actor = Client & { caller: Caller; secret: string }

export class Clockwork {
  now = NOON
  readonly read = () => this.now
  /** Lets time pass; nothing else does. */
  pass(ms: number) {
    this.now = new Date(this.now.getTime() + ms)
  }
}

/** A house over a database, and what it takes to people it. */
function stage(
  store: OpenStore,
  clock: Clockwork,
  plant: readonly AnyOperation[],
  env: Record<string, string> = {},
) {
  const catalog: readonly AnyOperation[] = [...everything, ...plant]
  const config = {
    ...{ ...readConfig(env), url: 'http://localhost', rateBase: 0, rateAgent: 0 },
    data: emptyFolder(),
  }
  const key = new SigningKey(
    new TextEncoder().encode('a key that only tests use, 32 bytes or more'),
  )
  const logged: Record<string, unknown>[] = []
  const write = (line: string) => {
    logged.push(JSON.parse(line))
    if (process.env.CORK_TEST_LOG) process.stdout.write(line)
  }
  const log = pino({ level: process.env.CORK_TEST_LOG ?? 'warn' }, { write })
  const library = finding(store, log)
  const elapsed = () => clock.now.getTime()
  const house = createApp({ config, store, clock: clock.read, key, catalog, log, library, elapsed })

  const credential = async (
    actor_id: number,
    kind: CredentialKind,
    scopes: Scope[] | null = null,
  ) => {
    const secret = newSecret(kind)
    await store.write((tx) =>
      insertCredential(
        tx,
        { kind, actor_id, name: 'test', secret, scopes, expires_at: null },
        clock.now,
      ),
    )
    return secret
  }
  /** Plays an actor with a fresh key; `scopes` narrows what the key may do. */
  const as = async (
    actor_id: number,
    kind: CredentialKind = 'key',
    scopes: Scope[] | null = null,
  ) => {
    const secret = await credential(actor_id, kind, scopes)
    const { caller } = await store.read((tx) => callerOf(tx, secret, [kind], clock.now))
    return actor({ caller, secret })
  }
  const actor = (role: Part) =>
    new Proxy(role, {
      get: (own, name) =>
        name in own
          ? own[name as never]
          : name === 'then'
            ? undefined
            : (input: unknown) => call(role.caller, String(name), input),
    }) as unknown as Actor
  const call = async (caller: Caller, name: string, input: unknown) => {
    const op = catalog.find((one: AnyOperation) => one.name === name)
    if (!op) throw new Error(`There is no operation ${name}`)
    const answer = await house.dispatch(caller, op, input)
    return answer.page ? { items: answer.data, page: answer.page } : answer.data
  }
  const person = (name: string) =>
    store.write((tx) =>
      createPerson(
        tx,
        {
          name,
          email: `${name.toLowerCase()}@example.com`,
          password_hash: null,
          time_zone: 'Europe/Berlin',
          locale: 'en',
        },
        clock.now,
      ),
    )
  const member = async (team_id: number, name: string, role: Role) => {
    const actor_id = await person(name)
    await store.write((tx) => joinTeam(tx, team_id, actor_id, role, clock.now))
    return as(actor_id)
  }
  const agent = async (
    team_id: number,
    owner: Actor,
    name: string,
    scopes: readonly Scope[] = DEFAULT_AGENT_SCOPES,
  ) => {
    const draft = { team_id, owner_id: owner.caller.actor_id, name, scopes: [...scopes] }
    const { actor_id } = await store.write((tx) =>
      insertAgent(tx, { ...draft, project_ids: null }, clock.now),
    )
    return as(actor_id, 'agent')
  }

  return { ...house, config, logged, store, library, clock, key, as, actor, member, agent }
}

type Part = Pick<Actor, 'caller' | 'secret'>
const NAMES = ['ada', 'ben', 'cleo', 'gus', 'otto', 'bot'] as const

/** Everybody, made the way they come into a house; and the board that they work on. */
async function cast(store: OpenStore, clock: Clockwork, contents: Contents) {
  const house = stage(store, clock, [])
  const { member, agent, feed } = house
  const team_id = await store.write((tx) => createTeam(tx, 'Harbour', clock.now))
  const elsewhere = await store.write((tx) => createTeam(tx, 'Elsewhere', clock.now))
  const ada = await member(team_id, 'Ada', 'owner')
  const ben = await member(team_id, 'Ben', 'admin')
  const cleo = await member(team_id, 'Cleo', 'member')
  const gus = await member(team_id, 'Gus', 'guest')
  const otto = await member(elsewhere, 'Otto', 'owner')
  const bot = await agent(team_id, cleo, 'Bot')
  const furniture = contents === 'empty' ? ({} as Furniture) : await furnish(ada, cleo, team_id)
  if (contents === 'full' || contents === 'mirrored')
    await fill(house, { ada, ben, cleo, gus, bot, team_id, ...furniture })
  if (contents === 'mirrored') await mirror(house, otto, elsewhere)
  const began = await store.read(lastSeq)
  feed.close()
  const all = { ada, ben, cleo, gus, otto, bot }
  const parts = NAMES.map((name): Part => ({ caller: all[name].caller, secret: all[name].secret }))
  return { team_id, elsewhere, parts, furniture, began }
}

/** As full a board in the other team, with the people and the agent that it takes. */
async function mirror(house: ReturnType<typeof stage>, otto: Actor, team_id: number) {
  const ben = await house.member(team_id, 'Olga', 'admin')
  const cleo = await house.member(team_id, 'Paul', 'member')
  const gus = await house.member(team_id, 'Quin', 'guest')
  const bot = await house.agent(team_id, cleo, 'Robot')
  const furniture = await furnish(otto, cleo, team_id, 'Foreign lands')
  await fill(house, { ada: otto, ben, cleo, gus, bot, team_id, ...furniture })
  const { project_id } = furniture.board
  const { task_id } = furniture.tasks.logo
  await otto['tasks.update']({ task_id, description: 'Described' })
  await spokenOn({ ...house, ada: otto, bot, team_id }, { project_id, task_id })
}

/**
 * No board, a board as most tests need it, one with as many fields set as possible, or such a board
 * in each of the two teams.
 */
type Contents = 'empty' | 'furnished' | 'full' | 'mirrored'

const originalOf = (contents: Contents) => {
  const clock = new Clockwork()
  return original(clock.read, (store) => cast(store, clock, contents))
}
const originals = {
  empty: originalOf('empty'),
  furnished: originalOf('furnished'),
  full: originalOf('full'),
  mirrored: originalOf('mirrored'),
}

/** A small house, its clock stopped at noon: what every test plays in. */
export async function world({
  plant = [],
  furnished = true,
  full = false,
  mirrored = false,
  env = {},
}: {
  plant?: readonly AnyOperation[]
  /** False leaves out the board, for tests that count boards or open their own. */
  furnished?: boolean
  /** True sets as many fields as possible of everything on the board. */
  full?: boolean
  /** True fills a board of the other team in the same way, too. */
  mirrored?: boolean
  /** What the operator has set. */
  env?: Record<string, string>
} = {}) {
  const contents = mirrored ? 'mirrored' : full ? 'full' : furnished ? 'furnished' : 'empty'
  const { where, made } = await originals[contents]()
  const { team_id, elsewhere, parts, furniture, began } = structuredClone(made)
  const clock = new Clockwork()
  const house = stage(await opened(where, clock.read), clock, plant, env)
  afterwards(() => house.feed.close())
  const [ada, ben, cleo, gus, otto, bot] = parts.map(house.actor) as [
    ...[Actor, Actor, Actor, Actor, Actor, Actor],
  ]
  const changes = (seq = began): Promise<LoggedChange[]> =>
    house.store.read((tx) => changesSince(tx, seq, 1000))

  return {
    ...house,
    where,
    team_id,
    elsewhere,
    ada,
    ben,
    cleo,
    gus,
    /** Belongs to another team. */
    otto,
    bot,
    ...furniture,
    /** The types of everything that happened since `seq`, or since the world was made. */
    emitted: async (seq = began): Promise<string[]> => (await changes(seq)).map(({ type }) => type),
    changes,
    /** A request over REST, as that actor would send it. */
    async http(
      actor: { secret: string } | undefined,
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) {
      const response = await house.app.handle(
        new Request(`http://localhost${path}`, {
          method,
          headers: {
            ...(actor && { authorization: `Bearer ${actor.secret}` }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && {
            body: typeof body === 'string' ? body : JSON.stringify(body),
          }),
        }),
      )
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: parse(text) }
    },
  }
}

export type World = Awaited<ReturnType<typeof world>>
