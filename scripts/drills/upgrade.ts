/**
 * Rehearses a rolling upgrade on PostgreSQL. The release before the newest migration serves 32
 * clients that create, claim and change tasks. A server of today starts beside it and migrates the
 * database; both serve, and then the old one stops. No acknowledged write may be lost, and requests
 * may fail only for a moment, so that a repetition succeeds.
 *
 *   npm run drill -- upgrade [--rounds 3]
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  cleanUp,
  createFolder,
  type RunningServer,
  runCommand,
  sendRequest,
  startServer,
} from '../../test/binary/cork.ts'
import type { Owner } from '../../test/binary/rest-callers.ts'
import { findInconsistencies, type Query } from '../../test/crash/audit.ts'
import { unpackCommit } from '../bench/against.ts'
import { build, isStale } from '../build.ts'
import { startPostgres } from '../postgres.ts'
import { findDoubleClaims, Load } from './load.ts'
import {
  connect,
  createBoards,
  findDuplicates,
  findLostClaims,
  findLostTasks,
  longestPause,
} from './load-audit.ts'

const root = join(import.meta.dir, '../..')
const TASKS = 10_000
const FILLERS = 16
/** How long the clients work in each phase. */
const LOAD_MS = 3000
const OLD = 0
const NEW = 1

interface Round {
  writes: number
  migrations: string[]
  /** From the start of the new server until it serves. */
  startMs: number
  pauseMs: number
  /** Requests that got no answer or a 5xx, and were repeated. */
  retried: number
  problems: string[]
}

/** The executable of the commit before the newest migration. */
async function buildOldRelease(): Promise<string> {
  const newest = await Bun.$`git log -1 --diff-filter=A --format=%H -- drizzle/postgres/*.sql`
    .cwd(root)
    .text()
  const { folder, commit } = await unpackCommit(`${newest.trim()}^`)
  const executable = join(folder, 'dist/cork')
  console.log(`the old release is commit ${commit.slice(0, 8)}`)
  if (!existsSync(executable))
    await Bun.$`node scripts/run.mjs scripts/build.ts`.cwd(folder).quiet()
  return executable
}

async function createOwner(executable: string, env: Record<string, string>): Promise<Owner> {
  const flags = ['--email', 'ada@example.com', '--name', 'Ada', '--team', 'Harbour', '--json']
  const command = [executable, 'init', ...flags, '--data', join(createFolder(), 'data')]
  const { out, err, code } = await runCommand(command, { env })
  if (code !== 0) throw new Error(`cork init failed: ${err}`)
  return JSON.parse(out)
}

async function createTasks(url: string, { api_key }: Owner, boards: readonly number[]) {
  let next = 0
  const fill = async () => {
    while (next < TASKS) {
      const number = next++
      const task = { project_id: boards[number % boards.length], title: `Filler ${number}` }
      const { status, body } = await sendRequest(url, api_key, 'POST', '/api/v1/tasks', task)
      if (status !== 201) throw new Error(`Creating a task failed: ${JSON.stringify(body)}`)
    }
  }
  await Promise.all(Array.from({ length: FILLERS }, fill))
}

/** Upgrades a database from the old release to this one while clients work. */
async function runRound(oldRelease: string): Promise<Round> {
  const cluster = await startPostgres({ durable: true })
  const env = { DATABASE_URL: cluster.url, CORK_SECRET: 'a secret that only this drill knows' }
  const servers: RunningServer[] = []
  const start = async (executable?: string) => {
    const server = await startServer(join(createFolder(), 'data'), {
      env,
      ...(executable && { executable }),
    })
    servers.push(server)
    return server
  }
  const { query, close } = await connect(cluster.url)
  try {
    const owner = await createOwner(oldRelease, env)
    const old = await start(oldRelease)
    const boards = await createBoards(old.url, owner)
    await createTasks(old.url, owner, boards)
    const load = await Load.open([old.url, old.url], owner, boards)
    return await upgrade(old, start, load, query)
  } finally {
    await Promise.all(servers.map((server) => server.end()))
    await close()
    await cluster.stop()
  }
}

async function upgrade(
  old: RunningServer,
  start: () => Promise<RunningServer>,
  load: Load,
  query: Query,
): Promise<Round> {
  const before = await migrationsIn(query)
  load.start()
  await Bun.sleep(LOAD_MS)
  const startedAt = performance.now()
  const current = await start()
  const servingAt = performance.now()
  load.redirect(NEW, current.url)
  await Bun.sleep(LOAD_MS)
  load.redirect(OLD, current.url)
  const redirectedAt = performance.now()
  const exitCode = await old.end()
  await Bun.sleep(LOAD_MS)
  await load.stop()
  const endedAt = performance.now()
  const migrations = (await migrationsIn(query)).filter((name) => !before.includes(name))
  const between = (times: readonly number[]) =>
    times.filter((time) => time > servingAt && time < redirectedAt).length
  const problems = [
    ...(migrations.length ? [] : ['the new server applied no migration']),
    ...(exitCode === 0 ? [] : [`the old server ended with ${exitCode}`]),
    ...(load.acknowledgements.every(between) ? [] : ['one server did not serve beside the other']),
    ...(await audit(query, load)),
  ]
  const pauses = load.acknowledgements.map((times) => longestPause(times, startedAt, endedAt))
  const retried = [...load.failures.values()].reduce((sum, count) => sum + count, 0)
  return {
    ...{ writes: load.writes, migrations, startMs: servingAt - startedAt, retried, problems },
    pauseMs: Math.max(...pauses),
  }
}

const migrationsIn = async (query: Query): Promise<string[]> =>
  (await query<{ name: string }>('select name from migrations')).map(({ name }) => name)

/** A server may refuse for a moment (503) or close a connection. Any other failure is a mistake. */
const unexpectedFailures = ({ failures }: Load): string[] =>
  [...failures].flatMap(([kind, count]) =>
    /^(503|no answer)/.test(kind) ? [] : [`${count} × ${kind}`],
  )

const audit = async (query: Query, load: Load): Promise<string[]> => [
  ...load.problems,
  ...unexpectedFailures(load),
  ...(await findLostTasks(query, load)),
  ...(await findLostClaims(query, load)),
  ...(await findDuplicates(query)),
  ...findDoubleClaims(load.claims.values()),
  ...(await findInconsistencies(query, false)),
]

/** Runs the drill and prints its result. Returns whether every upgrade went well. */
export async function drill(rounds: number): Promise<boolean> {
  if (isStale()) await build()
  const oldRelease = await buildOldRelease()
  let problemCount = 0
  try {
    for (let number = 1; number <= rounds; number++) {
      const { writes, migrations, startMs, pauseMs, retried, problems } = await runRound(oldRelease)
      const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
      console.log(
        `upgrade ${number}: ${migrations.join(', ')}, ${writes} writes, the new server served after ${seconds(startMs)}, ${retried} requests repeated, writes paused for ${seconds(pauseMs)}, ${problems.length} problems`,
      )
      for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`)
      problemCount += problems.length
    }
  } finally {
    cleanUp()
  }
  return problemCount === 0
}
