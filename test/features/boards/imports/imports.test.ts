import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

const origin = { id: 'board-1', title: 'Harbour' }
const board = {
  id: 'b1',
  title: 'Harbour',
  key: 'HARB',
  columns: [{ title: 'To do' }, { title: 'Doing' }, { title: 'Done', done: true }],
  labels: [{ name: 'rope', color: '#aa3300' }, { name: 'paint' }],
  fields: [
    { name: 'Points', type: 'number' as const },
    { name: 'Pier', type: 'select' as const, options: ['North', 'South'] },
  ],
}
const ana = { id: 'p1', name: 'Ana Lima', email: 'ana@elsewhere.example' }
const task = (id: string, more: object = {}) => ({
  ...{ id, board: 'b1', column: 'To do', title: `Task ${id}` },
  ...more,
})

async function startedImport() {
  const w = await world()
  const { import_id } = await w.ada['imports.start']({
    team_id: w.team_id,
    source: 'trello',
    origin,
  })
  const write = async (...records: object[]) =>
    (await w.ada['imports.write']({ import_id, records: records as never })).results
  const taskWith = async (ticket_number: string) =>
    (await w.ada['tasks.get']({ ticket_number })) as { [name: string]: unknown }
  return { ...w, import_id, write, taskWith }
}

test('an import creates a board with columns, labels, fields and tasks as they are in the source', async () => {
  const w = await startedImport()
  const results = await w.write(
    { person: ana },
    { board },
    {
      task: task('t1', {
        key: 'HARB-7',
        column: 'Done',
        title: 'Splice the mooring line',
        description: 'With **care**, see [the other](task:t2).',
        content_type: 'markdown',
        priority: 2,
        estimate: 3,
        due_date: '2026-12-24',
        labels: ['rope'],
        assignees: ['p1'],
        created_by: 'p1',
        created_at: '2025-01-02T03:04:05Z',
        updated_at: '2025-02-02T03:04:05Z',
        completed_at: '2025-02-01T00:00:00Z',
        fields: [
          { name: 'Points', value: 5 },
          { name: 'Pier', value: 'South' },
        ],
      }),
    },
    { task: task('t2', { parent: 't1', recurrence: 'FREQ=WEEKLY;INTERVAL=2', archived: true }) },
    {
      comment: {
        id: 'c1',
        task: 't1',
        author: 'p1',
        text: '<p>Done.</p>',
        created_at: '2025-01-05T00:00:00Z',
      },
    },
    { time_entry: { id: 'w1', task: 't1', who: 'p1', minutes: 90, day: '2025-01-04' } },
    { relation: { kind: 'blocks', first: 't1', second: 't2' } },
  )
  expect(results.map(({ outcome }) => outcome)).toEqual([
    'created',
    'unchanged',
    'created',
    'created',
    'created',
    'created',
    'created',
  ])
  expect(results[2]).toMatchObject({ ticket_number: 'HARB-7', unresolved: true })
  expect(results[3]).toMatchObject({ ticket_number: 'HARB-8' })
  const found = await w.ada['tasks.get']({ ticket_number: 'HARB-7' })
  expect(found).toMatchObject({
    title: 'Splice the mooring line',
    priority: 2,
    estimate: 3,
    due_date: '2026-12-24',
    created_at: '2025-01-02T03:04:05.000Z',
    completed_at: '2025-02-01T00:00:00.000Z',
    created_by: { kind: 'person', name: 'Ana Lima' },
    assignees: [{ name: 'Ana Lima' }],
    labels: [{ name: 'rope' }],
  })
  const comments = await w.ada['comments.list']({ ticket_number: 'HARB-7' })
  expect(comments.items[0]).toMatchObject({ text: '<p>Done.</p>', author: { name: 'Ana Lima' } })
})

