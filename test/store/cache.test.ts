import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { count, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { catalog } from '../../src/catalog.ts'
import { readConfig } from '../../src/config/index.ts'
import { labels } from '../../src/features/boards/labels/model/index.ts'
import { sectionCounts, tasks } from '../../src/features/tasks/tasks/model/index.ts'
import type { Tx } from '../../src/kernel/caller.ts'
import { type Dispatch, dispatcher } from '../../src/kernel/dispatch.ts'
import { toJson } from '../../src/kernel/json.ts'
import { createServer } from '../../src/server/app.ts'
import { cacheDependencies, cachedLoader } from '../../src/store/cache.ts'
import { dialect } from '../../src/store/columns.ts'
import { createDatabaseLocation, openTestStore } from '../support/database.ts'
import { resultOrFault } from '../support/faults.ts'
import { scaleCount } from '../support/scale.ts'
import { NOON, world } from '../support/world.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let reads = 0
const titleLoader = cachedLoader<number, { title: string }>({
  key: (task_id) => task_id,
  dependsOn: [[tasks.task_id], labels],
  async load(tx: Tx, ids) {
    const found = new Map<number, { title: string }>()
    for (const id of ids) {
      reads++
      const [row] = await tx.select().from(tasks).where(eq(tasks.task_id, id))
      if (row) found.set(id, { title: row.title })
    }
    return found
  },
  shouldCache: ({ title }) => title !== 'too large',
})

// Other servers may write to PostgreSQL, so nothing is cached there.
const sqliteTest = dialect === 'postgres' ? test.skip : test

sqliteTest('a loaded value is cached until one of its rows is written', async () => {
  const { store, cleo, tasks, board } = await world()
  const read = (task_id: number) => store.read(async (tx) => titleLoader.get(tx, task_id))
  const [first, second] = [tasks.logo.task_id, tasks.copy.task_id]
  const readsBefore = reads
  const title = async () => (await read(first))?.title
  const before = await title()
  await title()
  await read(second)
  expect(reads - readsBefore).toBe(2)
  await cleo['tasks.update']({ task_id: first, title: 'Another' })
  expect(await title()).toBe('Another')
  expect(before).not.toBe('Another')
  await read(second)
  expect(reads - readsBefore).toBe(3)
  await cleo['labels.create']({ project_id: board.project_id, name: 'clears all' })
  await title()
  await read(second)
  expect(reads - readsBefore).toBe(5)
})

sqliteTest('rolled-back values and values that shouldCache refuses are not cached', async () => {
  const {
    store,
    cleo,
    tasks: { logo },
  } = await world()
  const read = () => store.read(async (tx) => titleLoader.get(tx, logo.task_id))
  const before = await read()
  const rolledBack = store.write(async (tx) => {
    await tx.update(tasks).set({ title: 'never' }).where(eq(tasks.task_id, logo.task_id))
    throw new Error('undone')
  })
  await expect(rolledBack).rejects.toThrow('undone')
  expect(await read()).toEqual(before)
  await cleo['tasks.update']({ task_id: logo.task_id, title: 'too large' })
  const readsBefore = reads
  await read()
  await read()
  expect(reads - readsBefore).toBe(2)
})

sqliteTest('a row read while it is being written is not cached with its old value', async () => {
  const {
    store,
    tasks: { logo },
  } = await world()
  const gate = { open() {} }
  const slowLoader = cachedLoader<number, string>({
    key: (id) => id,
    dependsOn: [],
    async load(tx, [id]) {
      const [row] = await tx.select().from(tasks).where(eq(tasks.task_id, id!))
      await new Promise<void>((open) => {
        gate.open = open
      })
      return new Map([[id!, row!.title]])
    },
  })
  const pendingRead = store.read(async (tx) => slowLoader.get(tx, logo.task_id))
  await Bun.sleep(1)
  const rename = { title: 'Newer' }
  await store.write((tx) => tx.update(tasks).set(rename).where(eq(tasks.task_id, logo.task_id)))
  gate.open()
  expect(await pendingRead).not.toBe('Newer')
  const again = store.read(async (tx) => slowLoader.get(tx, logo.task_id))
  await Bun.sleep(1)
  gate.open()
  expect(await again).toBe('Newer')
})

sqliteTest('a write of another process raises the version of the store within 25 ms', async () => {
  const where = await createDatabaseLocation()
  const store = await openTestStore(where, () => NOON)
  const readLabels = () => store.read((tx) => tx.select().from(labels))
  await readLabels()
  const version = store.version!()
  const other = new Database(where.path)
  other.run("insert into teams (team_uuid, name, created_at) values ('x', 'Other', 0)")
  other.close()
  await Bun.sleep(25)
  expect(store.version!()).toBeGreaterThan(version)
})

sqliteTest('every cache dependency names a table and columns that exist', async () => {
  const where = await createDatabaseLocation()
  await openTestStore(where, () => NOON)
  const database = new Database(where.path, { readonly: true })
  for (const { table, columns } of cacheDependencies) {
    const tableInfo = database.query<{ name: string }, []>(`pragma table_info(${table})`).all()
    expect(tableInfo.map(({ name }) => name)).toEqual(expect.arrayContaining(columns))
  }
  database.close()
})

test('after any writes cached reads equal uncached reads, and section counts are correct', async () => {
  const w = await world()
  const { ada, ben, cleo, board, sections, team_id } = w
  const { project_id } = board
  const other = (await ada['projects.create']({
    title: 'Elsewhere',
    team_id,
    sections: [{ title: 'Open' }, { title: 'Done' }],
  })) as { project_id: number; sections: { section_id: number }[] }
  const taskIds = [w.tasks.logo, w.tasks.copy, w.tasks.link].map(({ task_id }) => task_id)
  const task = fc.constantFrom(...taskIds)
  const actions = fc.oneof(
    fc.record({ op: fc.constant('rename' as const), task, to: fc.constantFrom('A', 'B', 'C') }),
    fc.record({ op: fc.constant('column' as const), task, to: fc.constantFrom(0, 1, 2) }),
    fc.record({ op: fc.constant('assign' as const), task, to: fc.constantFrom(ben, cleo) }),
    fc.record({
      op: fc.constant('status' as const),
      task,
      to: fc.constantFrom('Normal', 'Archive'),
    }),
    fc.record({ op: fc.constant('board' as const), task, to: fc.boolean() }),
    fc.record({ op: fc.constant('person' as const), task, to: fc.constantFrom('Cleo', 'Klea') }),
    fc.record({ op: fc.constant('due' as const), task, to: fc.constantFrom(null, '2026-12-05') }),
    fc.record({ op: fc.constant('comment' as const), task, to: fc.constant('Seen') }),
    fc.record({ op: fc.constant('blocker' as const), task, to: task }),
    fc.record({ op: fc.constant('snooze' as const), task, to: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ op: fc.constant('wait' as const), task, to: fc.integer({ min: 1, max: 40 }) }),
  )
  type Action = typeof actions extends fc.Arbitrary<infer A> ? A : never
  const { store, clock, key } = w
  const daysFromNow = (days: number) =>
    new Date(clock.read().getTime() + days * DAY_MS).toISOString()
  const perform = async ({ op, task: task_id, to }: Action) => {
    if (op === 'rename') await cleo['tasks.update']({ task_id, title: to })
    if (op === 'column') {
      const currentTask = (await cleo['tasks.get']({ task_id })) as { project_id: number }
      const ids =
        currentTask.project_id === project_id
          ? Object.values(sections)
          : other.sections.map(({ section_id }) => section_id)
      await cleo['tasks.update']({ task_id, section_id: ids[to % ids.length]! })
    }
    if (op === 'assign') await cleo['tasks.assign']({ task_id, user_id: to.caller.actor_id })
    if (op === 'status') await cleo['tasks.update']({ task_id, status: to as 'Normal' })
    if (op === 'board') {
      const target_project_id = to ? project_id : other.project_id
      await cleo['tasks.move']({ task_id, target_project_id })
    }
    if (op === 'person') await cleo['user_context.update_profile']({ display_name: to })
    if (op === 'due') await cleo['tasks.update']({ task_id, due_date: to })
    if (op === 'comment') await cleo['comments.add']({ task_id, text: to })
    if (op === 'blocker') {
      const relation = { source_task_id: task_id, target_task_id: to }
      // A task cannot block itself or the task that blocks it.
      await resultOrFault(cleo['relations.create']({ ...relation, relation_type: 'BlockedBy' }))
    }
    if (op === 'snooze') await cleo['tasks.snooze']({ task_id, until: daysFromNow(to) })
    if (op === 'wait') clock.advance(to * DAY_MS)
  }
  // Reads on the writing connection are not cached.
  const uncached = dispatcher({
    store: {
      read: store.write,
      write: store.write,
      append: store.append,
      idempotent: store.idempotent,
      inSavepoint: store.inSavepoint,
    },
    clock: clock.read,
    server: createServer({ config: { ...readConfig({}), url: 'http://localhost' }, key }),
    guards: {},
  })
  const responsesFrom = async (dispatch: Dispatch) => {
    const call = (name: string, input: object) =>
      dispatch(ada.caller, catalog.find((op) => op.name === name)!, input)
    return [
      ...(await Promise.all(taskIds.map((task_id) => call('tasks.get', { task_id })))),
      await call('tasks.list', { project_id, limit: 1 }),
      await call('tasks.list', { fields: 'description,title' }),
      await call('tasks.list', { sort: 'dueDate' }),
      await call('tasks.list', { project_id: other.project_id, status: 'Archive' }),
      await call('projects.manifest', { project_id }),
    ]
  }
  const byColumn = (rows: { section_id: number; n: number }[]) =>
    Object.fromEntries(rows.filter(({ n }) => n).map(({ section_id, n }) => [section_id, n]))
  const storedCounts = async () =>
    byColumn(
      await store.read((tx) =>
        tx
          .select({ section_id: sectionCounts.section_id, n: sectionCounts.tasks })
          .from(sectionCounts),
      ),
    )
  const countedTasks = async () =>
    byColumn(
      await store.read((tx) =>
        tx
          .select({ section_id: tasks.section_id, n: count() })
          .from(tasks)
          .where(eq(tasks.status, 'Normal'))
          .groupBy(tasks.section_id),
      ),
    )
  await fc.assert(
    fc.asyncProperty(fc.array(actions, { minLength: 1, maxLength: 8 }), async (steps) => {
      for (const step of steps) {
        await perform(step)
        const responses = await responsesFrom(w.dispatch)
        expect(responses).toEqual(await responsesFrom(uncached))
        expect(await responsesFrom(w.dispatch)).toEqual(responses)
        for (const { data } of responses) expect(toJson(data)).toBe(JSON.stringify(data))
        expect(await storedCounts()).toEqual(await countedTasks())
      }
    }),
    { numRuns: scaleCount(15, 200) },
  )
})
