import pino from 'pino'
import { catalog as builtInOperations, type Client } from '../../src/catalog.ts'
import { pathsIn } from '../../src/config/data-folder.ts'
import { bucketOf, readConfig } from '../../src/config/index.ts'
import { insertAgent } from '../../src/features/agents/agents/model/store.ts'
import { callerOf } from '../../src/features/identity/callers/model/index.ts'
import {
  type CredentialKind,
  insertCredential,
  newSecret,
  SigningKey,
} from '../../src/features/identity/credentials/model/index.ts'
import { createPerson } from '../../src/features/identity/people/model/index.ts'
import {
  createTeam,
  DEFAULT_AGENT_SCOPES,
  joinTeam,
} from '../../src/features/identity/teams/model/index.ts'
import { openFiles } from '../../src/files/index.ts'
import type { Caller, Role, Scope } from '../../src/kernel/caller.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { createApp } from '../../src/server/app.ts'
import { changesSince, type LoggedChange, lastSeq } from '../../src/store/log.ts'
import type { DatabaseLocation } from '../../src/store/open.ts'
import type { OpenStore } from '../../src/store/store.ts'
import { createSampleThread } from './chat-threads.ts'
import { addCleanup, databaseTemplate, emptyFolder, openTestStore } from './database.ts'
import { createFixtures, type Fixtures } from './fixtures.ts'
import { fillWorld } from './full-board.ts'
import { parseJson } from './json.ts'
import { createSearchIndex } from './search-index.ts'

export const NOON = new Date('2026-11-20T12:00:00.000Z')

/** A caller with every operation as a method, and with its secret for HTTP. */
export type Actor = Client & { caller: Caller; secret: string }

export class TestClock {
  now = NOON
  readonly read = () => this.now
  /** Moves the clock, which otherwise stands still. */
  advance(ms: number) {
    this.now = new Date(this.now.getTime() + ms)
  }
}

