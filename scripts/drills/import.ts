/**
 * Rehearses crashes during imports from other products, on SQLite and PostgreSQL. The command line
 * imports a board of Trello or issues of beads while the server, the client or either of them is
 * killed, until the import is complete. Nothing may be there in part or twice, and the board must
 * equal that of an import without crashes. Importing again changes nothing, undoing the import
 * empties the board, and another import restores it.
 *
 *   npm run drill -- import [--rounds 30]
 */
import { join } from 'node:path'
import { Client } from 'pg'
import { beads } from '../../src/import/sources/beads/index.ts'
import { trello } from '../../src/import/sources/trello/index.ts'
import { cleanUp, createFolder } from '../../test/binary/cork.ts'
import {
  createSqliteInstallation,
  type Installation,
  installationAt,
} from '../../test/binary/installation.ts'
import { importDisturbed, importUndisturbed, VICTIMS } from '../../test/crash/import-scenario.ts'
import { Random } from '../../test/crash/random.ts'
import { writeTrelloBoard } from '../../test/import/generated-board.ts'
import { writeIssues } from '../../test/import/generated-issues.ts'
import { build, isStale } from '../build.ts'
import { startPostgres } from '../postgres.ts'

const CARDS = 3000
const ISSUES = 1500
const KILLS = 4

interface Place {
  name: string
  /** Creates an empty data folder or database. */
  create(): Promise<Installation>
  close(): Promise<void>
}

const openSqlite = async (): Promise<Place> => ({
  name: 'SQLite',
  create: async () => createSqliteInstallation(),
  close: async () => {},
})

async function openPostgres(): Promise<Place> {
  const cluster = await startPostgres({ durable: true })
  const client = new Client(cluster.url)
  await client.connect()
  let databases = 0
  return {
    name: 'PostgreSQL',
    async create() {
      const url = new URL(cluster.url)
      url.pathname = `/import_${databases++}`
      await client.query(`create database ${url.pathname.slice(1)}`)
      const env = { DATABASE_URL: url.href, CORK_SECRET: 'a secret that only this drill knows' }
      return installationAt(join(createFolder(), 'data'), env)
    },
    async close() {
      await client.end()
      await cluster.stop()
    },
  }
}

async function writeFiles() {
  const folder = createFolder()
  const [board, issues] = [join(folder, 'board.json'), join(folder, 'issues.jsonl')]
  await writeTrelloBoard(board, { cards: CARDS, rich: true })
  writeIssues(issues, ISSUES)
  return [
    { source: trello, path: board },
    { source: beads, path: issues },
  ]
}

/** Returns the number of problems. */
async function runPlace(place: Place, rounds: number): Promise<number> {
  const files = []
  for (const { source, path } of await writeFiles())
    files.push({ source, expected: await importUndisturbed(await place.create(), source, path) })
  let problemCount = 0
  for (let number = 1; number <= rounds; number++) {
    const { source, expected } = files[number % files.length]!
    const victim = VICTIMS[number % VICTIMS.length]!
    const startedAt = performance.now()
    const { partial, problems } = await importDisturbed(await place.create(), expected, {
      ...{ victim, kills: KILLS, random: new Random(number) },
    })
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(
      `${place.name}, round ${number}: ${source.title} with ${expected.imported.tasks.size} tasks, ${KILLS} kills of ${victim}, ${partial} of them in the middle, ${seconds} s, ${problems.length} problems`,
    )
    for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`)
    problemCount += problems.length
  }
  return problemCount
}

/** Runs the drill and prints its result. Returns whether every import became complete. */
export async function drill(rounds: number): Promise<boolean> {
  if (isStale()) await build()
  let problemCount = 0
  try {
    for (const open of [openSqlite, openPostgres]) {
      const place = await open()
      problemCount += await runPlace(place, rounds).finally(() => place.close())
    }
  } finally {
    cleanUp()
  }
  console.log(`${rounds} imports on each database: ${problemCount} problems`)
  return problemCount === 0
}
