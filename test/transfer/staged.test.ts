import { expect, test } from 'bun:test'
import { count, eq, getTableColumns, getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { catalog } from '../../src/catalog.ts'
import { comments } from '../../src/features/conversation/comments/model/index.ts'
import { resolveTeam } from '../../src/features/identity/accounts/model/index.ts'
import { archiveSweeps, reminderSweeps } from '../../src/features/inbox/reminders/model/index.ts'
import { pages } from '../../src/features/pages/pages/model/index.ts'
import { tasks } from '../../src/features/tasks/tasks/model/index.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { isWrite } from '../../src/kernel/operation.ts'
import { countIndexedTexts } from '../../src/store/fulltext.ts'
import { changesSince, lastSeq } from '../../src/store/log.ts'
import type { DatabaseLocation } from '../../src/store/open.ts'
import type { OpenStore } from '../../src/store/store.ts'
import { imports } from '../../src/store/tables.ts'
import { endExpiredImports } from '../../src/transfer/import/discard.ts'
import { importTeam } from '../../src/transfer/import/import-team.ts'
import { stagedTables, tables } from '../../src/transfer/tables.ts'
import { exportLines } from '../binary/export-lines.ts'
import { createDatabaseLocation, openTestStore } from '../support/database.ts'
import { resultOrFault } from '../support/faults.ts'
import { sampleInput } from '../support/samples.ts'
import { NOON, type World, world } from '../support/world.ts'
import { importFile, writeExport } from './round-trip.ts'

const TASKS = 150
const LATER = new Date(NOON.getTime() + 5 * 60_000)
/** Matches titles and texts of the file, and nothing else. */
const MARK = /Task \d+ ä|Text \d of \d|Salt rusts|Häfen/

/**
 * Imports like a process that is killed, after that many tasks or after its last transaction. It
 * does not clean up.
 */
async function importAndCrash(
  where: DatabaseLocation,
  store: OpenStore,
  path: string,
  after = TASKS,
) {
  const stop = new AbortController()
  const dead = { read: store.read, write: () => Promise.reject(new Error('dead')) }
  const onProgress = (many: number) => {
    if (many >= after) stop.abort()
  }
  await importTeam({
    ...{ where, store: dead, path, clock: () => NOON, onProgress, signal: stop.signal },
  }).catch(() => {})
}

const staged = async (store: OpenStore) => (await store.read((tx) => tx.select().from(imports)))[0]

async function rowsOf(store: OpenStore) {
  const rows: Record<string, number> = {}
  await store.read(async (tx) => {
    for (const table of tables) {
      const [row] = await tx.select({ many: count() }).from(table)
      rows[getTableName(table)] = Number(row!.many)
    }
    rows.texts = await countIndexedTexts(tx)
  })
  return rows
}

test('an expired import is discarded completely and leaves no row in any table', async () => {
  const where = await createDatabaseLocation()
  const store = await openTestStore(where, () => NOON)
  const path = await writeExport(exportLines(TASKS))
  const before = await rowsOf(store)
  for (const after of [1, 100, TASKS]) {
    await importAndCrash(where, store, path, after)
    expect(await staged(store)).toMatchObject({ state: 'staged' })
    expect((await rowsOf(store)).tasks).toBeGreaterThan(0)
    // The importing process may still be alive.
    await endExpiredImports(store, () => NOON)
    expect(await staged(store)).toMatchObject({ state: 'staged' })
    await endExpiredImports(store, () => LATER)
    expect(await rowsOf(store)).toEqual({ ...before, locks: expect.any(Number) })
  }
})

test('an import without progress for more than 60 s fails and is discarded', async () => {
  const where = await createDatabaseLocation()
  const store = await openTestStore(where, () => NOON)
  const path = await writeExport(exportLines(TASKS))
  const { signal } = new AbortController()
  let ending: Promise<void> | undefined
  const onProgress = () => {
    ending ??= endExpiredImports(store, () => LATER)
  }
  const lateImport = importTeam({
    ...{ where, store, path, clock: () => NOON, onProgress, signal },
  })
  expect(await lateImport.catch(({ message }) => message)).toContain(
    'made no progress for more than 60 s',
  )
  await ending
  await endExpiredImports(store, () => LATER)
  expect(await rowsOf(store)).toMatchObject({ tasks: 0, teams: 0, imports: 0, changes: 0 })
})

test('an import killed after publishing gets its change log entries exactly once', async () => {
  const where = await createDatabaseLocation()
  const store = await openTestStore(where, () => NOON)
  await importAndCrash(
    where,
    store,
    await writeExport(exportLines(TASKS)),
    Number.POSITIVE_INFINITY,
  )
  expect(await staged(store)).toMatchObject({ state: 'published' })
  const created = async () =>
    (await store.read((tx) => changesSince(tx, 0, 10_000))).filter(
      ({ type }) => type === 'task.created',
    )
  expect(await created()).toEqual([])
  await endExpiredImports(store, () => LATER)
  await endExpiredImports(store, () => LATER)
  const ids = (await created()).map(({ task_id }) => task_id)
  const all = await store.read((tx) => tx.select({ id: tasks.task_id }).from(tasks))
  expect(ids.toSorted()).toEqual(all.map(({ id }) => id).toSorted())
  expect(await staged(store)).toBeUndefined()
})

test('an import after a killed one of the same file keeps the UUID of the team', async () => {
  const where = await createDatabaseLocation()
  const store = await openTestStore(where, () => NOON)
  const path = await writeExport(exportLines(20))
  await importAndCrash(where, store, path, 1)
  const { team_id } = await importFile(where, store, path)
  const team = await store.read((tx) => resolveTeam(tx, 'Häfen ⚓'))
  expect(team).toMatchObject({ team_id, team_uuid: '5f0e7c1e-7a34-4b2c-9d3e-0123456789ab' })
})

type Call = (input: unknown) => Promise<unknown>
const callOf = ({ ada }: World, name: string) => (ada as unknown as Record<string, Call>)[name]!

test('no read shows anything of a staged import, not even to the owner of its team', async () => {
  const w = await world()
  const { store, where } = w
  const reads = catalog.filter((op) => !isWrite(op))
  expect(reads.length).toBeGreaterThan(50)
  const requests: { name: string; input: unknown }[] = []
  for (const { name } of reads) {
    requests.push({ name, input: await sampleInput(name, w) })
    requests.push({ name, input: {} })
  }
  requests.push(
    ...['task', 'text', 'salt', 'WEB-1'].flatMap((query) => [
      { name: 'search.tasks', input: { query } },
      { name: 'tasks.list', input: { query } },
    ]),
  )
  const answers = async () => {
    const all: unknown[] = []
    for (const { name, input } of requests)
      all.push({ name, answer: await callOf(w, name)(input).catch(({ code }) => code) })
    return JSON.parse(JSON.stringify(all))
  }
  const seq = await store.read(lastSeq)
  // The first read of some lists changes what the second one reports about their use.
  await answers()
  const before = await answers()
  expect(JSON.stringify(before)).not.toMatch(MARK)
  await importAndCrash(where, store, await writeExport(exportLines(TASKS)))
  const after = await answers()
  expect(after).toEqual(before)
  expect(await store.read(lastSeq)).toBe(seq)
})

test('no operation accepts the ids of a staged import', async () => {
  const w = await world()
  const { store, where } = w
  await importAndCrash(where, store, await writeExport(exportLines(TASKS)))
  const { team_id } = (await staged(store))!
  const rows = async <T extends PgTable>(table: T): Promise<T['$inferSelect'][]> => {
    const ofTeam = eq(getTableColumns(table).team_id as PgColumn, team_id)
    const found = await store.read((tx) =>
      tx
        .select()
        .from(table as PgTable)
        .where(ofTeam),
    )
    // PostgreSQL returns rows in another order once it has analyzed their table.
    const text = (row: object) => JSON.stringify(row)
    return found.toSorted((a, b) => (text(a) < text(b) ? -1 : 1)) as never
  }
  const all = async () => Promise.all(stagedTables.map(rows))
  const after = await all()
  const [task] = await rows(tasks)
  const { project_id, section_id } = task!
  const ids: Record<string, unknown> = {
    task_id: task!.task_id,
    task_ids: [task!.task_id],
    ticket_number: task!.ticket_number,
    parent_task_id: task!.task_id,
    ...{ project_id, board_id: project_id, section_id, team_id },
    comment_id: (await rows(comments))[0]!.comment_id,
    page_id: (await rows(pages))[0]!.public_id,
  }
  let checkedCount = 0
  for (const { name } of catalog) {
    // A sample may conflict with what another one created.
    const input = await resultOrFault(sampleInput(name, w))
    if (input instanceof Fault) continue
    for (const field of Object.keys(ids).filter((one) => one in input)) {
      checkedCount++
      const answer = await resultOrFault(callOf(w, name)({ ...input, [field]: ids[field] }))
      const shown = answer instanceof Fault ? { ...answer, message: answer.message } : answer
      expect(JSON.stringify(shown) ?? '').not.toMatch(MARK)
    }
  }
  expect(checkedCount).toBeGreaterThan(100)
  expect(await all()).toEqual(after)
})

test('reminders and auto-archive skip a staged import and include it once published', async () => {
  const where = await createDatabaseLocation()
  const store = await openTestStore(where, () => NOON)
  const path = await writeExport(exportLines(TASKS))
  const year = new Date(NOON.getTime() + 365 * 24 * 60 * 60_000)
  const countDue = async () => {
    let many = 0
    for (const sweep of reminderSweeps)
      many += (await store.read((tx) => sweep.find(tx, year, 1000))).ids.length
    return { many, boards: (await store.read(archiveSweeps)).length }
  }
  await importAndCrash(where, store, path)
  expect(await countDue()).toEqual({ many: 0, boards: 0 })
  await endExpiredImports(store, () => LATER)
  await importFile(where, store, path)
  expect(await countDue()).toEqual({ many: expect.any(Number), boards: 1 })
  expect((await countDue()).many).toBeGreaterThan(0)
})