test('a record that refers to a later task is resolved when it is sent again', async () => {
  const { write, taskWith } = await startedImport()
  const first = {
    task: task('t1', {
      description: 'See [it](task:t%28.2).',
      content_type: 'markdown',
      parent: 't(.2',
    }),
  }
  const [, before] = await write({ board }, first)
  expect(before).toMatchObject({ outcome: 'created', unresolved: true })
  const [second] = await write({ task: task('t(.2') })
  const [again] = await write(first)
  expect(again).toMatchObject({ outcome: 'updated', ticket_number: before!.ticket_number })
  expect(again!.unresolved).toBeUndefined()
  const found = await taskWith(before!.ticket_number!)
  expect(found.description).toBe(`See [it](/t/${second!.ticket_number}).`)
  expect(found.parent_task_id).toBe(second!.row_id)
  const [third] = await write(first)
  expect(third!.outcome).toBe('unchanged')
})

test('importing the same records again changes nothing and adds nothing', async () => {
  const { write, changeTypes, changes, ada, import_id } = await startedImport()
  const records = [
    { person: ana },
    { board },
    { task: task('t1', { labels: ['rope'], assignees: ['p1'], description: '<p>Text</p>' }) },
    { task: task('t2', { parent: 't1' }) },
    { comment: { id: 'c1', task: 't1', text: 'Anonymous' } },
    { time_entry: { id: 'w1', task: 't1', who: 'p1', minutes: 5, day: '2026-01-02' } },
    { relation: { kind: 'related', first: 't1', second: 't2' } },
  ]
  await write(...records)
  const { seq } = (await changes()).at(-1)!
  const results = await write(...records)
  expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']))
  expect(await changeTypes(seq)).toEqual([])
  expect(await ada['imports.get']({ import_id })).toMatchObject({
    ...{ tasks: 2, comments: 1, time_entries: 1, relations: 1, attachments: 0 },
    projects: [{ key: 'HARB', title: 'Harbour' }],
  })
})

test('what changed in the source is updated, and what changed here stays', async () => {
  const { write, ada, taskWith } = await startedImport()
  const [, created] = await write(
    { board },
    { task: task('t1', { priority: 3, labels: ['rope'] }) },
  )
  const ticket_number = created!.ticket_number!
  await ada['tasks.update']({ ticket_number, title: 'Renamed here' })
  const [first] = await write({
    task: task('t1', { title: 'Task t1', priority: 1, column: 'Done', labels: ['paint'] }),
  })
  expect(first).toMatchObject({ outcome: 'updated' })
  expect(await ada['tasks.get']({ ticket_number })).toMatchObject({
    title: 'Renamed here',
    priority: 1,
    section: 'Done',
    done: true,
    labels: [{ name: 'paint' }],
  })
  const [second] = await write({
    task: task('t1', { title: 'Renamed there', priority: 1, column: 'Done', labels: ['paint'] }),
  })
  expect(second).toMatchObject({ outcome: 'kept' })
  expect((await taskWith(ticket_number)).title).toBe('Renamed here')
})

test('people match by email, then by name, and otherwise become placeholders who cannot sign in', async () => {
  const { write, ada, ben, team_id } = await startedImport()
  const people = [
    { id: '1', name: 'Someone', email: 'BEN@example.com' },
    { id: '2', name: ' cleo ' },
    { id: '3', name: 'Olga', email: 'olga@elsewhere.example' },
    { id: '4', name: 'Chosen', user_id: ada.caller.actor_id },
  ]
  const results = await write(...people.map((person) => ({ person })))
  expect(results.map(({ outcome }) => outcome).join()).toBe('unchanged,unchanged,created,unchanged')
  expect(results[0]!.row_id).toBe(ben.caller.actor_id)
  expect(results[3]!.row_id).toBe(ada.caller.actor_id)
  const members = await ada['teams.members']({ team_id })
  expect(members.items.map(({ name }) => name)).not.toContain('Olga')
  const { people: matches } = await ada['imports.preview']({
    ...{ team_id, source: 'linear', origin, boards: [] },
    people: people.map(({ user_id: _, ...person }) => person),
  })
  expect(matches.map(({ by }) => by)).toEqual(['email', 'name', null, null])
})