/** The server on a store, with functions that create people and agents. */
function buildTestServer(
  store: OpenStore,
  clock: TestClock,
  extraOperations: readonly AnyOperation[],
  env: Record<string, string> = {},
) {
  const catalog: readonly AnyOperation[] = [...builtInOperations, ...extraOperations]
  const config = {
    ...{ ...readConfig(env), url: env.CORK_URL ?? 'http://localhost', rateBase: 0, rateAgent: 0 },
    data: emptyFolder(),
  }
  const key = new SigningKey(
    new TextEncoder().encode('a key that only tests use, 32 bytes or more'),
  )
  const logRecords: Record<string, unknown>[] = []
  const write = (line: string) => {
    logRecords.push(JSON.parse(line))
    if (process.env.CORK_TEST_LOG) process.stdout.write(line)
  }
  const log = pino({ level: process.env.CORK_TEST_LOG ?? 'warn' }, { write })
  const files = openFiles(pathsIn(config.data).files, bucketOf(config))
  const searchIndex = createSearchIndex({ store, log, files })
  const elapsed = () => clock.now.getTime()
  const server = createApp({
    config,
    store,
    clock: clock.read,
    key,
    catalog,
    log,
    searchIndex,
    elapsed,
  })

  const createCredential = async (
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
  /** Creates a credential of an actor. `scopes` restricts it. */
  const authenticateAs = async (
    actor_id: number,
    kind: CredentialKind = 'key',
    scopes: Scope[] | null = null,
  ) => {
    const secret = await createCredential(actor_id, kind, scopes)
    const { caller } = await store.read((tx) => callerOf(tx, secret, [kind], clock.now))
    return toActor({ caller, secret })
  }
  const toActor = (identity: Identity) =>
    new Proxy(identity, {
      get: (target, name) =>
        name in target
          ? target[name as never]
          : name === 'then'
            ? undefined
            : (input: unknown) => callOperation(identity.caller, String(name), input),
    }) as unknown as Actor
  const callOperation = async (caller: Caller, name: string, input: unknown) => {
    const op = catalog.find((one: AnyOperation) => one.name === name)
    if (!op) throw new Error(`There is no operation ${name}`)
    const answer = await server.dispatch(caller, op, input)
    return answer.page ? { items: answer.data, page: answer.page } : answer.data
  }
  const addPerson = (name: string) =>
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
  const addMember = async (team_id: number, name: string, role: Role) => {
    const actor_id = await addPerson(name)
    await store.write((tx) => joinTeam(tx, team_id, actor_id, role, clock.now))
    return authenticateAs(actor_id)
  }
  const addAgent = async (
    team_id: number,
    owner: Actor,
    name: string,
    scopes: readonly Scope[] = DEFAULT_AGENT_SCOPES,
  ) => {
    const draft = { team_id, owner_id: owner.caller.actor_id, name, scopes: [...scopes] }
    const { actor_id } = await store.write((tx) =>
      insertAgent(tx, { ...draft, project_ids: null }, clock.now),
    )
    return authenticateAs(actor_id, 'agent')
  }

  return {
    ...server,
    config,
    logRecords,
    store,
    files,
    searchIndex,
    clock,
    key,
    authenticateAs,
    toActor,
    addMember,
    addAgent,
  }
}

type Identity = Pick<Actor, 'caller' | 'secret'>
const NAMES = ['ada', 'ben', 'cleo', 'gus', 'otto', 'bot'] as const

/** Creates the teams, the people and the board that every world starts with. */
async function createContents(store: OpenStore, clock: TestClock, contents: Contents) {
  const server = buildTestServer(store, clock, [])
  const { addMember, addAgent, feed } = server
  const team_id = await store.write((tx) => createTeam(tx, 'Harbour', clock.now))
  const otherTeamId = await store.write((tx) => createTeam(tx, 'Elsewhere', clock.now))
  const ada = await addMember(team_id, 'Ada', 'owner')
  const ben = await addMember(team_id, 'Ben', 'admin')
  const cleo = await addMember(team_id, 'Cleo', 'member')
  const gus = await addMember(team_id, 'Gus', 'guest')
  const otto = await addMember(otherTeamId, 'Otto', 'owner')
  const bot = await addAgent(team_id, cleo, 'Bot')
  const fixtures =
    contents === 'empty' ? ({} as Fixtures) : await createFixtures(ada, cleo, team_id)
  if (contents === 'full' || contents === 'mirrored')
    await fillWorld(server, { ada, ben, cleo, gus, bot, team_id, ...fixtures })
  if (contents === 'mirrored') await fillOtherTeam(server, otto, otherTeamId)
  const firstSeq = await store.read(lastSeq)
  feed.close()
  const all = { ada, ben, cleo, gus, otto, bot }
  const identities = NAMES.map(
    (name): Identity => ({ caller: all[name].caller, secret: all[name].secret }),
  )
  return { team_id, otherTeamId, identities, fixtures, firstSeq }
}

/** Creates an equally full board in the other team, with people and an agent of its own. */
async function fillOtherTeam(
  server: ReturnType<typeof buildTestServer>,
  otto: Actor,
  team_id: number,
) {
  const ben = await server.addMember(team_id, 'Olga', 'admin')
  const cleo = await server.addMember(team_id, 'Paul', 'member')
  const gus = await server.addMember(team_id, 'Quin', 'guest')
  const bot = await server.addAgent(team_id, cleo, 'Robot')
  const fixtures = await createFixtures(otto, cleo, team_id, { boardTitle: 'Foreign lands' })
  await fillWorld(server, { ada: otto, ben, cleo, gus, bot, team_id, ...fixtures })
  const { project_id } = fixtures.board
  const { task_id } = fixtures.tasks.logo
  await otto['tasks.update']({ task_id, description: 'Described' })
  await createSampleThread({ ...server, ada: otto, bot, team_id }, { project_id, task_id })
}

/**
 * No board, a board as most tests need it, one with as many fields set as possible, or such a board
 * in each team.
 */
type Contents = 'empty' | 'board' | 'full' | 'mirrored'

const templateFor = (contents: Contents) => {
  const clock = new TestClock()
  return databaseTemplate(clock.read, (store) => createContents(store, clock, contents))
}
async function fillLocation(location: DatabaseLocation, variant: Contents) {
  const clock = new TestClock()
  const store = await openTestStore(location, clock.read)
  const contents = await createContents(store, clock, variant)
  await store.close()
  return { location, contents }
}

const templates = {
  empty: templateFor('empty'),
  board: templateFor('board'),
  full: templateFor('full'),
  mirrored: templateFor('mirrored'),
}

/** A server with two teams and one board. Its clock stands at noon until a test moves it. */
export async function world({
  extraOperations = [],
  hasBoard = true,
  full = false,
  mirrored = false,
  env = {},
  location: ownLocation,
}: {
  extraOperations?: readonly AnyOperation[]
  /** False creates no board, for tests that count boards or create their own. */
  hasBoard?: boolean
  /** True sets as many fields as possible of everything on the board. */
  full?: boolean
  /** True also fills a board of the other team. */
  mirrored?: boolean
  /** The operator's configuration. */
  env?: Record<string, string>
  /** An empty database to fill, instead of a copy of a filled one. */
  location?: DatabaseLocation
} = {}) {
  const variant = mirrored ? 'mirrored' : full ? 'full' : hasBoard ? 'board' : 'empty'
  const { location, contents } = ownLocation
    ? await fillLocation(ownLocation, variant)
    : await templates[variant]()
  const { team_id, otherTeamId, identities, fixtures, firstSeq } = structuredClone(contents)
  const clock = new TestClock()
  const server = buildTestServer(
    await openTestStore(location, clock.read),
    clock,
    extraOperations,
    env,
  )
  addCleanup(() => server.feed.close())
  const [ada, ben, cleo, gus, otto, bot] = identities.map(server.toActor) as [
    ...[Actor, Actor, Actor, Actor, Actor, Actor],
  ]
  const changes = (seq = firstSeq): Promise<LoggedChange[]> =>
    server.store.read((tx) => changesSince(tx, seq, 1000))

  return {
    ...server,
    where: location,
    team_id,
    otherTeamId,
    ada,
    ben,
    cleo,
    gus,
    /** The owner of another team. */
    otto,
    bot,
    ...fixtures,
    /** The types of all changes since `seq`, or since the world was created. */
    changeTypes: async (seq = firstSeq): Promise<string[]> =>
      (await changes(seq)).map(({ type }) => type),
    changes,
    /** Sends an HTTP request with the credential of the actor. */
    async http(
      actor: { secret: string } | undefined,
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) {
      const response = await server.app.handle(
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
      return { status: response.status, headers: response.headers, text, body: parseJson(text) }
    },
  }
}

export type World = Awaited<ReturnType<typeof world>>
