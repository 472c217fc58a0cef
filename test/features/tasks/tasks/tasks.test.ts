import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

test('a task is found by id, by key in any case, and by unique_index with project_id', async () => {
  const { cleo, board, tasks } = await world()
  const { task_id } = tasks.logo
  const names = [
    { task_id },
    { ticket_number: 'HP-1' },
    { ticket_number: ' hp-1 ' },
    { unique_index: 1, project_id: board.project_id },
    { task_id, ticket_number: 'HP-1', unique_index: 1, project_id: board.project_id },
    { task_id, project_id: board.project_id },
  ]
  for (const name of names) expect(await cleo['tasks.get'](name)).toMatchObject({ task_id })
})

test('tasks.get returns the complete record', async () => {
  const { cleo, ada, board, sections, labels, tasks, clock } = await world()
  clock.advance(8 * 24 * 3600_000)
  const record = await cleo['tasks.get']({ task_id: tasks.logo.task_id })
  const at = '2026-11-20T12:00:00.000Z'
  expect(record).toEqual({
    ...{ task_id: tasks.logo.task_id, ticket_number: 'HP-1', unique_index: 1 },
    ...{ project_id: board.project_id, section_id: sections.Doing, section: 'Doing', done: false },
    ...{ title: 'Draw the logo', description: '<p>In two colours.</p>', content_type: 'html' },
    ...{ description_version: 1, priority: 2, priority_name: 'High', estimate: 3, size: 'S' },
    ...{
      due_date: '2026-11-27',
      overdue: true,
      blocked: false,
      start_date: null,
      recurrence: null,
      snoozed_until: null,
      parent_task_id: null,
    },
    labels: [{ label_id: labels.ui, name: 'ui', color: expect.any(String) }],
    assignees: [{ kind: 'person', user_id: cleo.caller.actor_id, name: 'Cleo' }],
    ...{
      custom_fields: [],
      pr_badge: null,
      lease: null,
      comment_count: 0,
      attachment_count: 0,
      page_count: 0,
    },
    ...{ subtask_count: 0, status: 'Normal', created_at: at, updated_at: at, completed_at: null },
    created_by: { kind: 'person', user_id: ada.caller.actor_id, name: 'Ada' },
    url: 'http://localhost/t/HP-1',
  })
})

test('several tasks are returned in the requested order, and a missing one is refused by its key', async () => {
  const { cleo, tasks } = await world()
  const records = await cleo['tasks.get']({ ticket_number: ['HP-3', 'hp-1', 'HP-3'] })
  expect((records as { ticket_number: string }[]).map((one) => one.ticket_number)).toEqual([
    ...['HP-3', 'HP-1', 'HP-3'],
  ])
  const ids = [tasks.copy.task_id, tasks.logo.task_id]
  expect(await cleo['tasks.get']({ task_id: ids })).toMatchObject(
    ids.map((task_id) => ({ task_id })),
  )
  const fault = await faultOf(cleo['tasks.get']({ ticket_number: ['HP-1', 'HP-99'] }))
  expect(fault).toMatchObject({ code: 'not_found', details: { value: 'HP-99' } })
  const both = cleo['tasks.get']({ ticket_number: ['HP-1'], task_id: 1 })
  expect((await faultOf(both)).details.code).toBe('conflict')
  const many = cleo['tasks.get']({ task_id: Array.from({ length: 51 }, (_, i) => i + 1) })
  expect((await faultOf(many)).details.code).toBe('too_long')
})

