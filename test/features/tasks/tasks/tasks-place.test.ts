import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { onPostgres } from '../../../support/postgres.ts'
import { type World, world } from '../../../support/world.ts'

/** The world with five tasks in the column Next: copy, a, b, c and d. */
async function createColumnOfFive() {
  const w = await world()
  const { project_id } = w.board
  const { Next: section_id, Review } = w.sections
  const ids: Record<string, number> = { copy: w.tasks.copy.task_id }
  for (const title of ['a', 'b', 'c', 'd'])
    ids[title] = (await w.ada['tasks.create']({ project_id, section_id, title })).task_id
  const place = (title: string, above: string | null, section?: number) =>
    w.ada['tasks.place']({
      task_id: ids[title]!,
      above_task_id: above === null ? null : ids[above]!,
      ...(section && { section_id: section }),
    })
  return { ...w, ids, place, order: (section = section_id) => titlesIn(w, section), Review }
}

async function titlesIn({ ada, board }: Pick<World, 'ada' | 'board'>, section_id: number) {
  const { tasks } = await ada['sections.get']({ project_id: board.project_id, section_id })
  return tasks!.map(({ title }) => (title === 'Write the copy' ? 'copy' : title))
}

test('a task is placed above another one or at the end of its column', async () => {
  const { place, order, changes, ids } = await createColumnOfFive()
  expect(await order()).toEqual(['copy', 'a', 'b', 'c', 'd'])
  const receipt = await place('d', 'a')
  expect(receipt).toMatchObject({ task_id: ids.d, section: 'Next', changed: ['rank'] })
  expect(await order()).toEqual(['copy', 'd', 'a', 'b', 'c'])
  await place('copy', null)
  expect(await order()).toEqual(['d', 'a', 'b', 'c', 'copy'])
  await place('c', 'd')
  expect(await order()).toEqual(['c', 'd', 'a', 'b', 'copy'])
  const [, lastChange] = (await changes()).slice(-2)
  expect(lastChange).toMatchObject({ type: 'task.updated', data: { changed: ['rank'] } })
})

test('placing a task where it already is writes nothing and emits no change', async () => {
  const { place, order, changes, store } = await createColumnOfFive()
  const before = await changes()
  for (const [title, above] of [
    ['a', 'b'],
    ['d', null],
    ['copy', 'a'],
  ] as const)
    expect((await place(title, above)).changed).toEqual([])
  expect(await changes()).toEqual(before)
  expect(await order()).toEqual(['copy', 'a', 'b', 'c', 'd'])
  expect(store.queueLength()).toBe(0)
})

test('placing a task in another column is one change, and a done column completes it', async () => {
  const { ada, place, order, sections, ids, changes, tasks } = await createColumnOfFive()
  const before = await changes()
  const receipt = await place('b', null, sections.Review)
  expect(receipt).toMatchObject({ section: 'Review' })
  const { task_id, ticket_number } = tasks.domain
  const done = await ada['tasks.place']({
    ...{ task_id: ids.c!, section_id: sections.Done, above_task_id: task_id },
  })
  expect(done.changed).toEqual(['section_id'])
  expect(await order(sections.Done)).toEqual(['c', 'Buy the domain'])
  expect(await order()).toEqual(['copy', 'a', 'd'])
  expect(await ada['tasks.get']({ task_id: ids.c! })).toMatchObject({ done: true })
  expect((await changes()).slice(before.length)).toHaveLength(2)
  expect(ticket_number).toBe('HP-4')
})

