import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../src/kernel/caller.ts'
import { type DatabaseLocation, openStore } from '../src/store/open.ts'
import type { OpenStore } from '../src/store/store.ts'
import { created, isRunning, onPostgres, Reused } from './server.ts'

type Undo = () => void | Promise<void>
/** Undone at the end of the test, or of the file if no test was running. */
const ofTest: Undo[] = []
const ofFile: Undo[] = []
let testing = false

/** Called by what is loaded before every test. */
export const watch = {
  begin() {
    testing = true
  },
  async end() {
    testing = false
    await undo(ofTest)
  },
  close: () => undo(ofFile),
}

/** Newest first: what is used is closed before what it uses. */
async function undo(list: Undo[]) {
  for (const one of list.splice(0).reverse()) await one()
}

const undoing = () => (testing ? ofTest : ofFile)
export const afterwards = (one: Undo) => void undoing().push(one)

// Where there is a disk in memory, nobody waits for a real one.
const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** The originals of fixtures stay until a later process finds that theirs has ended. */
const FOLDER = /^cork-original-(\d+)-/
for (const name of readdirSync(parent)) {
  const pid = Number(FOLDER.exec(name)?.[1])
  if (pid && !isRunning(pid)) rmSync(join(parent, name), { recursive: true, force: true })
}

/** A folder of the test's own, if it writes into it. */
export function emptyFolder(): string {
  const folder = join(parent, `cork-data-${crypto.randomUUID()}`)
  afterwards(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Where a new, empty database will be, of whichever engine the tests run on. */
export async function place(): Promise<DatabaseLocation> {
  if (onPostgres) {
    const { url, drop } = await created('template0')
    afterwards(drop)
    return { path: '', url }
  }
  const folder = mkdtempSync(join(parent, 'cork-'))
  afterwards(() => rmSync(folder, { recursive: true }))
  return { path: join(folder, 'corkboard.db') }
}

/** As `place`, for as long as this process runs. */
async function placeOfOriginal(): Promise<DatabaseLocation> {
  if (onPostgres) return { path: '', url: (await created('template0')).url }
  const folder = mkdtempSync(join(parent, `cork-original-${process.pid}-`))
  return { path: join(folder, 'corkboard.db') }
}

/** It is closed at the end; closing it before is fine. */
export async function opened(where: DatabaseLocation, clock: Clock): Promise<OpenStore> {
  const store = await openStore(where, clock)
  afterwards(() => store.close())
  return store
}

/** Fills a database once, and hands out copies: that takes a tenth of the time. */
export function original<T>(clock: Clock, fill: (store: OpenStore) => Promise<T>) {
  const prepare = async () => {
    const from = await placeOfOriginal()
    const store = await openStore(from, clock)
    const made = await fill(store)
    await store.close()
    return { made, copy: from.url ? copiesOnServer(from.url) : copiesOf(from.path) }
  }
  let first: ReturnType<typeof prepare> | undefined
  return async () => {
    first ??= prepare()
    const { made, copy } = await first
    return { made, where: await copy() }
  }
}

/** SQLite may keep the newest part of a database in a file beside it, also when it is closed. */
function copiesOf(path: string): () => Promise<DatabaseLocation> {
  const whole = `${path}.whole`
  const database = new Database(path, { readonly: true })
  database.run('VACUUM INTO ?', [whole])
  database.close()
  return async () => {
    const where = await place()
    copyFileSync(whole, where.path)
    return where
  }
}

function copiesOnServer(url: string): () => Promise<DatabaseLocation> {
  const reused = new Reused(url)
  return async () => {
    const { url, giveBack } = await reused.lend()
    afterwards(giveBack)
    return { path: '', url }
  }
}