test('an import notifies nobody, assigns without a run and mentions nobody', async () => {
  const { write, changeTypes, cleo, changes } = await startedImport()
  const { seq } = (await changes()).at(-1)!
  await write(
    { person: { id: 'p', name: 'Cleo' } },
    { board },
    { task: task('t1', { assignees: ['p'], description: '<p>@Cleo and @Bot, look</p>' }) },
    { comment: { id: 'c1', task: 't1', author: 'p', text: '<p>@Cleo @Bot</p>' } },
  )
  const types = new Set(await changeTypes(seq))
  for (const type of [
    'task.created',
    'task.assigned',
    'task.mentioned',
    'comment.created',
    'comment.mention',
  ])
    expect(types).not.toContain(type)
  expect(types).toContain('task.imported')
  expect((await cleo['inbox.list']({})).items).toEqual([])
})

test('old keys of any form keep finding the tasks', async () => {
  const { write, taskWith, ada } = await startedImport()
  const [, one, two] = await write(
    { board },
    { task: task('t1', { key: 'bd-a3f8' }) },
    { task: task('t2', { key: 'PROJ-123' }) },
  )
  expect((await taskWith('bd-A3F8')).task_id).toBe(one!.row_id)
  expect((await taskWith('PROJ-123')).task_id).toBe(two!.row_id)
  for (const [query, id] of [
    ['bd-a3f8', one!.row_id],
    ['proj-123', two!.row_id],
  ] as const) {
    const { items } = await ada['tasks.list']({ query })
    expect(items.map(({ task_id }) => task_id)).toEqual([id])
  }
})

test('undo deletes the tasks and archives the board, and importing again restores both', async () => {
  const { write, ada, import_id, taskWith } = await startedImport()
  const records = [{ board }, ...Array.from({ length: 45 }, (_, at) => ({ task: task(`t${at}`) }))]
  const [{ row_id: project_id }, first] = (await write(...records)) as never as [
    { row_id: number },
    { ticket_number: string },
  ]
  expect(await ada['imports.undo']({ import_id })).toEqual({ import_id, deleted_tasks: 45 })
  expect((await ada['projects.manifest']({ project_id })).status).toBe('Archive')
  expect((await taskWith(first.ticket_number)).status).toBe('Deleted')
  expect((await ada['imports.get']({ import_id })).state).toBe('undone')
  const again = await write(...records)
  expect(again.slice(1).map(({ outcome }) => outcome)).toEqual(new Array(45).fill('updated'))
  expect((await ada['projects.manifest']({ project_id })).status).toBe('Normal')
  expect((await taskWith(first.ticket_number)).status).toBe('Normal')
})

test('a request with one invalid record writes nothing', async () => {
  const { write, ada, import_id } = await startedImport()
  const fault = await faultOf(
    write({ board }, { task: task('t1') }, { task: task('t2', { assignees: ['nobody'] }) }),
  )
  expect(fault).toMatchObject({ code: 'invalid', details: { field: 'records.2.task.assignees' } })
  const wrong = [
    ['records.1.task.due_date', task('t1', { due_date: '2026-02-30' })],
    ['records.1.task.recurrence', task('t1', { recurrence: 'FREQ=SECONDLY' })],
  ] as const
  for (const [field, record] of wrong)
    expect(await faultOf(write({ board }, { task: record }))).toMatchObject({ details: { field } })
  const twice = await faultOf(write({ board }, { task: task('t1') }, { task: task('t1') }))
  expect(twice).toMatchObject({ code: 'invalid', details: { field: 'records.2.task.id' } })
  expect(await ada['imports.get']({ import_id })).toMatchObject({ tasks: 0, projects: [] })
})