test('a missing, invalid or contradictory task identifier is refused', async () => {
  const { cleo, board, tasks } = await world()
  const bad = [
    [{}, 'ticket_number', 'required'],
    [{ unique_index: 1 }, 'project_id', 'required'],
    [{ project_id: board.project_id }, 'ticket_number', 'required'],
    [{ task_id: tasks.copy.task_id, ticket_number: 'HP-1' }, 'ticket_number', 'conflict'],
    [{ ticket_number: 'HP-1', project_id: 99 }, 'project_id', 'conflict'],
    [{ ticket_number: '' }, 'ticket_number', 'required'],
    [{ task_id: 0 }, 'task_id', 'out_of_range'],
    [{ task_id: '1' }, 'task_id', 'invalid_type'],
  ] as const
  for (const [input, field, code] of bad) {
    const { details } = await faultOf(cleo['tasks.get'](input as never))
    expect([input, details.field, details.code]).toEqual([input, field, code])
  }
  for (const input of [{ task_id: 99 }, { ticket_number: 'HP-99' }, { ticket_number: 'x' }])
    expect((await faultOf(cleo['tasks.get'](input))).code).toBe('not_found')
})

test('another team and an uninvited guest get not_found for a task, without its title', async () => {
  const { otto, gus, tasks } = await world()
  for (const actor of [otto, gus])
    for (const name of [{ task_id: tasks.logo.task_id }, { ticket_number: 'HP-1' }]) {
      const fault = await faultOf(actor['tasks.get'](name))
      expect(fault.code).toBe('not_found')
      expect(JSON.stringify(fault)).not.toContain('logo')
      const change = actor['tasks.update']({ ...name, title: 'Mine' })
      expect((await faultOf(change)).code).toBe('not_found')
    }
})

test('a key that exists in two teams of the caller is refused as ambiguous, with both boards', async () => {
  const { authenticateAs, ada, otherTeamId, otto, store, clock, tasks, board } = await world()
  const { joinTeam } = await import('../../../../src/features/identity/teams/model/index.ts')
  const foreignBoard = await otto['projects.create']({
    ...{ team_id: otherTeamId, title: 'Home pantry', sections: [{ title: 'Now' }] },
    tasks: [{ title: 'Jam', section_index: 0 }],
  })
  expect(foreignBoard.tasks).toEqual(['HP-1'])
  await store.write((tx) => joinTeam(tx, otherTeamId, ada.caller.actor_id, 'member', clock.now))
  const both = await authenticateAs(ada.caller.actor_id)
  const { details, message } = await faultOf(both['tasks.get']({ ticket_number: 'HP-1' }))
  expect(details).toMatchObject({ field: 'ticket_number', code: 'ambiguous' })
  expect(message).toContain('Home page')
  expect(message).toContain('Home pantry')
  const address = { ticket_number: 'HP-1', project_id: board.project_id }
  expect(await both['tasks.get'](address)).toMatchObject({ task_id: tasks.logo.task_id })
})

test('a task with only a title goes to the first open column and gets the next number', async () => {
  const { cleo, board, sections, changes } = await world()
  const { project_id } = board
  const receipt = await cleo['tasks.create']({ project_id, title: '  Plant\n a tree ' })
  expect(receipt).toEqual({
    ...{ task_id: 5, ticket_number: 'HP-5', title: 'Plant a tree', project_id },
    ...{ section_id: sections.Inbox, section: 'Inbox', status: 'Normal', description_version: 0 },
    ...{ updated_at: '2026-11-20T12:00:00.000Z', url: 'http://localhost/t/HP-5' },
    ...{ changed: ['title'], similar: [] },
  })
  const [created, ...rest] = await changes()
  expect(created).toMatchObject({ type: 'task.created', project_id, task_id: 5 })
  expect(created?.data).toEqual({
    ...{ ticket_number: 'HP-5', title: 'Plant a tree' },
    ...{ section_id: sections.Inbox, section: 'Inbox' },
  })
  expect(rest).toEqual([])
})

