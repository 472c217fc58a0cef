import { Database } from 'bun:sqlite'
import { createHash } from 'node:crypto'
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { binary as built } from '../build.ts'
import { call } from './call.ts'
import type { Board, Facts, Filled } from './facts.ts'
import { addPeople, fillBoard, fillIndex, settle } from './rows.ts'
import { busyTime, cache, environment, keepRecent, type Server, started } from './servers.ts'
import { validate } from './validate.ts'

const SECTIONS = ['Ideas', 'Next up', 'In progress', 'Review', 'Done']
const LABELS = ['web', 'api', 'docs', 'risk', 'design', 'later', 'customer', 'chore']
const PEOPLE = 12
/** Enough for two builds to be compared. */
const DATABASES = 6

/** A data folder with boards of these sizes: made once, and found again until anything about it changes. */
export async function filled(binary: string, sizes: readonly number[]): Promise<Filled> {
  const folder = join(cache, `filled-${await digestOf(binary, sizes)}`)
  const about = join(folder, 'bench.json')
  if (!existsSync(about)) {
    const fresh = join(cache, `fresh-${process.pid}`)
    rmSync(fresh, { recursive: true, force: true })
    try {
      const facts = await fill(binary, fresh, sizes)
      writeFileSync(join(fresh, 'bench.json'), JSON.stringify(facts))
      // Another run may have been quicker.
      if (!existsSync(about)) renameSync(fresh, folder)
    } finally {
      rmSync(fresh, { recursive: true, force: true })
    }
  }
  keepRecent('filled-', folder, DATABASES)
  return { folder, ...(JSON.parse(readFileSync(about, 'utf8')) as Facts) }
}

/** Measuring writes too, so it is done on a copy. */
export function copied({ folder }: Filled, to: string): string {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const file of ['corkboard.db', 'signing.key'])
    copyFileSync(join(folder, file), join(to, file), constants.COPYFILE_FICLONE)
  return to
}

/** Of all that decides what is written: the tables, these scripts, and an executable of one's own. */
async function digestOf(binary: string, sizes: readonly number[]): Promise<string> {
  const root = join(import.meta.dir, '../..')
  const migrations = join(root, 'drizzle/sqlite')
  const sql = readdirSync(migrations).filter((file) => file.endsWith('.sql'))
  const scripts = ['fill.ts', 'inserts.ts', 'rows.ts', 'talk.ts', 'words.ts'].map((file) =>
    join(import.meta.dir, file),
  )
  const digest = createHash('sha256').update(sizes.join())
  for (const file of [...scripts, ...sql.sort().map((name) => join(migrations, name))])
    digest.update(readFileSync(file))
  if (binary !== built) digest.update(await Bun.file(binary).bytes())
  return digest.digest('hex').slice(0, 12)
}

async function fill(binary: string, folder: string, sizes: readonly number[]): Promise<Facts> {
  const total = sizes.reduce((sum, size) => sum + size, 0)
  console.error(`Filling a database with ${total} tasks on ${sizes.length} boards`)
  const began = performance.now()
  const made = initiated(binary, folder)
  const boards = await served(binary, folder, (url) => openBoards(url, made, sizes))
  const path = join(folder, 'corkboard.db')
  const facts = await addTasks(path, { ...made, owner_id: made.user_id, people: [], boards })
  await served(binary, folder, async (url, server) => {
    await validate(url, facts)
    await idle(server)
  })
  checkpoint(path)
  console.error(`Filled in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return facts
}

interface Made extends Pick<Facts, 'api_key' | 'team_id'> {
  user_id: number
}

export function initiated(binary: string, folder: string, env: Record<string, string> = {}): Made {
  const who = ['--email', 'bench@example.com', '--name', 'Bench', '--team', 'Bench']
  const init = Bun.spawnSync([binary, 'init', ...who, '--json', '--data', folder], {
    env: environment(env),
  })
  if (init.exitCode !== 0) throw new Error(`cork init failed: ${init.stderr}`)
  return JSON.parse(init.stdout.toString())
}

async function served<T>(
  binary: string,
  folder: string,
  job: (url: string, server: Server) => Promise<T>,
): Promise<T> {
  const server = await started([binary, 'serve', '--data', folder, '--port', '0'])
  try {
    return await job(server.url, server)
  } finally {
    await server.stop()
  }
}

/** Boards are few, so the product itself makes them. */
export async function openBoards(
  url: string,
  { api_key, team_id }: Made,
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

async function addTasks(path: string, facts: Facts): Promise<Facts> {
  const database = new Database(path)
  database.run('PRAGMA synchronous=OFF')
  database.run('PRAGMA cache_size=-500000')
  const ids = (sql: string, project_id: number) =>
    database
      .query(sql)
      .all(project_id)
      .map((row) => Object.values(row as object)[0] as number)
  const whole: Facts = {
    ...facts,
    people: addPeople(database, facts, PEOPLE),
    boards: facts.boards.map((board) => ({
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
  for (const board of whole.boards) {
    fillBoard(database, whole, board)
    const before = written
    written += board.tasks
    if (Math.floor(before / 100_000) < Math.floor(written / 100_000))
      console.error(`  ${written} tasks`)
  }
  settle(database)
  await fillIndex(database)
  database.close()
  return whole
}

/** Whatever follows the change log has its say before anything is measured. */
export async function idle({ pid }: Server) {
  for (let before = busyTime(pid); ; ) {
    await Bun.sleep(500)
    const now = busyTime(pid)
    if (!(now - before > 0.05)) return
    before = now
  }
}

function checkpoint(path: string) {
  const database = new Database(path)
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}