test('tasks that would block each other are only related', async () => {
  const { write } = await startedImport()
  const results = await write(
    { board },
    ...['t1', 't2', 't3'].map((id) => ({ task: task(id) })),
    { relation: { kind: 'blocks', first: 't1', second: 't2' } },
    { relation: { kind: 'blocks', first: 't2', second: 't3' } },
    { relation: { kind: 'blocks', first: 't3', second: 't1' } },
  )
  expect(results.at(-2)).toEqual({ outcome: 'created', row_id: expect.any(Number) })
  expect(results.at(-1)!.problem).toContain('would block each other')
})

test('a file is attached once, with the author and time of the source', async () => {
  const { write, ada, import_id } = await startedImport()
  const [, , created] = await write({ person: ana }, { board }, { task: task('t1') })
  const attachment = {
    ...{ id: 'f1', task: 't1', filename: 'knots.txt', content_type: 'text/plain' },
    ...{ data: btoa('Bowline'), created_by: 'p1', created_at: '2025-01-02T00:00:00Z' },
  }
  const first = await ada['imports.attach']({ import_id, attachment })
  const second = await ada['imports.attach']({ import_id, attachment })
  expect([first.outcome, second.outcome]).toEqual(['created', 'unchanged'])
  const files = await ada['attachments.list']({ ticket_number: created!.ticket_number! })
  expect(files.items).toMatchObject([
    {
      filename: 'knots.txt',
      created_by: { name: 'Ana Lima' },
      created_at: '2025-01-02T00:00:00.000Z',
    },
  ])
})

test('members, guests and agents cannot import, and admins of another team see nothing of it', async () => {
  const { cleo, bot, otto, team_id, import_id } = await startedImport()
  for (const actor of [cleo, bot]) {
    const fault = await faultOf(actor['imports.start']({ team_id, source: 'trello', origin }))
    expect(fault.code).toBe('forbidden')
  }
  expect((await faultOf(otto['imports.get']({ import_id }))).code).toBe('not_found')
})

test('tasks that are subtasks of each other in the source are imported without a cycle', async () => {
  const { write, taskWith } = await startedImport()
  const [, one, two] = await write(
    { board },
    { task: task('t1', { parent: 't2' }) },
    { task: task('t2', { parent: 't1' }) },
  )
  expect(one!.problem).toBe('It is its own subtask')
  const parents = [
    (await taskWith(one!.ticket_number!)).parent_task_id,
    (await taskWith(two!.ticket_number!)).parent_task_id,
  ]
  expect(parents).toEqual([null, null])
  const [again] = await write({ task: task('t1', { parent: 't2' }) })
  expect(again!.outcome).toBe('updated')
  const [cycle] = await write({ task: task('t2', { parent: 't1' }) })
  expect(cycle!.problem).toContain('already below')
})

test('an import cannot write to a board or name a member of another team', async () => {
  const { write, otto, otherTeamId, ada } = await startedImport()
  const foreign = await otto['projects.create']({
    ...{ title: 'Foreign', team_id: otherTeamId, sections: [{ title: 'Now' }] },
  })
  const toBoard = await faultOf(write({ board: { ...board, project_id: foreign.project_id } }))
  expect(toBoard).toMatchObject({ code: 'not_found', details: { field: 'project_id' } })
  const person = { id: 'p', name: 'Otto', user_id: otto.caller.actor_id }
  const named = await faultOf(write({ person }))
  expect(named).toMatchObject({ code: 'invalid', details: { field: 'records.0.person.user_id' } })
  expect((await ada['projects.list']({})).items.map(({ title }) => title)).not.toContain('Harbour')
})

test('texts keep every character, in both formats', async () => {
  const { write, ada, taskWith } = await startedImport()
  const text = 'Ünïcödé 🚢 `code` <b>bold</b>\n\n- [ ] knot\n- [x] splice'
  const [, created] = await write(
    { board: { ...board, description: '<p>Ropes &amp; knots</p>' } },
    { task: task('t1', { description: text, content_type: 'markdown' }) },
    { comment: { id: 'c', task: 't1', text: '<p>a &lt; b</p>', content_type: 'html' } },
  )
  const ticket_number = created!.ticket_number!
  expect(await taskWith(ticket_number)).toMatchObject({ description: text })
  const comments = await ada['comments.list']({ ticket_number })
  expect(comments.items[0]).toMatchObject({ text: '<p>a &lt; b</p>', content_type: 'html' })
})

