import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { world } from '../../../support/world.ts'

test('an update changes only the given fields, and its receipt and change list them', async () => {
  const { ben, cleo, tasks, sections, labels, clock, changes } = await world()
  clock.advance(60_000)
  const receipt = await ben['tasks.update']({
    ...tasks.logo,
    ...{ title: 'Draw a better logo', priority: 'none', estimate: 0, due_date: null },
    ...{ start_date: '2026-11-21', labels: [labels.bug], section_id: sections.Review },
    description: '<p>Secret words</p>',
  })
  expect(receipt).toMatchObject({
    ...{ title: 'Draw a better logo', section: 'Review', description_version: 2 },
    updated_at: '2026-11-20T12:01:00.000Z',
  })
  const changed = ['section_id', 'title', 'priority', 'estimate', 'start_date', 'labels']
  expect(receipt.changed).toEqual([...changed, 'due_date', 'description'])
  const record = await cleo['tasks.get'](tasks.logo)
  expect(record).toMatchObject({
    ...{ title: 'Draw a better logo', priority: 0, estimate: 0, due_date: null, overdue: false },
    // The day begins in the caller's time zone.
    ...{ start_date: '2026-11-20T23:00:00.000Z', labels: [{ name: 'bug' }], section: 'Review' },
    ...{ description: '<p>Secret words</p>', content_type: 'html', assignees: [{ name: 'Cleo' }] },
  })
  const [change, ...rest] = await changes()
  expect(rest).toEqual([])
  expect(change).toMatchObject({ type: 'task.updated', task_id: tasks.logo.task_id })
  expect(change?.data).toMatchObject({
    ticket_number: 'HP-1',
    before: { title: 'Draw the logo', priority: 2, labels: ['ui'], due_date: '2026-11-27' },
    after: { title: 'Draw a better logo', priority: 0, labels: ['bug'], due_date: null },
  })
  expect(JSON.stringify(change)).not.toContain('Secret')
})

test('an update that changes nothing writes nothing', async () => {
  const { cleo, tasks, sections, board, clock, changeTypes } = await world()
  clock.advance(60_000)
  const receipt = await cleo['tasks.update']({
    ...tasks.logo,
    ...{ title: ' Draw the  logo', description: '<p>In two colours.</p>', content_type: 'html' },
    ...{ section_id: sections.Doing, priority: 'HIGH', estimate: 3, due_date: '2026-11-27' },
    ...{ start_date: null, labels: ['UI'], assignee_ids: [cleo.caller.actor_id] },
    ...{ status: 'Normal', project_id: board.project_id, if_version: 1, parent_task_id: null },
  })
  expect(receipt).toMatchObject({ changed: [], updated_at: '2026-11-20T12:00:00.000Z' })
  expect(receipt.description_version).toBe(1)
  expect(await changeTypes()).toEqual([])
})

test('moving a task into a done column completes it, moving it out reopens it', async () => {
  const { cleo, tasks, sections, clock } = await world()
  const record = () => cleo['tasks.get'](tasks.logo)
  await cleo['tasks.update']({ ...tasks.logo, section_id: sections.Done })
  const completed_at = '2026-11-20T12:00:00.000Z'
  expect(await record()).toMatchObject({ done: true, completed_at })
  clock.advance(30 * 24 * 3600_000)
  expect(await record()).toMatchObject({ overdue: false, completed_at })
  await cleo['tasks.update']({ ...tasks.logo, section_id: sections.Next })
  expect(await record()).toMatchObject({ done: false, overdue: true, completed_at: null })
})

test('setting is_done on a column completes its tasks, and unsetting it reopens them', async () => {
  const { cleo, tasks, sections, board } = await world()
  const set = (is_done: boolean) =>
    cleo['sections.update']({
      ...{ project_id: board.project_id, section_id: sections.Doing, is_done },
    })
  await set(true)
  expect(await cleo['tasks.get'](tasks.logo)).toMatchObject({
    ...{ done: true, completed_at: '2026-11-20T12:00:00.000Z' },
  })
  await set(false)
  expect(await cleo['tasks.get'](tasks.logo)).toMatchObject({ done: false, completed_at: null })
})

test('deleting a column moves its tasks, including archived and deleted ones', async () => {
  const { ben, tasks, sections, board, changeTypes } = await world()
  const { project_id } = board
  await ben['tasks.update']({ ...tasks.link, status: 'Archive' })
  const other = await ben['tasks.create']({ project_id, title: 'Other' })
  await ben['tasks.update']({ task_id: other.task_id, status: 'Deleted' })
  const before = (await changeTypes()).length
  await ben['sections.delete']({
    ...{ project_id, section_id: sections.Inbox, move_tasks_to_section_id: sections.Done },
  })
  for (const { task_id } of [tasks.link, other])
    expect(await ben['tasks.get']({ task_id })).toMatchObject({ section: 'Done', done: true })
  const newTypes = (await changeTypes()).slice(before)
  expect(newTypes.filter((type) => type === 'task.updated')).toHaveLength(2)
})

test('a description update with an outdated if_version is refused with the current text', async () => {
  const { cleo, tasks } = await world()
  const write = (description: string, if_version: number) =>
    cleo['tasks.update']({ ...tasks.logo, description, if_version, content_type: 'markdown' })
  expect(await write('mine', 1)).toMatchObject({ description_version: 2 })
  const fault = await faultOf(write('theirs', 1))
  expect(fault.code).toBe('conflict')
  expect(fault.details).toMatchObject({ field: 'if_version', version: 2, current: 'mine' })
  expect(await write('theirs', 2)).toMatchObject({ changed: ['description'] })
  const missingFault = await faultOf(
    cleo['tasks.update']({ ...tasks.logo, title: 'x', if_version: 3 }),
  )
  expect(missingFault).toMatchObject({ code: 'invalid', details: { field: 'if_version' } })
})

