import { afterAll, expect, test } from 'bun:test'
import { cpSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createTemporaryFolder, removeTemporaryFolders, terminal } from '../../support/terminal.ts'
import { syncWorld } from './sync-world.ts'

afterAll(removeTemporaryFolders)

const FIRST = 'backlog/tasks/task-1 - Sail.md'
const files = {
  'backlog/config.yml': 'project_name: "Harbour"\nstatuses: ["To Do", "Done"]\n',
  [FIRST]: '---\nid: TASK-1\ntitle: Sail\nstatus: To Do\n---\n\nFar.\n',
  'backlog/tasks/task-2 - Row.md':
    '---\nid: TASK-2\ntitle: Row\nstatus: To Do\ndependencies: [TASK-1]\n---\n\nNear.\n',
}
const BASE = '.corkboard/sync-backlog.json'

/** A folder that is in step, and then changes on both sides. */
async function changedWorld() {
  const s = await syncWorld('backlog', files)
  await s.sync()
  const { Sail: sail } = await s.tasks()
  const { ticket_number, project_id } = sail!
  await s.w.ada['tasks.update']({ ticket_number, title: 'Sail north' })
  await s.w.ada['comments.add']({ ticket_number, text: 'When?' })
  await s.w.ada['tasks.create']({ project_id, title: 'Fish' })
  s.edit(FIRST, 'Far.', 'Very far.')
  s.write('backlog/tasks/task-3 - Swim.md', '---\nid: TASK-3\ntitle: Swim\n---\n')
  return { ...s, ticket_number, project_id }
}

const expected = { titles: ['Fish', 'Row', 'Sail north', 'Swim'], files: 4, comments: 1 }

test('a run that breaks off at any request is completed by the next one, without duplicates', async () => {
  for (let requests = 1; ; requests++) {
    const s = await changedWorld()
    let left = requests
    const io = {
      fetch: (request: Request) =>
        left-- > 0 ? s.w.app.handle(request) : Promise.reject(new Error('The cable is cut')),
    }
    const { code } = await terminal(s.w, s.w.ada, io).cork('sync', 'backlog', s.folder)
    const next = await s.sync()
    expect(next.code).toBe(0)
    expect(await s.sync()).toMatchObject({ code: 0, out: [] })
    expect({
      titles: Object.keys(await s.tasks()).sort(),
      files: s.names('backlog/tasks').length,
      comments: (await s.comments(s.ticket_number)).length,
    }).toEqual(expected)
    expect(s.read(FIRST).match(/^author:/gm)).toHaveLength(1)
    expect(s.read(FIRST)).toContain('Very far.')
    expect((await s.get(s.ticket_number)).description).toContain('Very far.')
    if (code === 0) break
    expect(code).toBe(1)
  }
}, 120_000)

test('another copy of the repository without the file of the last run finds the same tasks', async () => {
  const s = await changedWorld()
  await s.sync()
  const copy = createTemporaryFolder()
  cpSync(s.folder, copy, { recursive: true })
  await rm(join(copy, BASE))
  const { cork } = terminal(s.w, s.w.ada)
  expect(await cork('sync', 'backlog', copy)).toMatchObject({ code: 0 })
  expect(Object.keys(await s.tasks()).sort()).toEqual(expected.titles)
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
  expect((await s.comments(s.ticket_number)).length).toBe(1)
})

test('a first run after an import takes what changed on the board since then', async () => {
  const s = await syncWorld('backlog', files)
  expect((await s.cork('import', s.folder, '--yes')).code).toBe(0)
  const { Sail: sail, Row: row } = await s.tasks()
  const { ticket_number } = sail!
  await s.w.ada['tasks.update']({ ticket_number, title: 'Sail north', priority: 'High' })
  await s.w.ada['tasks.update']({ ticket_number: row!.ticket_number, title: 'Row south' })
  s.edit('backlog/tasks/task-2 - Row.md', 'title: Row', 'title: Row west')
  const first = await s.sync()
  expect(first.code).toBe(3)
  expect(first.out).toEqual([
    `! conflict: ${row!.ticket_number} (TASK-2) title: files "Row west", board "Row south"`,
    `← ${ticket_number} title, priority`,
    '→ TASK-1 new: Sail',
    '→ TASK-2 new: Row west',
  ])
  expect(s.read(FIRST)).toBe(
    files[FIRST]!.replace('Sail', 'Sail north').replace('To Do\n', 'To Do\npriority: high\n'),
  )
})

test('a first run leaves files alone whose imported task is deleted on the board', async () => {
  const s = await syncWorld('backlog', files)
  expect((await s.cork('import', s.folder, '--yes')).code).toBe(0)
  const { ticket_number } = (await s.tasks()).Sail!
  await s.w.ada['tasks.update']({ ticket_number, status: 'Deleted' })
  expect((await s.sync()).code).toBe(0)
  expect(s.read(FIRST)).toBe(files[FIRST]!)
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
})

test('an id that is used again after a deletion is another task', async () => {
  const s = await syncWorld('backlog', files)
  await s.sync()
  const before = (await s.tasks()).Sail!
  await rm(join(s.folder, FIRST))
  expect(await s.sync()).toMatchObject({ code: 0 })
  s.write(FIRST, '---\nid: TASK-1\ntitle: Dive\nstatus: To Do\n---\n')
  expect(await s.sync()).toMatchObject({
    code: 0,
    out: ['→ TASK-1 new: Dive', '→ TASK-2 dependencies'],
  })
  s.edit(FIRST, 'Dive', 'Dive deep')
  expect(await s.sync()).toMatchObject({ code: 0, out: ['→ TASK-1 title'] })
  expect(Object.keys(await s.tasks()).sort()).toEqual(['Dive deep', 'Row'])
  expect(await s.get(before.ticket_number)).toMatchObject({ title: 'Sail', status: 'Deleted' })
})