test('placing a task above one that is not in the column is refused with a conflict', async () => {
  const { ada, otto, place, ids, sections, tasks, otherTeamId, order } = await createColumnOfFive()
  const foreignBoard = await otto['projects.create']({
    ...{ team_id: otherTeamId, title: 'Hidden', sections: [{ title: 'To do' }] },
    tasks: [{ title: 'Secret', section_index: 0 }],
  })
  const { items } = await otto['tasks.list']({ project_id: foreignBoard.project_id })
  await ada['tasks.update']({ task_id: ids.b!, status: 'Archive' })
  for (const above_task_id of [tasks.logo.task_id, items[0]!.task_id, ids.b!, 4711]) {
    const refusal = await faultOf(ada['tasks.place']({ task_id: ids.a!, above_task_id }))
    expect(refusal).toMatchObject({
      ...{ code: 'conflict', message: `Task ${above_task_id} is not in the column "Next"` },
      details: { field: 'above_task_id', value: above_task_id },
    })
    expect(refusal.hint).toContain('read the board again')
  }
  expect(await faultOf(place('a', 'a'))).toMatchObject({ code: 'invalid' })
  expect(await faultOf(place('a', 'c', sections.Review))).toMatchObject({ code: 'conflict' })
  expect(await order()).toEqual(['copy', 'a', 'c', 'd'])
})

test('an agent places a task only under its lease, which ends in a done column', async () => {
  const { bot, tasks, sections, changeTypes } = await world()
  const { task_id } = tasks.logo
  const at = { task_id, section_id: sections.Done }
  expect(await faultOf(bot['tasks.place'](at))).toMatchObject({ code: 'lease_missing' })
  await claimTask(bot, tasks.logo)
  await bot['tasks.place'](at)
  expect((await changeTypes()).slice(-2)).toEqual(['task.updated', 'lease.released'])
})

test('a task is placed over REST by its key, and its activity describes the placement', async () => {
  const { ada, http, tasks, sections } = await createColumnOfFive()
  const { ticket_number } = tasks.copy
  const path = `/api/v1/tasks/${ticket_number}/place`
  const { status, body } = await http(ada, 'POST', path, { above_task_id: null })
  expect([status, body.data.changed]).toEqual([200, ['rank']])
  await http(ada, 'POST', path, { section_id: sections.Review })
  const { items } = await ada['comments.list']({ ticket_number, include_activity: true })
  expect(items.slice(-2)).toMatchObject([
    { summary: 'changed its position in the column' },
    { summary: 'moved this task from Next to Review' },
  ])
})

test('any sequence of placements gives the order of a plain list', async () => {
  const names = ['copy', 'a', 'b', 'c', 'd']
  const move = fc.record({
    title: fc.constantFrom(...names),
    above: fc.option(fc.constantFrom(...names), { nil: null }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 12 }), async (moves) => {
      const { place, order } = await createColumnOfFive()
      let model = [...names]
      for (const { title, above } of moves) {
        if (title === above) continue
        await place(title, above)
        model = model.filter((one) => one !== title)
        model.splice(above === null ? model.length : model.indexOf(above), 0, title)
      }
      expect(await order()).toEqual(model)
    }),
    { numRuns: onPostgres ? 4 : 8 },
  )
})

test('concurrent placements above one task keep every task, and that one last', async () => {
  const { place, order, ids, ada } = await createColumnOfFive()
  await Promise.all(['a', 'b', 'c', 'd'].map((title) => place(title, 'copy')))
  const titles = await order()
  expect(titles.toSorted()).toEqual(['a', 'b', 'c', 'copy', 'd'])
  expect(titles.at(-1)).toBe('copy')
  const rows = await Promise.all(Object.values(ids).map((task_id) => ada['tasks.get']({ task_id })))
  expect(rows).toHaveLength(5)
})

test('a restored task is where it was, or at the end if its place was taken', async () => {
  const { ada, board, sections, order, ids } = await createColumnOfFive()
  const place = { project_id: board.project_id, section_id: sections.Next }
  const setStatus = (titles: string[], status: 'Archive' | 'Normal') =>
    ada['tasks.update_many']({ task_ids: titles.map((title) => ids[title]!), status })
  await setStatus(['copy', 'b', 'd'], 'Archive')
  expect(await order()).toEqual(['a', 'c'])
  await setStatus(['copy', 'b', 'd'], 'Normal')
  expect(await order()).toEqual(['copy', 'a', 'b', 'c', 'd'])
  await setStatus(['d'], 'Archive')
  await ada['tasks.create']({ ...place, title: 'e' })
  await setStatus(['d'], 'Normal')
  expect(await order()).toEqual(['copy', 'a', 'b', 'c', 'e', 'd'])
})
