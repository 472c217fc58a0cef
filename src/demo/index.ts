import { randomBytes } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import { type Client, catalog } from '../catalog.ts'
import { agentPresence, agents } from '../features/agents/agents/model/index.ts'
import { addUser, setUpFromCli } from '../features/identity/accounts/model/index.ts'
import { callerOf } from '../features/identity/callers/model/index.ts'
import type { Dispatch } from '../kernel/dispatch.ts'
import type { AnyOperation } from '../kernel/operation.ts'
import { type Day, type DemoActor, type DemoBoard, releaseBoard, supportBoard } from './board.ts'
import {
  addTimeAndReports,
  BOARD_AGE_DAYS,
  COMPLETED_CARDS,
  initialCards,
  replayMoves,
} from './past.ts'
import { addRuns } from './runs.ts'
import type { Call, Scene } from './scene.ts'
import { addActivity } from './talk.ts'

type DemoServer = Parameters<typeof setUpFromCli>[0] & {
  dispatch: Dispatch
  dispatchAt(moment: Date): Dispatch
}

const DAY_MS = 24 * 60 * 60 * 1000
const TEAM = 'Lighthouse'

/**
 * Creates a sample team with boards, tasks and agents. Returns a text with the sign-in and the
 * credentials.
 */
export async function fillDemo(server: DemoServer): Promise<string> {
  const password = randomBytes(9).toString('base64url')
  const founder = { email: 'robin@example.com', name: 'Robin Vale', team: TEAM, password }
  const owner = await setUpFromCli(server, founder)
  const robin = await createCall(server, owner.api_key, 'key')
  const { team_id } = owner
  const beacon = await robin('agents.create', { team_id, name: 'Beacon' })
  const lantern = await robin('agents.create', { team_id, name: 'Lantern' })
  const mira = await addColleague(server, 'Mira Okafor', 'mira@example.com')
  const jonas = await addColleague(server, 'Jonas Lind', 'jonas@example.com')
  const cast: Cast = {
    as: {
      robin,
      mira: mira.call,
      jonas: jonas.call,
      beacon: await createCall(server, beacon.token!, 'agent'),
      lantern: await createCall(server, lantern.token!, 'agent'),
    },
    actors: {
      robin: { user_id: owner.user_id, display_name: founder.name },
      mira: { user_id: mira.user_id, display_name: 'Mira Okafor' },
      jonas: { user_id: jonas.user_id, display_name: 'Jonas Lind' },
      beacon: { agent_id: beacon.agent_id, display_name: 'Beacon' },
      lantern: { agent_id: lantern.agent_id, display_name: 'Lantern' },
    },
  }
  const now = server.clock()
  const callInPast: CallInPast = (days) => {
    const dispatch = server.dispatchAt(new Date(now.getTime() - days * DAY_MS))
    return createCall({ ...server, dispatch }, owner.api_key, 'key')
  }
  const board = await fillBoards(cast, team_id, now, callInPast)
  await markAgentsSeen(server, [beacon.agent_id, lantern.agent_id])
  return describeDemo(server, { ...founder, api_key: owner.api_key, board, agent: beacon })
}

interface DemoSummary {
  email: string
  password: string
  api_key: string
  board: Awaited<ReturnType<Client['projects.create']>>
  agent: Awaited<ReturnType<Client['agents.create']>>
}

const describeDemo = (
  { server }: DemoServer,
  { email, password, api_key, board, agent }: DemoSummary,
) =>
  `The demo team ${TEAM} works on the board "${board.title}" (${board.key}).

  Sign in       ${server.url}/sign-in
  Email         ${email}
  Password      ${password}
  API key       ${api_key}
  Agent token   ${agent.token}

To connect an assistant as the agent Beacon, add this MCP server:

${JSON.stringify({ mcpServers: { corkboard: agent.client_configuration } }, null, 2)}

None of these is shown again.`

type Cast = Pick<Scene, 'as' | 'actors'>

/** The demo calls operations directly, so no request marks the agents as seen. This does. */
const markAgentsSeen = ({ store, clock }: DemoServer, ids: readonly string[]) =>
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

/** Adds a member without a password: only Robin can sign in. */
async function addColleague(server: DemoServer, name: string, email: string) {
  const { user_id, api_key } = await addUser(server, { name, email, team: TEAM, role: 'member' })
  return { user_id, call: await createCall(server, api_key, 'key') }
}

/** A function that runs operations as the holder of the credential. */
async function createCall(
  { store, dispatch, clock }: DemoServer,
  secret: string,
  kind: 'key' | 'agent',
): Promise<Call> {
  const { caller } = await store.read((tx) => callerOf(tx, secret, [kind], clock()))
  return async (name, input) => {
    const op: AnyOperation = catalog.find((operation) => operation.name === name)!
    return (await dispatch(caller, op, input)).data as never
  }
}

async function fillBoards(cast: Cast, team_id: number, now: Date, callInPast: CallInPast) {
  const day: Day = (days) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
  const { tasks, ...spring } = releaseBoard(day)
  const pastCast = { ...cast, as: { ...cast.as, robin: await callInPast(BOARD_AGE_DAYS) } }
  const cards = initialCards([...tasks, ...COMPLETED_CARDS])
  const release = await createBoard(pastCast, team_id, { ...spring, tasks: cards })
  await createBoard(cast, team_id, supportBoard(day))
  const key = (title: string) => release.keys.get(title)!
  await replayMoves(callInPast, release.board, key)
  const scene = { ...cast, board: release.board, key, day }
  await addActivity(scene)
  await addTimeAndReports(scene)
  await keepLease(cast.as.beacon, key('Exports time out on boards with many tasks'))
  await keepLease(cast.as.lantern, key('Search finds words in comments'))
  await addRuns({ ...cast, board: release.board, key, day })
  return release.board
}

/** Runs operations as Robin, dated so many days ago. */
type CallInPast = (days: number) => Promise<Call>

/** Creates a board with its tasks, and assigns them. */
async function createBoard({ as, actors }: Cast, team_id: number, { tasks, ...board }: DemoBoard) {
  const created = await as.robin('projects.create', {
    ...board,
    team_id,
    tasks: tasks.map(({ assignees: _, ...task }) => task),
  })
  const keys = new Map(tasks.map(({ title }, at) => [title, created.tasks[at]!]))
  for (const { title, assignees = [] } of tasks)
    for (const actor of assignees) {
      const { user_id, agent_id } = actors[actor as DemoActor]
      const ticket_number = keys.get(title)!
      await as.robin('tasks.assign', { ticket_number, ...(agent_id ? { agent_id } : { user_id }) })
    }
  return { board: created, keys }
}

/** The longest duration of a lease, and the interval at which the demo renews it. */
const LEASE_MS = 4 * 60 * 60 * 1000
const RENEWAL_MS = LEASE_MS / 2

/** Claims the task for the agent and renews the lease as long as the process runs. */
async function keepLease(agent: Call, ticket_number: string) {
  const { lease_id } = await agent('leases.claim', { ticket_number, ttl: LEASE_MS })
  const timer = setInterval(
    // The renewal fails if somebody has ended the lease while trying the demo.
    () => agent('leases.heartbeat', { lease_id, ttl: LEASE_MS }).catch(() => clearInterval(timer)),
    RENEWAL_MS,
  )
  timer.unref()
}