test('a member replaces a placeholder everywhere, and in later imports', async () => {
  const { write, ada, cleo, team_id, taskWith } = await startedImport()
  const records = [
    { person: ana },
    { board },
    { task: task('t1', { created_by: 'p1', assignees: ['p1'], description: 'Text' }) },
    { comment: { id: 'c1', task: 't1', author: 'p1', text: 'Mine' } },
    { time_entry: { id: 'w1', task: 't1', who: 'p1', minutes: 5, day: '2026-01-02' } },
  ]
  const [person, , created] = await write(...records)
  const user_id = person!.row_id
  const to_user_id = cleo.caller.actor_id
  const before = await ada['placeholders.list']({ team_id })
  expect(before.items).toEqual([{ user_id, name: 'Ana Lima', email: ana.email }])
  const result = await ada['placeholders.assign']({ team_id, user_id, to_user_id })
  expect(result).toEqual({ user_id, to_user_id, replaced_rows: 3 })
  expect((await ada['placeholders.list']({ team_id })).items).toEqual([])
  const ticket_number = created!.ticket_number!
  expect(await taskWith(ticket_number)).toMatchObject({
    created_by: { user_id: to_user_id },
    assignees: [{ user_id: to_user_id }],
  })
  const comments = await ada['comments.list']({ ticket_number })
  expect(comments.items[0]).toMatchObject({ author: { user_id: to_user_id } })
  const again = await write(...records)
  expect(new Set(again.map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']))
  const [, other] = await write({ task: task('t2', { assignees: ['p1'] }) }, { task: task('t3') })
  expect(other!.outcome).toBe('created')
  const ben = await faultOf(
    ada['placeholders.assign']({ team_id, user_id, to_user_id: ada.caller.actor_id }),
  )
  expect(ben.code).toBe('conflict')
})

test('an agent learns that the texts of an imported task come from another product', async () => {
  const { write, bot, tasks } = await startedImport()
  const [, created] = await write({ board }, { task: task('t1') })
  const ticket_number = created!.ticket_number!
  const short = await bot['tasks.context']({ ticket_number, summary: true })
  expect(short).toMatchObject({ imported_from: 'trello' })
  const own = await bot['tasks.context']({ task_id: tasks.logo.task_id })
  expect(own).toMatchObject({ imported_from: null })
})

test('comments that answer each other in one request are imported with their answers', async () => {
  const { write, ada } = await startedImport()
  const comment = (id: string, reply_to?: string) => ({
    comment: { id, task: 't1', text: `<p>${id}</p>`, ...(reply_to && { reply_to }) },
  })
  const results = await write(
    { board },
    { task: task('t1') },
    ...[
      comment('c2', 'c1'),
      comment('c1'),
      comment('c3', 'c2'),
      comment('a', 'b'),
      comment('b', 'a'),
    ],
  )
  const [c2, c1, c3] = results.slice(2).map(({ row_id }) => row_id)
  const { items } = await ada['comments.list']({ ticket_number: results[1]!.ticket_number! })
  const answers = new Map(
    items.map(({ comment_id, reply_to_comment_id }) => [comment_id, reply_to_comment_id]),
  )
  expect([answers.get(c2!), answers.get(c1!), answers.get(c3!)]).toEqual([c1!, null, c2!])
  expect(items).toHaveLength(5)
  const twice = await faultOf(write(comment('d'), comment('d')))
  expect(twice).toMatchObject({ code: 'invalid', details: { field: 'records.1.comment.id' } })
})

test('a record overwrites the fields that it names, whatever changed here, and no others', async () => {
  const w = await startedImport()
  const [, created] = await w.write({ board }, { task: task('t1', { priority: 2 }) })
  const ticket_number = created!.ticket_number!
  await w.ada['tasks.update']({ ticket_number, title: 'Here', priority: 4 })
  const source = task('t1', { title: 'There', priority: 1, labels: ['rope'] })
  expect(await w.write({ task: { ...source, overwrite: ['title'] } })).toMatchObject([
    { outcome: 'updated', ticket_number },
  ])
  expect(await w.taskWith(ticket_number)).toMatchObject({ title: 'There', priority: 4, labels: [] })
  await w.ada['tasks.update']({ ticket_number, status: 'Deleted' })
  await w.write({ task: { ...source, overwrite: ['title'] } })
  expect(await w.taskWith(ticket_number)).toMatchObject({ status: 'Deleted' })
  await w.write({ task: { ...source, overwrite: ['archived', 'labels'] } })
  expect(await w.taskWith(ticket_number)).toMatchObject({
    ...{ status: 'Normal', priority: 4, labels: [{ name: 'rope' }] },
  })
})

test('the result names what changed here, and what changed on both sides', async () => {
  const w = await startedImport()
  const [, created] = await w.write({ board }, { task: task('t1') })
  await w.ada['tasks.update']({
    ...{ ticket_number: created!.ticket_number!, title: 'Here', priority: 1 },
  })
  expect(await w.write({ task: task('t1', { title: 'There' }) })).toMatchObject([
    { outcome: 'kept', changed_here: ['priority'], conflicts: ['title'] },
  ])
})

test('a record becomes a task or comment that is on its board already', async () => {
  const w = await startedImport()
  const [{ row_id: project_id } = { row_id: 0 }] = await w.write({ board })
  const { task_id, ticket_number } = await w.ada['tasks.create']({ project_id, title: 'Here' })
  const { comment_id } = await w.ada['comments.add']({ ticket_number, text: 'Soon.' })
  const source = { ...task('t1', { title: 'There' }), overwrite: [] }
  const comment = { id: 'c1', task: 't1', text: 'Later.' }
  expect(
    await w.write({ task: { ...source, task_id } }, { comment: { ...comment, comment_id } }),
  ).toMatchObject([{ outcome: 'unchanged', row_id: task_id }, { row_id: comment_id }])
  await w.write({ task: { ...source, overwrite: ['title'] } }, { comment })
  expect(await w.taskWith(ticket_number)).toMatchObject({ title: 'There', comment_count: 1 })
  expect(await w.ada['comments.get']({ comment_id })).toMatchObject({ text: 'Later.' })
})

test('a record cannot become a task or comment of another board or task', async () => {
  const w = await startedImport()
  await w.write({ board }, { task: task('t1') })
  const { project_id } = w.board
  const { task_id, ticket_number } = await w.ada['tasks.create']({ project_id, title: 'Theirs' })
  const { comment_id } = await w.ada['comments.add']({ ticket_number, text: 'Soon.' })
  const adopted = [
    { task: { ...task('t2'), task_id } },
    { comment: { id: 'c1', task: 't1', text: 'Later.', comment_id } },
  ]
  for (const record of adopted)
    expect((await faultOf(w.write(record))).message).toMatch(/^There is no (task|comment) \d+ on /)
})

test('a record with the id of a deleted task becomes a new task if it asks for one', async () => {
  const w = await startedImport()
  const [, first] = await w.write({ board }, { task: task('t1') })
  const again = { ...task('t1', { title: 'Again' }), task_id: null }
  expect(await w.write({ task: again })).toMatchObject([{ row_id: first!.row_id }])
  await w.ada['tasks.update']({ ticket_number: first!.ticket_number!, status: 'Deleted' })
  const [second] = await w.write({ task: again })
  expect(second).toMatchObject({ outcome: 'created' })
  expect(second!.row_id).not.toBe(first!.row_id)
  expect(await w.write({ task: again })).toMatchObject([{ row_id: second!.row_id }])
  expect(await w.taskWith(first!.ticket_number!)).toMatchObject({ status: 'Deleted' })
})
