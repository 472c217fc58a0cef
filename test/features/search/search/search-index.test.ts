import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MAX_HITS } from '../../../../src/features/search/filters/model/index.ts'
import {
  backfillIndex,
  indexTask,
  inspectIndex,
} from '../../../../src/features/search/text_index/model/index.ts'
import { tasks as table } from '../../../../src/features/tasks/tasks/model/index.ts'
import { sweeps } from '../../../../src/store/tables.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const search = async ({ http }: World, actor: Actor, query: string, overrides = '') => {
  const path = `/api/v1/search/tasks?query=${encodeURIComponent(query)}${overrides}`
  const { body } = await http(actor, 'GET', path)
  const rows = body.data as { ticket_number: string; partial: boolean }[]
  const keys = rows.filter(({ partial }) => !partial).map((one) => one.ticket_number)
  return {
    keys,
    page: body.page,
    warnings: (body.warnings ?? []) as { field: string; code: string; message: string }[],
  }
}

/** Inserts tasks straight into the database, as a restored backup does; `index` indexes them. */
async function insertTasks({ store, tasks }: World, many: number, index: boolean) {
  await store.write(async (tx) => {
    const [row] = await tx.select().from(table).where(eq(table.task_id, tasks.copy.task_id))
    for (let from = 0; from < many; from += 100) {
      const { task_id: _, ...fields } = row!
      const rows = Array.from({ length: Math.min(100, many - from) }, (_, at) => {
        const unique_index = 1000 + from + at
        return {
          ...fields,
          unique_index,
          ticket_number: `HP-${unique_index}`,
          title: 'Brought here',
        }
      })
      const inserted = await tx.insert(table).values(rows).returning()
      if (index) await indexTask(tx, ...inserted)
    }
  })
}

test('a backfill indexes missing tasks once; until then a search warns that it is incomplete', async () => {
  const w = await world()
  const { store, cleo } = w
  await insertTasks(w, 250, false)
  await store.write((tx) => tx.delete(sweeps))
  const before = await search(w, cleo, 'brought')
  expect([before.keys, before.warnings.map(({ code }) => code)]).toEqual([[], ['incomplete']])
  expect(await store.read(inspectIndex)).toMatchObject({ whole: false, tasks: 254, texts: 4 })
  await Promise.all([backfillIndex(store, () => false), backfillIndex(store, () => false)])
  const after = await search(w, cleo, 'brought')
  expect([after.page.total, after.warnings]).toEqual([250, []])
  expect(await store.read(inspectIndex)).toEqual({ whole: true, tasks: 254, texts: 254, stale: [] })
})

test('a backfill that is stopped partway is completed by the next one', async () => {
  const w = await world()
  const { store } = w
  await insertTasks(w, 250, false)
  await store.write((tx) => tx.delete(sweeps))
  let checks = 0
  await backfillIndex(store, () => checks++ === 1)
  const { texts, whole: isComplete } = await store.read(inspectIndex)
  expect([texts > 4 && texts < 254, isComplete]).toEqual([true, false])
  await backfillIndex(store, () => false)
  expect(await store.read(inspectIndex)).toMatchObject({ whole: true, texts: 254, stale: [] })
})

test('inspecting the index reports a task whose indexed text is stale', async () => {
  const { store, tasks } = await world()
  await store.write((tx) =>
    tx.update(table).set({ title: 'Changed' }).where(eq(table.task_id, tasks.link.task_id)),
  )
  expect(await store.read(inspectIndex)).toMatchObject({
    tasks: 4,
    texts: 4,
    stale: expect.arrayContaining(['HP-3']),
  })
})

test(`of more than ${MAX_HITS} matches only the newest are ranked, and a warning says so`, async () => {
  const w = await world()
  const { cleo } = w
  await insertTasks(w, MAX_HITS + 5, true)
  const { keys, page, warnings } = await search(w, cleo, 'brought')
  expect(page).toMatchObject({ total: null, total_at_least: MAX_HITS, has_more: true, limit: 10 })
  expect(keys[0]).toBe(`HP-${1000 + MAX_HITS + 4}`)
  expect(warnings).toEqual([
    expect.objectContaining({ code: 'too_many', message: expect.stringContaining('newest 5000') }),
  ])
  const oldest = await search(w, cleo, 'brought', '&sort=createdAt:asc&limit=1')
  expect(oldest.keys).not.toEqual(['HP-1000'])
  const filtered = await search(w, cleo, 'brought -here HP-1000')
  expect([filtered.keys, filtered.warnings.length]).toEqual([[], 0])
})
