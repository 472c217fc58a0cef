import { Database } from 'bun:sqlite'
import { createHash } from 'node:crypto'
import { constants, copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { binary as built } from '../build.ts'
import { call } from './api.ts'
import type { Board, Fixture, StoredFixture } from './fixture.ts'
import { addPeople, fillBoard, fillIndex, updateDerivedRows } from './insert-tasks.ts'
import { cachedFolder, cpuSeconds, environment, type Server, serveFolder } from './servers.ts'
import { validate } from './validate.ts'

const SECTIONS = ['Ideas', 'Next up', 'In progress', 'Review', 'Done']
const LABELS = ['web', 'api', 'docs', 'risk', 'design', 'later', 'customer', 'chore']
const PEOPLE = 12
/** The maximum number of stored databases, enough to compare two builds. */
const MAX_DATABASES = 6

/** Returns a data folder with boards of these sizes. It is created once and then reused. */
export async function prepareFixture(
  binary: string,
  sizes: readonly number[],
): Promise<StoredFixture> {
  const digest = await digestOf(binary, sizes)
  return cachedFolder({ kind: 'filled', digest, maxEntries: MAX_DATABASES }, (folder) =>
    fill(binary, folder, sizes),
  )
}

/** Copies the data folder, because measurements write to it. */
export function copyFixture({ folder }: StoredFixture, to: string): string {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const file of ['corkboard.db', 'signing.key'])
    copyFileSync(join(folder, file), join(to, file), constants.COPYFILE_FICLONE)
  return to
}

/** A digest of everything that determines the data: tables, scripts, and a `--binary` of its own. */
async function digestOf(binary: string, sizes: readonly number[]): Promise<string> {
  const root = join(import.meta.dir, '../..')
  const migrations = join(root, 'drizzle/sqlite')
  const sql = readdirSync(migrations).filter((file) => file.endsWith('.sql'))
  const scripts = [
    ...['fill.ts', 'insert-comments.ts', 'insert-tasks.ts', 'inserter.ts', 'random.ts'],
  ].map((file) => join(import.meta.dir, file))
  const digest = createHash('sha256').update(sizes.join())
  for (const file of [...scripts, ...sql.sort().map((name) => join(migrations, name))])
    digest.update(readFileSync(file))
  if (binary !== built) digest.update(await Bun.file(binary).bytes())
  return digest.digest('hex').slice(0, 12)
}

async function fill(binary: string, folder: string, sizes: readonly number[]): Promise<Fixture> {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  console.error(`Filling a database with ${total} tasks on ${sizes.length} boards`)
  const startedAt = performance.now()
  const created = initDataFolder(binary, folder)
  const boards = await withServer(binary, folder, (url) => createBoards(url, created, sizes))
  const path = join(folder, 'corkboard.db')
  const fixture = await addTasks(path, {
    ...created,
    owner_id: created.user_id,
    people: [],
    boards,
  })
  await withServer(binary, folder, async (url, server) => {
    await validate(url, fixture)
    await waitUntilIdle(server)
  })
  checkpoint(path)
  console.error(`Filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  return fixture
}

export interface InitResult extends Pick<Fixture, 'api_key' | 'team_id'> {
  user_id: number
}

/** Creates a data folder with a team and its owner. */
export function initDataFolder(
  binary: string,
  folder: string,
  env: Record<string, string> = {},
): InitResult {
  const who = ['--email', 'bench@example.com', '--name', 'Bench', '--team', 'Bench']
  const init = Bun.spawnSync([binary, 'init', ...who, '--json', '--data', folder], {
    env: environment(env),
  })
  if (init.exitCode !== 0) throw new Error(`cork init failed: ${init.stderr}`)
  return JSON.parse(init.stdout.toString())
}

interface NewPerson {
  email: string
  name: string
  role: 'member' | 'guest'
}

/** Adds a person to the team, with the command line of the product. */
export function addPerson(
  binary: string,
  data: string,
  { email, name, role }: NewPerson,
): { user_id: number; api_key: string } {
  const options = ['--email', email, '--name', name, '--team', 'Bench', '--role', role, '--json']
  const added = Bun.spawnSync([binary, 'user', 'add', ...options, '--data', data], {
    env: environment(),
  })
  if (added.exitCode !== 0) throw new Error(`cork user add failed: ${added.stderr}`)
  return JSON.parse(added.stdout.toString())
}

/** Runs a job against a server that is started for it. */
async function withServer<T>(
  binary: string,
  folder: string,
  job: (url: string, server: Server) => Promise<T>,
): Promise<T> {
  const server = await serveFolder(binary, folder)
  try {
    return await job(server.url, server)
  } finally {
    await server.stop()
  }
}

/** Creates the boards through the API. Only tasks are inserted directly, because they are many. */
export async function createBoards(
  url: string,
  { api_key, team_id }: Pick<Fixture, 'api_key' | 'team_id'>,
  sizes: readonly number[],
) {
  const boards: Board[] = []
  for (const [at, tasks] of sizes.entries()) {
    const { project_id } = await call(url, api_key, 'POST', '/api/v1/projects', {
      ...{ team_id, title: `Board ${at}` },
      sections: SECTIONS.map((title) => ({ title })),
      labels: LABELS.map((name) => ({ name })),
    })
    boards.push({ project_id: Number(project_id), key: '', tasks, sections: [], labels: [] })
  }
  return boards
}

async function addTasks(path: string, fixture: Fixture): Promise<Fixture> {
  const database = new Database(path)
  database.run('PRAGMA synchronous=OFF')
  database.run('PRAGMA cache_size=-500000')
  const ids = (sql: string, project_id: number) =>
    database
      .query(sql)
      .all(project_id)
      .map((row) => Object.values(row as object)[0] as number)
  const complete: Fixture = {
    ...fixture,
    people: addPeople(database, fixture, PEOPLE),
    boards: fixture.boards.map((board) => ({
      ...board,
      key: String(ids('select key from projects where project_id = ?', board.project_id)[0]),
      sections: ids(
        'select section_id from sections where project_id = ? order by rank',
        board.project_id,
      ),
      labels: ids(
        'select label_id from labels where project_id = ? order by label_id',
        board.project_id,
      ),
    })),
  }
  let written = 0
  for (const board of complete.boards) {
    fillBoard(database, complete, board)
    const before = written
    written += board.tasks
    if (Math.floor(before / 100_000) < Math.floor(written / 100_000))
      console.error(`  ${written} tasks`)
  }
  updateDerivedRows(database)
  await fillIndex(database)
  database.close()
  return complete
}

/** Waits until the server's CPU is idle, so that followers of the change log have caught up. */
export async function waitUntilIdle({ pid }: Server) {
  for (let before = cpuSeconds(pid); ; ) {
    await Bun.sleep(500)
    const now = cpuSeconds(pid)
    if (!(now - before > 0.05)) return
    before = now
  }
}

function checkpoint(path: string) {
  const database = new Database(path)
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}
