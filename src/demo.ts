import { randomBytes } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import { type Client, catalog } from './catalog.ts'
import { type Day, type DemoBoard, releaseAt, supportAt, type Who } from './demo-board.ts'
import { account, BEGUN, before, HISTORY, walk } from './demo-past.ts'
import { pursue } from './demo-runs.ts'
import type { Call, Scene } from './demo-scene.ts'
import { liven } from './demo-talk.ts'
import { addUser, prepare } from './features/accounts/index.ts'
import { agentPresence, agents } from './features/agents/index.ts'
import { callerOf } from './features/callers/index.ts'
import type { Dispatch } from './kernel/dispatch.ts'
import type { AnyOperation } from './kernel/operation.ts'

type House = Parameters<typeof prepare>[0] & {
  dispatch: Dispatch
  dispatchAt(moment: Date): Dispatch
}

const DAY_MS = 24 * 60 * 60 * 1000
const TEAM = 'Lighthouse'

/** A team at work, so that the first look at the product is not at an empty page. */
export async function fillDemo(house: House): Promise<string> {
  const password = randomBytes(9).toString('base64url')
  const founder = { email: 'robin@example.com', name: 'Robin Vale', team: TEAM, password }
  const made = await prepare(house, founder)
  const robin = await playing(house, made.api_key, 'key')
  const { team_id } = made
  const beacon = await robin('agents.create', { team_id, name: 'Beacon' })
  const lantern = await robin('agents.create', { team_id, name: 'Lantern' })
  const mira = await joined(house, 'Mira Okafor', 'mira@example.com')
  const jonas = await joined(house, 'Jonas Lind', 'jonas@example.com')
  const cast: Cast = {
    as: {
      ...{ robin, mira: mira.call, jonas: jonas.call },
      beacon: await playing(house, beacon.token!, 'agent'),
      lantern: await playing(house, lantern.token!, 'agent'),
    },
    named: {
      robin: { user_id: made.user_id, display_name: founder.name },
      mira: { user_id: mira.user_id, display_name: 'Mira Okafor' },
      jonas: { user_id: jonas.user_id, display_name: 'Jonas Lind' },
      beacon: { agent_id: beacon.agent_id, display_name: 'Beacon' },
      lantern: { agent_id: lantern.agent_id, display_name: 'Lantern' },
    },
  }
  const now = house.clock()
  const past: Past = (days) => {
    const dispatch = house.dispatchAt(new Date(now.getTime() - days * DAY_MS))
    return playing({ ...house, dispatch }, made.api_key, 'key')
  }
  const board = await fill(cast, team_id, now, past)
  await seen(house, [beacon.agent_id, lantern.agent_id])
  return told(house, { ...founder, api_key: made.api_key, board, agent: beacon })
}

interface Told {
  email: string
  password: string
  api_key: string
  board: Awaited<ReturnType<Client['projects.create']>>
  agent: Awaited<ReturnType<Client['agents.create']>>
}

const told = ({ server }: House, { email, password, api_key, board, agent }: Told) =>
  `The demo team ${TEAM} is at work on the board "${board.title}" (${board.key}).

  Sign in       ${server.url}/sign-in
  E-mail        ${email}
  Password      ${password}
  API key       ${api_key}
  Agent token   ${agent.token}

An assistant joins as the agent Beacon with this MCP server:

${JSON.stringify({ mcpServers: { corkboard: agent.client_configuration } }, null, 2)}

None of these is shown again.`

type Cast = Pick<Scene, 'as' | 'named'>

/** They have worked a moment ago, but not over the network, where that is noted of an agent. */
const seen = ({ store, clock }: House, ids: readonly string[]) =>
  store.write(async (tx) => {
    const rows = await tx
      .select()
      .from(agents)
      .where(inArray(agents.agent_id, [...ids]))
    const seen_at = clock()
    await tx
      .insert(agentPresence)
      .values(rows.map(({ team_id, actor_id }) => ({ team_id, actor_id, seen_at })))
  })

/** Colleagues have no password: only Robin signs in. */
async function joined(house: House, name: string, email: string) {
  const { user_id, api_key } = await addUser(house, { name, email, team: TEAM, role: 'member' })
  return { user_id, call: await playing(house, api_key, 'key') }
}

/** Somebody of the team, with whatever they may ask for. */
async function playing(
  { store, dispatch, clock }: House,
  secret: string,
  kind: 'key' | 'agent',
): Promise<Call> {
  const { caller } = await store.read((tx) => callerOf(tx, secret, [kind], clock()))
  return async (name, input) => {
    const op: AnyOperation = catalog.find((one) => one.name === name)!
    return (await dispatch(caller, op, input)).data as never
  }
}

async function fill(cast: Cast, team_id: number, now: Date, past: Past) {
  const day: Day = (days) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
  const { tasks, ...spring } = releaseAt(day)
  const begun = { ...cast, as: { ...cast.as, robin: await past(BEGUN) } }
  const cards = before([...tasks, ...HISTORY])
  const release = await boarded(begun, team_id, { ...spring, tasks: cards })
  await boarded(cast, team_id, supportAt(day))
  const key = (title: string) => release.keys.get(title)!
  await walk(past, release.board, key)
  const scene = { ...cast, board: release.board, key, day }
  await liven(scene)
  await account(scene)
  await atWork(cast.as.beacon, key('Exports time out on boards with many tasks'))
  await atWork(cast.as.lantern, key('Search finds words in comments'))
  await pursue({ ...cast, board: release.board, key, day })
  return release.board
}

/** Robin, so many days ago. */
type Past = (days: number) => Promise<Call>

/** A board, and who is to do what on it. */
async function boarded({ as, named }: Cast, team_id: number, { tasks, ...board }: DemoBoard) {
  const made = await as.robin('projects.create', {
    ...{ ...board, team_id },
    tasks: tasks.map(({ who: _, ...task }) => task),
  })
  const keys = new Map(tasks.map(({ title }, at) => [title, made.tasks[at]!]))
  for (const { title, who = [] } of tasks)
    for (const one of who) {
      const { user_id, agent_id } = named[one as Who]
      const ticket_number = keys.get(title)!
      await as.robin('tasks.assign', { ticket_number, ...(agent_id ? { agent_id } : { user_id }) })
    }
  return { board: made, keys }
}

/** The longest that a lease lasts, and how often it is made to last as long again. */
const HELD_MS = 4 * 60 * 60 * 1000
const RENEWED_MS = HELD_MS / 2

/** An agent has the task for as long as the demo runs. */
async function atWork(agent: Call, ticket_number: string) {
  const { lease_id } = await agent('leases.claim', { ticket_number, ttl: HELD_MS })
  const timer = setInterval(
    // Whoever tries the demo out may have ended it.
    () => agent('leases.heartbeat', { lease_id, ttl: HELD_MS }).catch(() => clearInterval(timer)),
    RENEWED_MS,
  )
  timer.unref()
}
