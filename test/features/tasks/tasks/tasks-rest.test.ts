import { expect, test } from 'bun:test'
import { world } from '../../../support/world.ts'

const TASKS = '/api/v1/tasks'

test('POST creates a task, or updates the one that the body or the query identifies', async () => {
  const { cleo, http, board, changeTypes } = await world()
  const { project_id } = board
  const response = await http(cleo, 'POST', TASKS, { project_id, title: 'One' })
  expect([response.status, response.body.data.ticket_number]).toEqual([201, 'HP-5'])
  const names = [{ task_id: 5 }, { ticket_number: 'hp-5' }, { unique_index: 5, project_id }]
  for (const [at, name] of names.entries()) {
    const { status, body } = await http(cleo, 'POST', TASKS, { ...name, title: `Title ${at}` })
    expect([status, body.data.task_id, body.data.title]).toEqual([200, 5, `Title ${at}`])
    expect(body.data.changed).toEqual(['title'])
  }
  const inQuery = await http(cleo, 'POST', `${TASKS}?task_id=5`, { priority: 'Low' })
  expect([inQuery.status, inQuery.body.data.changed]).toEqual([200, ['priority']])
  expect(await changeTypes()).toEqual(['task.created', ...Array(4).fill('task.updated')])
})

test('POST with an unknown task identifier is refused and creates nothing', async () => {
  const { cleo, http, board, changeTypes } = await world()
  const { project_id } = board
  for (const name of [{ task_id: 99 }, { ticket_number: 'HP-99' }, { unique_index: 99 }]) {
    const { status } = await http(cleo, 'POST', TASKS, { ...name, project_id, title: 'x' })
    expect(status).toBe(404)
  }
  const empty = await http(cleo, 'POST', TASKS, { task_id: null, project_id, title: 'x' })
  expect([empty.status, empty.body.details.field]).toEqual([400, 'task_id'])
  expect(await changeTypes()).toEqual([])
})

test('requests with one idempotency key create one task; another body is refused with 409', async () => {
  const { cleo, http, board, changeTypes } = await world()
  const send = (title: string) =>
    http(
      cleo,
      'POST',
      TASKS,
      { project_id: board.project_id, title },
      {
        'idempotency-key': 'k1',
      },
    )
  const [first, second] = await Promise.all([send('One'), send('One')])
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body.data).toEqual(first.body.data)
  expect((await send('Two')).status).toBe(409)
  expect(await changeTypes()).toEqual(['task.created'])
})

test('a path identifies one or several tasks by id or key', async () => {
  const { cleo, http } = await world()
  for (const [path, expected] of [
    ['1', 'HP-1'],
    ['hp-1', 'HP-1'],
    ['HP-2,HP-1', ['HP-2', 'HP-1']],
  ] as const) {
    const { status, body } = await http(cleo, 'GET', `${TASKS}/${path}`)
    const found = Array.isArray(body.data)
      ? body.data.map((one: { ticket_number: string }) => one.ticket_number)
      : body.data.ticket_number
    expect([status, found]).toEqual([200, expected])
  }
  for (const path of ['99', 'HP-99', 'nonsense', 'HP-1,HP-99'])
    expect((await http(cleo, 'GET', `${TASKS}/${path}`)).status).toBe(404)
  expect((await http(cleo, 'PUT', `${TASKS}/HP-1`, {})).status).toBe(405)
})

test('PATCH, move and assign use the task in the path and refuse another one in the body', async () => {
  const { cleo, http, sections, board } = await world()
  const patch = await http(cleo, 'PATCH', `${TASKS}/HP-2`, { section_id: sections.Done })
  expect([patch.status, patch.body.data.section]).toEqual([200, 'Done'])
  const move = await http(cleo, 'POST', `${TASKS}/2/move`, {
    ...{ target_project_id: board.project_id, target_section_id: sections.Next },
  })
  expect([move.status, move.body.data.changed]).toEqual([200, ['section_id']])
  const assign = await http(cleo, 'POST', `${TASKS}/HP-2/assign`, {
    user_id: cleo.caller.actor_id,
  })
  expect([assign.status, assign.body.data.changed]).toEqual([200, ['assignees']])
  const other = await http(cleo, 'PATCH', `${TASKS}/HP-2`, { task_id: 1, title: 'x' })
  expect([other.status, other.body.details.code]).toEqual([400, 'conflict'])
})

