import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../src/kernel/caller.ts'
import { type DatabaseLocation, openStore } from '../../src/store/open.ts'
import type { OpenStore } from '../../src/store/store.ts'
import { createDatabase, DatabaseCopyPool, isRunning, onPostgres } from './postgres.ts'

type Cleanup = () => void | Promise<void>
/** Run at the end of the test, or of the file if no test is running. */
const testCleanups: Cleanup[] = []
const fileCleanups: Cleanup[] = []
let isTestRunning = false

/** Called by test/preload.ts. */
export const cleanupHooks = {
  startTest() {
    isTestRunning = true
  },
  async endTest() {
    isTestRunning = false
    await runCleanups(testCleanups)
  },
  endFile: () => runCleanups(fileCleanups),
}

/** Newest first, because a resource may use older ones. */
async function runCleanups(list: Cleanup[]) {
  for (const one of list.splice(0).reverse()) await one()
}

const currentCleanups = () => (isTestRunning ? testCleanups : fileCleanups)
export const addCleanup = (one: Cleanup) => void currentCleanups().push(one)

// A file system in memory is faster than a disk.
const parentFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Template databases stay until a later process finds that their process has ended. */
const TEMPLATE_FOLDER = /^cork-original-(\d+)-/
for (const name of readdirSync(parentFolder)) {
  const pid = Number(TEMPLATE_FOLDER.exec(name)?.[1])
  if (pid && !isRunning(pid)) rmSync(join(parentFolder, name), { recursive: true, force: true })
}

/** The path of a folder that does not exist yet. It is removed at the end of the test. */
export function emptyFolder(): string {
  const folder = join(parentFolder, `cork-data-${crypto.randomUUID()}`)
  addCleanup(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The location of a new, empty database of the engine that the tests run on. */
export async function createDatabaseLocation(): Promise<DatabaseLocation> {
  if (onPostgres) {
    const { url, drop } = await createDatabase('template0')
    addCleanup(drop)
    return { path: '', url }
  }
  const folder = mkdtempSync(join(parentFolder, 'cork-'))
  addCleanup(() => rmSync(folder, { recursive: true }))
  return { path: join(folder, 'corkboard.db') }
}

/** The location of a database that lives as long as this process. */
async function templateLocation(): Promise<DatabaseLocation> {
  if (onPostgres) return { path: '', url: (await createDatabase('template0')).url }
  const folder = mkdtempSync(join(parentFolder, `cork-original-${process.pid}-`))
  return { path: join(folder, 'corkboard.db') }
}

/** Opens a store that is closed at the end of the test. Closing it twice is harmless. */
export async function openTestStore(location: DatabaseLocation, clock: Clock): Promise<OpenStore> {
  const store = await openStore(location, clock)
  addCleanup(() => store.close())
  return store
}

/** Fills a database once and returns copies of it, which takes a tenth of the time. */
export function databaseTemplate<T>(clock: Clock, fill: (store: OpenStore) => Promise<T>) {
  const prepare = async () => {
    const location = await templateLocation()
    const store = await openStore(location, clock)
    const contents = await fill(store)
    await store.close()
    return {
      contents,
      copy: location.url ? postgresCopies(location.url) : sqliteCopies(location.path),
    }
  }
  let first: ReturnType<typeof prepare> | undefined
  return async () => {
    first ??= prepare()
    const { contents, copy } = await first
    return { contents, location: await copy() }
  }
}

/** VACUUM INTO writes one file. A closed database may still have a write-ahead log beside it. */
function sqliteCopies(path: string): () => Promise<DatabaseLocation> {
  const vacuumedPath = `${path}.whole`
  const database = new Database(path, { readonly: true })
  database.run('VACUUM INTO ?', [vacuumedPath])
  database.close()
  return async () => {
    const location = await createDatabaseLocation()
    copyFileSync(vacuumedPath, location.path)
    return location
  }
}

function postgresCopies(url: string): () => Promise<DatabaseLocation> {
  const pool = new DatabaseCopyPool(url)
  return async () => {
    const { url, release } = await pool.acquire()
    addCleanup(release)
    return { path: '', url }
  }
}