test('every version of a description is stored', async () => {
  const { cleo, store, tasks } = await world()
  const { descriptionVersions } = await import(
    '../../../../src/features/tasks/descriptions/model/index.ts'
  )
  await cleo['tasks.update']({ ...tasks.logo, description: 'two', content_type: 'markdown' })
  await cleo['tasks.update']({ ...tasks.logo, content_type: 'html' })
  await cleo['tasks.update']({ ...tasks.copy, description: 'first' })
  const { task_id, version } = descriptionVersions
  const stored = await store.read((tx) =>
    tx.select().from(descriptionVersions).orderBy(task_id, version),
  )
  expect(stored.map((one) => [one.task_id, one.version, one.content, one.content_type])).toEqual([
    [1, 1, '<p>In two colours.</p>', 'html'],
    [1, 2, 'two', 'markdown'],
    [1, 3, 'two', 'html'],
    [2, 1, 'first', 'markdown'],
  ])
})

test('labels and assignee_ids replace labels and people; assigned agents stay', async () => {
  const { ada, ben, cleo, bot, tasks, changes } = await world()
  await claimTask(bot, tasks.logo)
  await bot['tasks.assign']({ ...tasks.logo, assign_self: true })
  const seq = (await changes()).at(-1)!.seq
  const receipt = await cleo['tasks.update']({
    ...tasks.logo,
    ...{ labels: [], assignee_ids: [ada.caller.actor_id, ben.caller.actor_id] },
  })
  expect(receipt.changed).toEqual(['labels', 'assignees'])
  const record = await cleo['tasks.get'](tasks.logo)
  expect(record).toMatchObject({
    labels: [],
    assignees: [{ name: 'Ada' }, { name: 'Ben' }, { name: 'Bot' }],
  })
  expect((await changes(seq)).map(({ type, data }) => [type, data.actor])).toMatchObject([
    ['task.updated', undefined],
    ['task.assigned', { name: 'Ada' }],
    ['task.assigned', { name: 'Ben' }],
    ['task.unassigned', { name: 'Cleo' }],
  ])
  await cleo['tasks.update']({ ...tasks.logo, assignee_ids: [] })
  expect(await cleo['tasks.get'](tasks.logo)).toMatchObject({ assignees: [{ name: 'Bot' }] })
})

test('a due day ends in the time zone of the first assigned person', async () => {
  const { ada, ben, cleo, tasks, clock } = await world()
  await ben['user_context.update_profile']({ time_zone: 'Pacific/Honolulu' })
  const { task_id } = tasks.logo
  const overdue = async () =>
    ((await ada['tasks.get']({ task_id })) as { overdue: boolean }).overdue
  await ada['tasks.update']({ task_id, due_date: '2026-11-20' })
  clock.now = new Date('2026-11-20T22:59:59.999Z')
  expect(await overdue()).toBe(false)
  clock.advance(1)
  expect(await overdue()).toBe(true)
  await ada['tasks.assign']({ task_id, user_id: ben.caller.actor_id })
  expect(await overdue()).toBe(false)
  clock.now = new Date('2026-11-21T10:00:00.000Z')
  expect(await overdue()).toBe(true)
  await ada['tasks.assign']({ task_id, user_id: ben.caller.actor_id, intent: 'unassign' })
  expect(await overdue()).toBe(true)
  expect(await cleo['tasks.get']({ task_id })).toMatchObject({ due_date: '2026-11-20' })
})

test('a parent must be on the same board and not below the task, and a tree has 20 levels', async () => {
  const { cleo, team_id, board, tasks } = await world()
  const { project_id } = board
  const under = (task_id: number, parent_task_id: number | null) =>
    cleo['tasks.update']({ task_id, parent_task_id })
  let deepest = tasks.logo.task_id
  for (let level = 2; level <= 20; level++)
    deepest = (
      await cleo['tasks.create']({ project_id, title: `L${level}`, parent_task_id: deepest })
    ).task_id
  const tooDeep = cleo['tasks.create']({ project_id, title: 'x', parent_task_id: deepest })
  expect((await faultOf(tooDeep)).details).toMatchObject({
    ...{ field: 'parent_task_id', code: 'out_of_range' },
  })
  const cycleFault = await faultOf(under(tasks.logo.task_id, deepest))
  expect(cycleFault.details).toMatchObject({ field: 'parent_task_id', code: 'conflict' })
  const self = await faultOf(under(tasks.copy.task_id, tasks.copy.task_id))
  expect(self.details.code).toBe('conflict')
  expect([cycleFault.message, self.message]).toEqual([
    'HP-23 is already below HP-1',
    'HP-2 cannot be its own parent',
  ])
  const depthFault = await faultOf(under(tasks.logo.task_id, tasks.copy.task_id))
  expect(depthFault.details.code).toBe('out_of_range')
  const otherBoard = await cleo['projects.create']({
    ...{ team_id, title: 'There', sections: [{ title: 'Now' }] },
  })
  const otherTask = await cleo['tasks.create']({ project_id: otherBoard.project_id, title: 'Far' })
  for (const parent of [otherTask.task_id, 999])
    expect((await faultOf(under(tasks.copy.task_id, parent))).details).toMatchObject({
      ...{ field: 'parent_task_id', code: 'not_found', value: parent },
    })
  expect(await under(deepest, null)).toMatchObject({ changed: ['parent_task_id'] })
})
