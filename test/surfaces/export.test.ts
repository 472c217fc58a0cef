import { expect, test } from 'bun:test'
import { parseCalendar } from '../support/calendars.ts'
import { parseCsv } from '../support/csv.ts'
import { type Actor, type World, world } from '../support/world.ts'

const boardPath = ({ board }: World, query = '') =>
  `/api/v1/projects/${board.project_id}/export${query}`

const fileOf = (w: World, query: string, actor: Actor = w.cleo) =>
  w.http(actor, 'GET', boardPath(w, query))

/** The rows of a CSV export, with the names of their columns. */
async function rowsOf(w: World, path = boardPath(w, '?format=csv')) {
  const [head, ...rows] = parseCsv((await w.http(w.cleo, 'GET', path)).text)
  return rows.map((row) => Object.fromEntries(head!.map((name, at) => [name, row[at]])))
}

const create = (w: World, title: string, fields: object = {}) =>
  w.ada['tasks.create']({ project_id: w.board.project_id, title, ...fields })

test('a markdown export has a heading per column and an item per task, subtasks below their parent', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await create(w, 'Pick *two* colours', { parent_task_id: task_id, section_id: w.sections.Doing })
  await create(w, 'Ask the printer', {
    ...{ parent_task_id: task_id, section_id: w.sections.Done },
    due_date: '2026-11-24T09:30:00Z',
  })
  const file = await fileOf(w, '?format=markdown')
  expect(file.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(file.headers.get('content-disposition')).toContain('filename="Home page.md"')
  expect(file.text).toBe(`# Home page (HP)

## Inbox

- [ ] **HP-3** Mend the broken link (Urgent, #bug)

## Next

- [ ] **HP-2** Write the copy

## Doing

- [ ] **HP-1** Draw the logo (@Cleo, due 2026-11-27, High, #ui)
  - [ ] **HP-5** Pick \\*two\\* colours

## Review

## Done

- [x] **HP-4** Buy the domain
- [x] **HP-6** Ask the printer (due 2026-11-24 10:30)
`)
})

test('a full markdown export adds descriptions as markdown and comments with their author', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await create(w, 'Pick colours', { parent_task_id: task_id, section_id: w.sections.Doing })
  await w.cleo['comments.add']({ task_id, text: '<p>Blue?</p><p>Or <b>red</b></p>' })
  const { text } = await fileOf(w, '?format=markdown&full=true')
  expect(text).toContain(`- [ ] **HP-1** Draw the logo (@Cleo, due 2026-11-27, High, #ui)

  In two colours.

  > **Cleo**, 2026-11-20 13:00:
  >
  > Blue?
  >
  > Or **red**

  - [ ] **HP-5** Pick colours
`)
})

test('a CSV export has a row per task with its fields, blockers and custom fields', async () => {
  const w = await world()
  const { project_id } = w.board
  const { logo, copy } = w.tasks
  await w.ada['custom_fields.create']({ project_id, name: 'Budget', type: 'number' })
  await w.cleo['custom_fields.set']({ task_id: logo.task_id, field_name: 'Budget', value: -5 })
  await w.cleo['relations.create']({
    ...{ source_task_id: logo.task_id, target_task_id: copy.task_id },
    relation_type: 'BlockedBy',
  })
  const child = await create(w, 'Sketch, "rough"', { parent_task_id: logo.task_id })
  const rows = await rowsOf(w)
  expect(rows.map(({ key }) => key)).toEqual(['HP-3', child.ticket_number, 'HP-2', 'HP-1', 'HP-4'])
  expect(rows[1]).toMatchObject({ title: 'Sketch, "rough"', parent: 'HP-1', done: 'false' })
  expect(rows[3]).toMatchObject({
    ...{ key: 'HP-1', title: 'Draw the logo', column: 'Doing', done: 'false', priority: 'High' },
    ...{ size: 'S', labels: 'ui', assignees: 'Cleo', creator: 'Ada', due_date: '2026-11-27' },
    ...{ start_date: '', recurrence: '', blocked_by: 'HP-2', description: 'In two colours.' },
    ...{ created: '2026-11-20T12:00:00.000Z', url: 'http://localhost/t/HP-1', Budget: '-5' },
  })
  expect(rows[4]).toMatchObject({ done: 'true', completed: '2026-11-20T12:00:00.000Z' })
})

test('a CSV export escapes text that a spreadsheet would run as a formula', async () => {
  const w = await world()
  const { project_id } = w.board
  await w.ada['custom_fields.create']({ project_id, name: '=A1', type: 'text' })
  await create(w, '=1+1', { description: '@SUM(A1)' })
  const { text } = await fileOf(w, '?format=csv')
  expect(text.split('\n')[0]).toEndWith(",'=A1")
  expect(text).toContain(",'=1+1,")
  expect(text).toContain(",'@SUM(A1),")
})

