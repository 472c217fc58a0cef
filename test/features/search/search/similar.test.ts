import { expect, test } from 'bun:test'
import { type World, world } from '../../../support/world.ts'

const EXPORT = { title: 'Export the task list as CSV', description: '<p>For a spreadsheet.</p>' }
const REWORDED = { title: 'CSV download of all tasks', description: '<p>A spreadsheet.</p>' }

/** A board with a task about CSV, and an index that knows it. */
async function createExportTask({ ada, board: { project_id } }: World) {
  const { ticket_number } = await ada['tasks.create']({ project_id, ...EXPORT })
  await ada['tasks.create']({ project_id, title: 'Paint the fence' })
  await ada['search.related']({ text: 'anything' })
  return ticket_number
}

test('a new task shows similar tasks of its board with title, score and whether they are done', async () => {
  const w = await world()
  const { project_id } = w.board
  const ticket_number = await createExportTask(w)
  const { similar } = await w.cleo['tasks.create']({ project_id, ...REWORDED })
  expect(similar).toEqual([
    { ticket_number, title: EXPORT.title, score: expect.any(Number), done: false },
  ])
  expect(similar[0]!.score).toBeGreaterThanOrEqual(0.6)
  expect(similar[0]!.score).toBeLessThan(1)
  const added = await w.cleo['my_tasks.add']({ project_id, title: EXPORT.title })
  expect(added).toMatchObject({ similar: [{ ticket_number }] })
})

test('a new task shows no tasks of other boards, no deleted ones and none that differ', async () => {
  const w = await world()
  const { project_id } = w.board
  const ticket_number = await createExportTask(w)
  const other = await w.ada['projects.create']({
    team_id: w.team_id,
    title: 'Shop',
    sections: [{ title: 'Now' }],
  })
  const elsewhere = await w.ada['tasks.create']({ project_id: other.project_id, ...EXPORT })
  expect(elsewhere.similar).toEqual([])
  const different = await w.cleo['tasks.create']({ project_id, title: 'Order a pump for water' })
  expect(different.similar).toEqual([])
  await w.ada['tasks.update']({ ticket_number, status: 'Deleted' })
  expect((await w.cleo['tasks.create']({ project_id, ...EXPORT })).similar).toEqual([])
})

test('a task is created without similar tasks if the index fails or does not answer in time', async () => {
  const w = await world()
  const { project_id } = w.board
  for (const search of [
    () => Promise.reject(new Error('Busy')),
    () => new Promise<never>(() => {}),
  ]) {
    w.searchIndex.search = search
    const created = await w.cleo['tasks.create']({ project_id, ...EXPORT })
    expect(created).toMatchObject({ title: EXPORT.title, similar: [] })
  }
})

test('only two new tasks wait for the index at a time', async () => {
  const w = await world()
  const { project_id } = w.board
  let questions = 0
  w.searchIndex.search = () => {
    questions++
    return Bun.sleep(5).then(() => [])
  }
  await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      w.cleo['tasks.create']({ project_id, title: `Order pump ${at}` }),
    ),
  )
  expect(questions).toBe(2)
})

test('related tasks score from 0 to 1: an identical text 1, a reworded one at least 0.6', async () => {
  const w = await world()
  const ticket_number = await createExportTask(w)
  const score = async (text: string) =>
    (await w.cleo['search.related']({ text })).find((row) => row.ticket_number === ticket_number)!
      .score
  expect(await score(`${EXPORT.title}\nFor a spreadsheet.`)).toBeCloseTo(1, 3)
  expect(await score(`${REWORDED.title}\nA spreadsheet.`)).toBeGreaterThan(0.6)
  expect(await score('Paint the spreadsheet')).toBeLessThan(0.6)
})

test('a repeated request with the same idempotency key shows the same similar tasks', async () => {
  const w = await world()
  const { project_id } = w.board
  await createExportTask(w)
  const request = () =>
    w.http(
      w.cleo,
      'POST',
      '/api/v1/tasks',
      { project_id, ...REWORDED },
      { 'idempotency-key': 'k-1' },
    )
  const first = await request()
  expect(first.body.data).toMatchObject({ similar: [{ title: EXPORT.title }] })
  expect((await request()).body.data).toEqual(first.body.data)
})
