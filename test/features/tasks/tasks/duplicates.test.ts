import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

async function createDuplicates({ ada, board: { project_id } }: World) {
  const create = async (title: string, description: string) =>
    (await ada['tasks.create']({ project_id, title, description })).ticket_number
  return {
    csv: await create('Export the task list as CSV', 'For a spreadsheet.'),
    fence: await create('Paint the fence', 'White, before the summer.'),
    download: await create('CSV download of all tasks', 'A spreadsheet.'),
    leak: await create('Water drips from the pipe', 'In the boiler room.'),
    drip: await create('Water drips from the pipe', 'In the boiler room.'),
  }
}

const keysOf = (pairs: { task: { ticket_number: string }; similar: { ticket_number: string } }[]) =>
  pairs.map(({ task, similar }) => [task.ticket_number, similar.ticket_number])

test('duplicates of a board are pairs of similar open tasks, best first, and paged', async () => {
  const w = await world()
  const { project_id } = w.board
  const { csv, download, leak, drip } = await createDuplicates(w)
  const pairs = await w.cleo['tasks.duplicates']({ project_id })
  const expected = [
    [leak, drip],
    [csv, download],
  ]
  expect(keysOf(pairs)).toEqual(expected)
  expect(pairs[0]!.score).toBeCloseTo(1, 3)
  const second = await w.cleo['tasks.duplicates']({ project_id, limit: 1, offset: 1 })
  expect(keysOf(second)).toEqual(expected.slice(1))
})

test('a done or deleted task is no duplicate', async () => {
  const w = await world()
  const { project_id } = w.board
  const { leak, csv } = await createDuplicates(w)
  await w.ada['tasks.update']({ ticket_number: leak, section_id: w.sections.Done })
  await w.ada['tasks.update']({ ticket_number: csv, status: 'Deleted' })
  expect(await w.cleo['tasks.duplicates']({ project_id })).toEqual([])
})

test('a caller without access to the board finds no duplicates', async () => {
  const w = await world()
  await createDuplicates(w)
  const fault = await faultOf(w.otto['tasks.duplicates']({ project_id: w.board.project_id }))
  expect(fault).toMatchObject({ code: 'not_found' })
})

test('a second comparison of the same caller is refused while the first is running', async () => {
  const w = await world()
  const { project_id } = w.board
  await w.ada['tasks.duplicates']({ project_id })
  const started = w.cleo['tasks.duplicates']({ project_id })
  const fault = await faultOf(w.cleo['tasks.duplicates']({ project_id }))
  expect(fault).toMatchObject({ code: 'unavailable', details: { retry_after: 2 } })
  expect(await w.ada['tasks.duplicates']({ project_id })).toEqual([])
  expect(await started).toEqual([])
})
