import { afterAll, expect, test } from 'bun:test'
import { removeTemporaryFolders } from '../../support/terminal.ts'
import { syncWorld } from './sync-world.ts'

afterAll(removeTemporaryFolders)

const FILE = '.taskmaster/tasks/tasks.json'
const files = {
  '.taskmaster/config.json': '{ "global": { "projectName": "Harbour" } }\n',
  [FILE]: `{
  "master": {
    "tasks": [
      {
        "id": 1,
        "title": "Paint the hull",
        "description": "All of it.",
        "details": "Two coats.",
        "testStrategy": "",
        "status": "pending",
        "dependencies": [2],
        "priority": "high",
        "subtasks": [
          { "id": 1, "title": "Clean it", "status": "pending", "dependencies": [] }
        ],
        "moon": { "full": true }
      },
      {
        "id": 2,
        "title": "Order paint",
        "description": "Red.",
        "status": "in-progress",
        "dependencies": [],
        "priority": "medium",
        "subtasks": []
      },
      {
        "id": 3,
        "title": "Sell the old boat",
        "description": "",
        "status": "pending",
        "dependencies": [],
        "priority": "low",
        "subtasks": []
      }
    ],
    "metadata": { "created": "2026-03-01T09:00:00.000Z" }
  }
}
`,
}

test('changes of both sides come to the other one, and the rest of the file stays', async () => {
  const s = await syncWorld('taskmaster', files)
  expect((await s.sync()).code).toBe(0)
  expect(s.read(FILE)).toBe(files[FILE])
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
  const { 'Paint the hull': paint, 'Order paint': order } = await s.tasks()
  const { ticket_number } = paint!
  const { description } = await s.get(ticket_number)
  await s.w.ada['tasks.update']({
    ...{ ticket_number, priority: 'Low', content_type: 'markdown' },
    description: description!.replace('Two', 'Three'),
  })
  s.edit(FILE, '"status": "in-progress"', '"status": "done"')
  expect(await s.sync()).toMatchObject({
    code: 0,
    out: [`← ${ticket_number} description, priority`, '→ master:2 column'],
  })
  expect(s.read(FILE)).toBe(
    files[FILE]
      .replace('Two coats.', 'Three coats.')
      .replace('"priority": "high"', '"priority": "low"')
      .replace('"status": "in-progress"', '"status": "done"'),
  )
  expect((await s.get(order!.ticket_number)).section).toBe('Done')
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
})

test('new, archived and deleted tasks come to the other side; a conflict waits for a decision', async () => {
  const s = await syncWorld('taskmaster', files)
  await s.sync()
  const tasks = await s.tasks()
  const [paint, order, sell] = ['Paint the hull', 'Order paint', 'Sell the old boat'].map(
    (title) => tasks[title]!,
  )
  const { project_id } = paint!
  const parent_task_id = paint!.task_id
  await s.w.ada['tasks.create']({ project_id, title: 'Sand it', parent_task_id })
  await s.w.ada['tasks.create']({ project_id, title: 'Launch', description: 'In May.' })
  await s.w.ada['tasks.update']({ ticket_number: sell!.ticket_number, status: 'Archive' })
  await s.w.ada['tasks.update']({ ticket_number: order!.ticket_number, title: 'Order red' })
  s.edit(FILE, '"title": "Order paint"', '"title": "Order blue"')
  const first = await s.sync()
  expect(first.code).toBe(3)
  expect(first.out.map((line) => line.replace(/[A-Z]+-\d+/, 'KEY'))).toEqual([
    '! conflict: KEY (master:2) title: files "Order blue", board "Order red"',
    '← KEY archive',
    '← KEY new: Sand it (master:1.2)',
    '← KEY new: Launch (master:4)',
  ])
  const list = JSON.parse(s.read(FILE)).master.tasks
  expect(list.map((task: { status: string }) => task.status)).toEqual([
    ...['pending', 'in-progress', 'cancelled', 'pending'],
  ])
  expect(list[0].subtasks[1]).toMatchObject({ id: 2, title: 'Sand it', status: 'pending' })
  expect(list[3]).toMatchObject({ id: 4, title: 'Launch', description: 'In May.' })
  expect((await s.sync('--prefer', 'files')).code).toBe(0)
  expect((await s.get(order!.ticket_number)).title).toBe('Order blue')
  await s.w.ada['tasks.update']({ ticket_number: order!.ticket_number, status: 'Deleted' })
  expect(await s.sync()).toMatchObject({
    code: 0,
    out: [`← ${paint!.ticket_number} dependencies`, `← ${order!.ticket_number} deleted`],
  })
  const left = JSON.parse(s.read(FILE)).master.tasks
  expect(
    left.map(({ id, dependencies }: { id: number; dependencies: number[] }) => [id, dependencies]),
  ).toEqual([
    [1, []],
    [3, []],
    [4, []],
  ])
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
})