/** Invalid task fields, with the field, code and for some the value of the refusal. */
const WRONG = [
  [{ title: '' }, 'title', 'required'],
  [{ title: ' \n ' }, 'title', 'required'],
  [{ title: null }, 'title', 'required'],
  [{ title: 5 }, 'title', 'invalid_type'],
  [{ title: 'x'.repeat(501) }, 'title', 'too_long'],
  [{ title: 'a\0b' }, 'title', 'invalid_format'],
  [{ description: '' }, 'description', 'required'],
  [{ description: '  ' }, 'description', 'required'],
  [{ description: null }, 'description', 'required'],
  [{ description: 7 }, 'description', 'invalid_type'],
  [{ description: 'x'.repeat(1_048_577) }, 'description', 'too_long'],
  [{ content_type: 'pdf' }, 'content_type', 'out_of_range'],
  [{ priority: 5 }, 'priority', 'out_of_range', 5],
  [{ priority: -1 }, 'priority', 'out_of_range', -1],
  [{ priority: 1.5 }, 'priority', 'invalid_type'],
  [{ priority: 'huge' }, 'priority', 'invalid_type'],
  [{ priority: null }, 'priority', 'invalid_type'],
  [{ estimate: 1 }, 'estimate', 'out_of_range', 1],
  [{ estimate: 7 }, 'estimate', 'out_of_range', 7],
  [{ estimate: '3' }, 'estimate', 'invalid_type'],
  [{ due_date: '2026-02-30' }, 'due_date', 'invalid_format', '2026-02-30'],
  [{ due_date: '' }, 'due_date', 'invalid_format'],
  [{ due_date: 'tomorrow' }, 'due_date', 'invalid_format'],
  [{ due_date: '+275760-09-13T00:00:00Z' }, 'due_date', 'invalid_format'],
  [{ due_date: 20261201 }, 'due_date', 'invalid_type'],
  [{ start_date: '2026-12-01T25:00:00Z' }, 'start_date', 'invalid_format'],
  [{ labels: 'bug' }, 'labels', 'invalid_type'],
  [{ labels: ['nope'] }, 'labels', 'not_found'],
  [{ labels: [999] }, 'labels', 'not_found'],
  [{ assignee_ids: ['Ada'] }, 'assignee_ids.0', 'invalid_type'],
  [{ assignee_ids: [999] }, 'assignee_ids', 'not_found'],
  [{ parent_task_id: 999 }, 'parent_task_id', 'not_found'],
  [{ section_id: 'Next' }, 'section_id', 'invalid_type'],
  [{ section_id: 3_000_000_000 }, 'section_id', 'out_of_range'],
  [{ tittle: 'x' }, 'tittle', 'unknown_field'],
  [{ recurrence: 'Yearly' }, 'recurrence', 'invalid_format', 'Yearly'],
  [{ recurrence: 7 }, 'recurrence', 'invalid_type'],
  [{ snoozed_until: '2026-12-01' }, 'snoozed_until', 'unknown_field'],
  [{ attachments: 'a.txt' }, 'attachments', 'invalid_type'],
] as const

test('an invalid task field is refused with 400 and the field, on create and on update', async () => {
  const { cleo, http, board, changeTypes } = await world()
  for (const [invalid, field, code, value] of WRONG)
    for (const [method, path, valid] of [
      ['POST', TASKS, { project_id: board.project_id, title: 'Right' }],
      ['PATCH', `${TASKS}/HP-1`, {}],
    ] as const) {
      const { status, body } = await http(cleo, method, path, { ...valid, ...invalid })
      const { details } = body
      expect([invalid, status, details.field, details.code]).toEqual([invalid, 400, field, code])
      expect(body).toMatchObject({ success: false, error: 'Validation error' })
      expect(body.message.length).toBeGreaterThan(10)
      if (value !== undefined) expect(details.value).toBe(value)
    }
  expect(await changeTypes()).toEqual([])
})

test('creating a task requires a title and an existing board', async () => {
  const { cleo, http, board } = await world()
  const bad = [
    [{ project_id: board.project_id }, 400, 'title'],
    [{ title: 'x' }, 400, 'project_id'],
    [{ title: 'x', project_id: 99 }, 404, 'project_id'],
    [{ title: 'x', project_id: board.project_id, section_id: 99 }, 400, 'section_id'],
    [{ title: 'x', project_id: board.project_id, status: 'Archive' }, 400, 'status'],
  ] as const
  for (const [body, status, field] of bad) {
    const answer = await http(cleo, 'POST', TASKS, body)
    expect([body, answer.status, answer.body.details.field]).toEqual([body, status, field])
  }
})

test('an outdated if_version is refused with 409 and the current text', async () => {
  const { cleo, http } = await world()
  const { status, body } = await http(cleo, 'PATCH', `${TASKS}/HP-1`, {
    ...{ description: 'new', if_version: 0 },
  })
  expect([status, body.error]).toEqual([409, 'Conflict'])
  expect(body.details).toMatchObject({ version: 1, current: '<p>In two colours.</p>' })
})

test('filters in a query string are converted to their types', async () => {
  const { cleo, http } = await world()
  const found = async (query: string) => {
    const { body } = await http(cleo, 'GET', `${TASKS}?fields=ticket_number&${query}`)
    return body.data?.map((one: { ticket_number: string }) => one.ticket_number) ?? body.details
  }
  expect(await found('priority=1,high')).toEqual(['HP-3', 'HP-1'])
  expect(await found('priority=Urgent&priority=2')).toEqual(['HP-3', 'HP-1'])
  expect(await found('labels=bug')).toEqual(['HP-3'])
  expect(await found('labels=1,ui')).toEqual(['HP-3', 'HP-1'])
  expect(await found('assigned_to=me')).toEqual(['HP-1'])
  expect(await found(`assigned_to=${cleo.caller.actor_id}`)).toEqual(['HP-1'])
  expect(await found('has_due_date=true&parent_task_id=null')).toEqual(['HP-1'])
  expect(await found('filter={"section":"Done"}')).toEqual(['HP-4'])
  expect(await found('search=broken')).toEqual(['HP-3'])
  expect(await found('priority=9')).toMatchObject({ field: 'priority', code: 'out_of_range' })
})
