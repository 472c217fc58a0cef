import { afterAll, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { removeTemporaryFolders } from '../../support/terminal.ts'
import { syncWorld } from './sync-world.ts'

afterAll(removeTemporaryFolders)

const PAINT = 'backlog/tasks/task-1 - Paint-the-hull.md'
const files = {
  'backlog/config.yml':
    'project_name: "Harbour"\nstatuses: ["To Do", "In Progress", "Done"]\ndefault_status: "To Do"\n',
  [PAINT]: `---
id: TASK-1
title: Paint the hull
status: To Do
assignee: ['@cleo']
created_date: '2026-03-01 09:30'
labels: [hull] # of the boat
dependencies: []
priority: high
tide: low
---

## Description

<!-- SECTION:DESCRIPTION:BEGIN -->
Two coats.
<!-- SECTION:DESCRIPTION:END -->

## Acceptance Criteria
<!-- AC:BEGIN -->
- [ ] #1 It is red
<!-- AC:END -->
`,
  'backlog/tasks/task-2 - Order-paint.md':
    '---\nid: TASK-2\ntitle: Order paint\nstatus: In Progress\n---\n\nRed.\n',
  'backlog/tasks/task-3 - Sell-the-old-boat.md':
    '---\nid: TASK-3\ntitle: Sell the old boat\nstatus: To Do\n---\n',
}

test('the first run creates a board, and a second one does nothing', async () => {
  const s = await syncWorld('backlog', files)
  const first = await s.sync()
  expect(first).toMatchObject({
    code: 0,
    out: [
      '→ TASK-1 new: Paint the hull',
      '→ TASK-2 new: Order paint',
      '→ TASK-3 new: Sell the old boat',
    ],
  })
  expect(Object.values(await s.tasks()).map(({ title, section }) => [title, section])).toEqual(
    expect.arrayContaining([['Order paint', 'In Progress']]),
  )
  expect(await s.sync()).toMatchObject({ code: 0, out: [], err: 'Both sides are the same.' })
  expect(s.read(PAINT)).toBe(files[PAINT])
})

test('changes of both sides come to the other one, and nothing else changes', async () => {
  const s = await syncWorld('backlog', files)
  await s.sync()
  const { 'Paint the hull': paint, 'Order paint': order } = await s.tasks()
  const { ticket_number } = paint!
  const { sections } = (await s.w.ada['projects.board']({
    project_id: paint!.project_id,
  })) as unknown as { sections: { section_id: number; title: string }[] }
  const doing = sections.find(({ title }) => title === 'In Progress')!
  await s.w.ada['tasks.update']({ ticket_number, section_id: doing.section_id, priority: 'Low' })
  await s.w.ada['comments.add']({ ticket_number, text: 'Which red?' })
  s.edit('backlog/tasks/task-2 - Order-paint.md', 'title: Order paint', 'title: Order red paint')
  expect(await s.sync()).toMatchObject({
    code: 0,
    out: [`← ${ticket_number} column, priority, comments`, '→ TASK-2 title'],
  })
  expect(s.read(PAINT)).toBe(
    `${files[PAINT]!.replace('status: To Do', 'status: In Progress').replace(
      'priority: high',
      'priority: low',
    )}
## Comments

<!-- COMMENTS:BEGIN -->
author: Ada
created: ${s.read(PAINT).match(/^created: (.*)$/m)![1]}
---
Which red?
---
<!-- COMMENTS:END -->
`,
  )
  expect((await s.get(order!.ticket_number)).title).toBe('Order red paint')
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
})

const SELL = 'backlog/tasks/task-3 - Sell-the-old-boat.md'

test('a field that both sides change is a conflict, until one side is preferred', async () => {
  const s = await syncWorld('backlog', files)
  await s.sync()
  const { ticket_number, project_id } = (await s.tasks())['Paint the hull']!
  await s.w.ada['labels.create']({ project_id, name: 'new' })
  const change = async (title: string) => {
    await s.w.ada['tasks.update']({ ticket_number, title, labels: ['hull', 'new'] })
    s.edit(PAINT, /^title: .*$/m.exec(s.read(PAINT))![0], `title: ${title} soon`)
  }
  await change('Varnish the hull')
  const conflict = `! conflict: ${ticket_number} (TASK-1) title: files "Varnish the hull soon", board "Varnish the hull"`
  expect(await s.sync()).toMatchObject({
    code: 3,
    out: [conflict, `← ${ticket_number} labels`],
  })
  expect(s.read(PAINT)).toContain('labels: [hull, new] # of the boat')
  expect(await s.sync()).toMatchObject({ code: 3, out: [conflict] })
  expect(await s.sync('--prefer', 'board')).toMatchObject({ code: 0 })
  expect(s.read(PAINT)).toContain('title: Varnish the hull\n')
  await change('Oil the hull')
  expect(await s.sync('--prefer', 'files')).toMatchObject({ code: 0, out: ['→ TASK-1 title'] })
  expect((await s.get(ticket_number)).title).toBe('Oil the hull soon')
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
})

test('tasks that are new on both sides come to the other one once', async () => {
  const s = await syncWorld('backlog', files)
  await s.sync()
  const { project_id } = (await s.tasks())['Order paint']!
  const { ticket_number } = await s.w.ada['tasks.create']({
    project_id,
    title: 'Buy a brush: 10"',
    description: 'Soft hair.\n\n## Acceptance Criteria\n\n- [ ] No hair is lost',
    content_type: 'markdown',
    labels: ['hull'],
    due_date: '2026-05-01',
  })
  const parent_task_id = (await s.get(ticket_number)).task_id
  await s.w.ada['tasks.create']({ project_id, title: 'Clean it', parent_task_id })
  s.write('backlog/tasks/task-4 - Launch.md', '---\nid: TASK-4\ntitle: Launch\n---\n')
  expect(await s.sync()).toMatchObject({
    code: 0,
    out: [
      `← ${ticket_number} new: Buy a brush: 10" (TASK-5)`,
      expect.stringContaining('new: Clean it (TASK-5.1)'),
      '→ TASK-4 new: Launch',
    ],
  })
  expect(s.names('backlog/tasks')).toEqual([
    'task-1 - Paint-the-hull.md',
    'task-2 - Order-paint.md',
    'task-3 - Sell-the-old-boat.md',
    'task-4 - Launch.md',
    'task-5 - Buy-a-brush-10.md',
    'task-5.1 - Clean-it.md',
  ])
  const text = s.read('backlog/tasks/task-5 - Buy-a-brush-10.md')
  expect(text).toContain(`title: 'Buy a brush: 10"'\n`)
  expect(text).toContain("due_date: '2026-05-01 23:59'\n")
  expect(text).toContain('<!-- AC:BEGIN -->\n- [ ] #1 No hair is lost\n<!-- AC:END -->')
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
  const before = Object.keys(await s.tasks()).length
  expect((await s.cork('import', s.folder, '--yes')).code).toBe(0)
  expect(Object.keys(await s.tasks()).length).toBe(before)
})

test('deleted and archived tasks are so on the other side, unless they changed there', async () => {
  const s = await syncWorld('backlog', files)
  await s.sync()
  const tasks = await s.tasks()
  const key = (title: string) => tasks[title]!.ticket_number
  const [paint, order, sell] = ['Paint the hull', 'Order paint', 'Sell the old boat'].map(key)
  await s.w.ada['tasks.update']({ ticket_number: sell!, status: 'Archive' })
  await s.w.ada['tasks.update']({ ticket_number: paint!, status: 'Deleted' })
  s.edit(PAINT, 'title: Paint the hull', 'title: Paint it')
  await rm(join(s.folder, 'backlog/tasks/task-2 - Order-paint.md'))
  expect(await s.sync()).toMatchObject({
    code: 3,
    out: [
      `! conflict: ${paint} (TASK-1) task: files "changed", board "deleted"`,
      `← ${sell} archive`,
      '→ TASK-2 deleted',
    ],
  })
  expect((await s.get(order!)).status).toBe('Deleted')
  expect(s.names('backlog/archive/tasks')).toEqual(['task-3 - Sell-the-old-boat.md'])
  expect(s.read('backlog/archive/tasks/task-3 - Sell-the-old-boat.md')).toBe(files[SELL])
  expect(await s.sync('--prefer', 'files')).toMatchObject({ code: 0 })
  expect(await s.get(paint!)).toMatchObject({ status: 'Normal', title: 'Paint it' })
  await s.w.ada['tasks.update']({ ticket_number: paint!, status: 'Deleted' })
  expect(await s.sync()).toMatchObject({ code: 0, out: [`← ${paint} deleted`] })
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
  await s.w.ada['tasks.update']({ ticket_number: sell!, status: 'Normal' })
  expect(await s.sync()).toMatchObject({ code: 0, out: [`← ${sell} archive`] })
  expect(s.read(SELL)).toBe(files[SELL])
})

test('comments that change or disappear do so on the other side, and conflict if both change', async () => {
  const s = await syncWorld('backlog', files)
  await s.sync()
  const { ticket_number } = (await s.tasks())['Paint the hull']!
  for (const text of ['One', 'Two', 'Three', 'Four'])
    await s.w.ada['comments.add']({ ticket_number, text })
  expect(await s.sync()).toMatchObject({ code: 0, out: [`← ${ticket_number} comments`] })
  const [one, two, three, four] = await s.comments(ticket_number).then((all) => all.toReversed())
  const oldest = one!.text === 'One' ? [one, two, three, four] : [four, three, two, one]
  await s.w.ada['comments.update']({ comment_id: oldest[0]!.comment_id, text: 'One more' })
  await s.w.ada['comments.delete']({ comment_id: oldest[1]!.comment_id })
  s.edit(PAINT, '\nThree\n', '\nThree times\n')
  expect(await s.sync()).toMatchObject({
    code: 0,
    out: [`← ${ticket_number} comments`, '→ TASK-1 comments'],
  })
  const text = s.read(PAINT)
  expect(text).toContain('\nOne more\n')
  expect(text).not.toContain('\nTwo\n')
  const texts = async () => (await s.comments(ticket_number)).map((one) => one.text).sort()
  expect(await texts()).toEqual(['Four', 'One more', 'Three times'])
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
  await s.w.ada['comments.update']({ comment_id: oldest[3]!.comment_id, text: 'Here' })
  s.edit(PAINT, '\nFour\n', '\nThere\n')
  expect(await s.sync()).toMatchObject({ code: 3 })
  expect(await s.sync('--prefer', 'board')).toMatchObject({ code: 0 })
  expect(s.read(PAINT)).toContain('\nHere\n')
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
})

test('people, columns and blockers keep the names of the files', async () => {
  const s = await syncWorld('backlog', files)
  await s.sync()
  const { 'Paint the hull': paint, 'Order paint': order } = await s.tasks()
  const { ticket_number, project_id } = paint!
  const sections = await s.sections()
  const todo = sections.find(({ title }) => title === 'To Do')!
  await s.w.ada['sections.update']({ project_id, section_id: todo.section_id, title: 'Next' })
  const user_id = s.w.ben.caller.actor_id
  await s.w.ada['tasks.update']({
    ticket_number: order!.ticket_number,
    section_id: todo.section_id,
  })
  await s.w.ada['tasks.assign']({ ticket_number: order!.ticket_number, user_id })
  await s.w.ada['relations.create']({
    source_ticket_number: ticket_number,
    relation_type: 'BlockedBy',
    target_ticket_number: order!.ticket_number,
  })
  const { section_id } = await s.w.ada['sections.create']({ project_id, title: 'Review' })
  await s.w.ada['tasks.create']({ project_id, title: 'Look', section_id })
  expect((await s.sync()).code).toBe(0)
  expect(s.read('backlog/tasks/task-2 - Order-paint.md')).toMatch(
    /status: To Do\nassignee:\n {2}- '@?Ben'\n/,
  )
  expect(s.read(PAINT)).toBe(files[PAINT]!.replace('dependencies: []', 'dependencies:\n  - TASK-2'))
  expect(s.read('backlog/tasks/task-4 - Look.md')).toContain('status: Review\n')
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
  s.edit(PAINT, 'dependencies:\n  - TASK-2', 'dependencies: []')
  s.edit(PAINT, "assignee: ['@cleo']", 'assignee: []')
  expect(await s.sync()).toMatchObject({ code: 0, out: ['→ TASK-1 assignees, dependencies'] })
  expect(await s.get(ticket_number)).toMatchObject({ assignees: [], section: 'Next' })
  expect(await s.sync()).toMatchObject({ code: 0, out: [] })
})

test('a dry run and a wrong call change nothing and say why', async () => {
  const s = await syncWorld('backlog', files)
  const dry = await s.sync('--dry-run')
  expect(dry).toMatchObject({ code: 0, err: 'Nothing was changed: this was a dry run.' })
  expect(dry.out).toHaveLength(3)
  expect(await s.w.ada['imports.list']({ team_id: s.w.team_id })).toMatchObject({ items: [] })
  expect(s.names('.')).toEqual(['backlog'])
  expect(await s.cork('sync', 'trello', s.folder)).toMatchObject({ code: 2 })
  expect(await s.cork('sync', 'backlog', join(s.folder, 'nowhere'))).toMatchObject({ code: 1 })
  expect((await s.cork('import', s.folder, '--yes')).code).toBe(0)
  expect(await s.sync('--dry-run')).toMatchObject({ code: 0, out: [] })
  await s.sync()
  s.write(SELL, '---\nid: TASK-3\ntitle: "Sell\n---\n')
  const damaged = await s.sync()
  expect(damaged).toMatchObject({ code: 1, out: [] })
  expect(damaged.err).toContain('task-3 - Sell-the-old-boat.md cannot be read')
  for (const name of s.names('backlog/tasks')) await rm(join(s.folder, 'backlog/tasks', name))
  expect(await s.sync()).toMatchObject({ code: 1, out: [] })
  expect(Object.keys(await s.tasks())).toHaveLength(3)
})