test('a task can be created with all its fields', async () => {
  const { cleo, ben, board, sections, tasks, labels, changeTypes, changes } = await world()
  const { task_id } = await cleo['tasks.create']({
    ...{ project_id: board.project_id, title: 'Whole', description: '# Why', estimate: 6 },
    ...{ content_type: 'markdown', section_id: sections.Done, priority: 'uRGent' },
    ...{ parent_task_id: tasks.logo.task_id, due_date: '2026-12-01T10:00:00+01:00' },
    ...{ start_date: '2026-11-30T08:00:00Z', labels: ['BUG', labels.ui, 'bug'] },
    assignee_ids: [ben.caller.actor_id, cleo.caller.actor_id, ben.caller.actor_id],
  })
  expect(await cleo['tasks.get']({ task_id })).toMatchObject({
    ...{ description: '# Why', content_type: 'markdown', description_version: 1, size: 'XL' },
    ...{ section: 'Done', done: true, completed_at: '2026-11-20T12:00:00.000Z', priority: 1 },
    ...{ due_date: '2026-12-01T09:00:00.000Z', start_date: '2026-11-30T08:00:00.000Z' },
    ...{ parent_task_id: tasks.logo.task_id, labels: [{ name: 'bug' }, { name: 'ui' }] },
    assignees: [{ name: 'Ben' }, { name: 'Cleo' }],
  })
  expect(await cleo['tasks.get']({ task_id: tasks.logo.task_id })).toMatchObject({
    subtask_count: 1,
  })
  expect(await changeTypes()).toEqual(['task.created', 'task.assigned', 'task.assigned'])
  const [created] = await changes()
  expect(created?.data).toMatchObject({ parent_task_id: tasks.logo.task_id })
})

test('fifty concurrent creates get consecutive numbers, and refused ones take none', async () => {
  const { cleo, board, sections } = await world()
  const { project_id } = board
  const created = await Promise.all(
    Array.from({ length: 50 }, (_, i) => {
      if (i % 5 === 0)
        void cleo['tasks.create']({ project_id, title: 'x', labels: ['no such'] }).catch(() => {})
      return cleo['tasks.create']({ project_id, title: `Task ${i}`, section_id: sections.Next })
    }),
  )
  const numbers = created.map(({ ticket_number }) => Number(ticket_number.slice(3)))
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 5))
  const { tasks } = await cleo['sections.get']({
    ...{ project_id, section_id: sections.Next, limit: 50, offset: 1 },
  })
  // A task with a lower number ranks higher, in whatever order the requests came.
  expect(tasks?.map(({ ticket_number }) => ticket_number)).toEqual(
    created.toSorted((a, b) => a.task_id - b.task_id).map(({ ticket_number }) => ticket_number),
  )
})

test('a task that enters a column is assigned to its auto_assign agent', async () => {
  const { cleo, bot, board, sections, tasks, changes } = await world()
  const { project_id } = board
  const agent_id = bot.caller.agent_id!
  await cleo['sections.update']({ project_id, section_id: sections.Review, auto_assign: agent_id })
  const seq = (await changes()).at(-1)!.seq
  await cleo['tasks.create']({ project_id, title: 'New', section_id: sections.Review })
  await cleo['tasks.update']({ task_id: tasks.copy.task_id, section_id: sections.Review })
  const events = (await changes(seq)).map(({ type, data }) => [type, data.ticket_number])
  expect(events).toEqual([
    ['task.created', 'HP-5'],
    ['task.assigned', 'HP-5'],
    ['task.updated', 'HP-2'],
    ['task.assigned', 'HP-2'],
  ])
  expect((await changes(seq))[1]?.data.actor).toEqual({ kind: 'agent', agent_id, name: 'Bot' })
})

test('a key without tasks:write can read tasks, but not create, update, move or assign them', async () => {
  const { authenticateAs, ada, board, tasks, changeTypes } = await world()
  const reader = await authenticateAs(ada.caller.actor_id, 'key', ['tasks:read'])
  expect(await reader['tasks.get'](tasks.logo)).toMatchObject({ title: 'Draw the logo' })
  const { project_id } = board
  for (const call of [
    () => reader['tasks.create']({ project_id, title: 'x' }),
    () => reader['tasks.update']({ ...tasks.logo, title: 'x' }),
    () => reader['tasks.move']({ ...tasks.logo, target_project_id: project_id }),
    () => reader['tasks.assign']({ ...tasks.logo, user_id: ada.caller.actor_id }),
  ])
    expect((await faultOf(call())).code).toBe('forbidden')
  expect(await changeTypes()).toEqual([])
})