test('a JSON export has every field of every task, with relations and all comments', async () => {
  const w = await world({ full: true })
  const { task_id } = w.tasks.copy
  for (let number = 1; number <= 60; number++)
    await w.cleo['comments.add']({ task_id, text: `Number ${number}`, content_type: 'markdown' })
  const file = await fileOf(w, '?format=json')
  expect(file.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const { tasks, ...board } = file.body
  expect(board).toMatchObject({ key: 'HP', title: w.board.title, project_id: w.board.project_id })
  const { items } = await w.cleo['tasks.list']({ project_id: w.board.project_id, limit: 50 })
  const keysOf = (rows: { ticket_number: string }[]) => rows.map((row) => row.ticket_number).sort()
  expect(keysOf(tasks)).toEqual(keysOf(items))
  const byKey = (rows: { ticket_number: string }[], key: string) =>
    rows.find(({ ticket_number }) => ticket_number === key)!
  const logo = byKey(tasks, 'HP-1') as never as { relations: object[] }
  expect(logo).toMatchObject({ ...byKey(items, 'HP-1'), content_type: 'markdown' })
  expect(logo.relations.length).toBeGreaterThan(0)
  const copy = byKey(tasks, 'HP-2') as never as { comments: { text: string }[] }
  const texts = copy.comments.map(({ text }) => text)
  expect(texts.slice(-60)).toEqual(Array.from({ length: 60 }, (_, at) => `Number ${at + 1}`))
})

test('an iCalendar export has a to-do per task that other programs can read', async () => {
  const w = await world()
  const description = `${'Long, and; with “quotes”. '.repeat(12)}\n\nEnd`
  const long = await create(w, 'Call the printer, at once', {
    ...{ description, content_type: 'markdown', labels: ['bug', 'ui'], priority: 'Urgent' },
    ...{ due_date: '2026-12-01T15:30:00Z', start_date: '2026-11-30T08:00:00Z' },
    ...{ parent_task_id: w.tasks.logo.task_id, section_id: w.sections.Doing },
  })
  const file = await fileOf(w, '?format=ics')
  expect(file.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  for (const line of file.text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThan(76)
  const { calendar } = parseCalendar(file.text)
  const todos = calendar.getAllSubcomponents('vtodo')
  const facts = todos.map((todo) =>
    ['summary', 'status', 'due'].map((name) => String(todo.getFirstPropertyValue(name))),
  )
  expect(facts).toEqual([
    ['HP-3 Mend the broken link', 'NEEDS-ACTION', 'null'],
    ['HP-2 Write the copy', 'NEEDS-ACTION', 'null'],
    ['HP-1 Draw the logo', 'IN-PROCESS', '2026-11-27'],
    ['HP-5 Call the printer, at once', 'IN-PROCESS', '2026-12-01T15:30:00Z'],
    ['HP-4 Buy the domain', 'COMPLETED', 'null'],
  ])
  const property = (name: string) => todos[3]!.getFirstPropertyValue(name)
  expect(property('uid')).toBe(`todo-${long.task_id}@localhost`)
  expect(property('related-to')).toBe(`todo-${w.tasks.logo.task_id}@localhost`)
  expect(property('description')).toBe(`${description}\n\nhttp://localhost/t/HP-5`)
  expect(String(property('dtstart'))).toBe('2026-11-30T08:00:00Z')
  expect(String(property('priority'))).toBe('1')
  expect(todos[3]!.getFirstProperty('categories')?.getValues()).toEqual(['bug', 'ui'])
  expect(String(todos[4]!.getFirstPropertyValue('completed'))).toBe('2026-11-20T12:00:00Z')
})

test('a repeating to-do has its rule in the time zone of its assignee', async () => {
  const w = await world()
  await w.cleo['user_context.update_profile']({ time_zone: 'Europe/Berlin' })
  await create(w, 'Stand-up', {
    ...{ due_date: '2026-11-23T09:00:00+01:00', recurrence: 'Weekdays' },
    assignee_ids: [w.cleo.caller.actor_id],
  })
  const { calendar } = parseCalendar((await fileOf(w, '?format=ics')).text)
  const standUp = calendar
    .getAllSubcomponents('vtodo')
    .find((todo) => todo.getFirstPropertyValue('rrule'))!
  expect(String(standUp.getFirstProperty('due')?.toICALString())).toBe(
    'DUE;TZID=Europe/Berlin:20261123T090000',
  )
  expect(String(standUp.getFirstPropertyValue('rrule'))).toBe('FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR')
  expect(calendar.getAllSubcomponents('vtimezone')).toHaveLength(1)
})

test('the export of a view has its tasks in its order within each column', async () => {
  const w = await world()
  const { project_id } = w.board
  for (const [title, due_date] of [
    ['Later', '2026-12-03'],
    ['Sooner', '2026-12-01'],
    ['Without a label', '2026-12-02'],
  ] as const)
    await create(w, title, {
      ...{ due_date, section_id: w.sections.Next },
      labels: title === 'Without a label' ? [] : ['bug'],
    })
  const { view_id } = await w.cleo['views.create']({
    ...{ project_id, title: 'Bugs', label_names: ['bug'], visibility: 'Private' },
    sorting_stack: [{ mode: 'DueDate' }],
  })
  const path = `/api/v1/views/${view_id}/export?format=csv`
  const rows = await rowsOf(w, path)
  expect(rows.map(({ title }) => title)).toEqual(['Mend the broken link', 'Sooner', 'Later'])
  const file = await w.http(w.cleo, 'GET', path)
  expect(file.headers.get('content-disposition')).toContain('filename="Home page - Bugs.csv"')
  expect((await w.http(w.ben, 'GET', path)).status).toBe(404)
})

test('without a format the answer is the order of the tasks as JSON', async () => {
  const w = await world()
  const { body } = await fileOf(w, '')
  expect(body.success).toBe(true)
  const columns = body.data.columns.map((one: { title: string; task_ids: number[] }) => [
    one.title,
    one.task_ids,
  ])
  const { logo, copy, link, domain } = w.tasks
  expect(columns).toEqual([
    ['Inbox', [link.task_id]],
    ['Next', [copy.task_id]],
    ['Doing', [logo.task_id]],
    ['Review', []],
    ['Done', [domain.task_id]],
  ])
  expect((await fileOf(w, '?format=pdf')).body.details).toMatchObject({ field: 'format' })
})

test('people who cannot see the board get no file, and blockers on hidden boards are left out', async () => {
  const w = await world()
  const statuses = []
  for (const actor of [w.gus, w.otto]) statuses.push((await fileOf(w, '?format=csv', actor)).status)
  expect(statuses).toEqual([404, 404])
  const scopeless = await w.authenticateAs(w.ada.caller.actor_id, 'key', ['profile:read'])
  expect((await fileOf(w, '?format=csv', scopeless)).status).toBe(403)
  const secret = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Secret', access: 'invited' },
    sections: [{ title: 'Open' }],
  })
  const { project_id } = secret
  const hidden = await w.ada['tasks.create']({ project_id, title: 'Fire somebody' })
  await w.ada['relations.create']({
    ...{ source_task_id: w.tasks.logo.task_id, target_task_id: hidden.task_id },
    relation_type: 'BlockedBy',
  })
  expect((await fileOf(w, '?format=csv', w.ada)).text).toContain(hidden.ticket_number)
  for (const format of ['csv', 'json', 'markdown', 'ics']) {
    const { text } = await fileOf(w, `?format=${format}&full=true`)
    expect([format, text.includes('HP-1'), text.includes(hidden.ticket_number)]).toEqual([
      ...[format, true, false],
    ])
    expect(text).not.toContain('Fire somebody')
  }
})

test('a long column is exported page by page, whole and in order', async () => {
  const w = await world()
  const { project_id } = w.board
  const titles = Array.from({ length: 130 }, (_, at) => `Step ${at}`)
  await w.ada['tasks.create_many']({
    project_id,
    tasks: titles.map((title) => ({ title, section_id: w.sections.Review })),
  })
  const text = 'x'.repeat(400_000)
  for (const title of ['Huge 1', 'Huge 2', 'Huge 3', 'Huge 4'])
    await create(w, title, {
      section_id: w.sections.Review,
      description: text,
      content_type: 'markdown',
    })
  const rows = (await rowsOf(w)).filter(({ column }) => column === 'Review')
  expect(rows.map(({ title }) => title)).toEqual([
    ...titles,
    ...['Huge 1', 'Huge 2', 'Huge 3', 'Huge 4'],
  ])
  expect(rows.at(-1)!.description).toHaveLength(400_000)
})

test('an export breaks off when the caller loses the board, the team or the key', async () => {
  const removals: ((w: World, api_key_id: number) => Promise<unknown>)[] = [
    ({ ada, cleo, board }) =>
      ada['projects.remove_member']({
        ...{ project_id: board.project_id, user_id: cleo.caller.actor_id },
      }),
    ({ ada, cleo, team_id }) =>
      ada['teams.remove_member']({ team_id, user_id: cleo.caller.actor_id }),
    ({ cleo }, api_key_id) => cleo['api_keys.revoke']({ api_key_id }),
  ]
  for (const remove of removals) {
    const w = await world()
    const { project_id } = w.board
    await w.ada['projects.update']({ project_id, access: 'invited' })
    const member_identifier = w.cleo.caller.actor_id
    await w.ada['projects.invite_member']({ project_id, member_identifier })
    const { key, api_key_id } = await w.cleo['api_keys.create']({ name: 'export' })
    const headers = { authorization: `Bearer ${key}` }
    const url = `http://localhost${boardPath(w, '?format=csv')}`
    const { body } = await w.app.handle(new Request(url, { headers }))
    const reader = body!.getReader()
    await reader.read()
    await remove(w, api_key_id)
    const { text, error } = await readRest(reader)
    expect([text.includes('HP-1'), error]).toEqual([false, expect.any(Error)])
  }
})

async function readRest(reader: ReadableStreamDefaultReader<Uint8Array>) {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return { text }
      text += decoder.decode(value, { stream: true })
    }
  } catch (error) {
    return { text, error }
  }
}
