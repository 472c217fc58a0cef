import { expect, test } from 'bun:test'
import { catchRefusal, chatToolsWorld } from './chat-tools.ts'

interface Row {
  ticket_number: string
  task_id: number
  title: string
  labels: { name: string }[]
  assignees: { name: string }[]
  parent_task_id: number | null
}

const rowOf = async (w: Awaited<ReturnType<typeof chatToolsWorld>>, ticket_number: string) =>
  (await w.ada['tasks.get']({ ticket_number })) as Row

test('one call creates three nested tasks, with labels and with assignees by name', async () => {
  const w = await chatToolsWorld()
  const { answer } = await w.chat.call('tasks_create_many', {
    project_id: w.board.project_id,
    tasks: [
      { title: 'Paint the fence', labels: ['bug'], assignees: ['cleo', 'Bot'], priority: 'High' },
      { title: 'Buy paint', parent: 0, due_date: '2026-12-01' },
      { title: 'Find a shop', parent: 1, description: '**Near**', content_type: 'markdown' },
    ],
  })
  const created = answer.data as Row[]
  expect(created.map(({ title }) => title)).toEqual(['Paint the fence', 'Buy paint', 'Find a shop'])
  const [fence, paint, shop] = await Promise.all(created.map((one) => rowOf(w, one.ticket_number)))
  expect(fence!.assignees.map(({ name }) => name)).toEqual(['Cleo', 'Bot'])
  expect(fence!.labels).toMatchObject([{ name: 'bug' }])
  expect([paint!.parent_task_id, shop!.parent_task_id]).toEqual([fence!.task_id, paint!.task_id])
  expect(shop).toMatchObject({ description: '**Near**', content_type: 'markdown' })
  expect((await w.changeTypes()).filter((type) => type === 'task.created')).toHaveLength(3)
})

const invalidCases: [string, object, object][] = [
  ['an unknown label', { labels: ['nope'] }, { field: 'tasks.1.labels' }],
  ['an unknown priority', { priority: 'Soon' }, { field: 'tasks.1.priority' }],
  [
    'a parent that is not an earlier task',
    { parent: 1 },
    { field: 'tasks.1.parent', code: 'out_of_range' },
  ],
  ['two parents', { parent: 0, parent_task_id: 1 }, { field: 'tasks.1.parent', code: 'conflict' }],
  ['an unknown assignee', { assignees: ['Otto'] }, { field: 'tasks.1.assignees.0' }],
  ['an empty description', { description: ' ' }, { field: 'tasks.1.description' }],
  ['an unknown field', { colour: 'red' }, { field: 'tasks.1.colour', code: 'unknown_field' }],
  ['a number as text', { estimate: '3' }, { field: 'tasks.1.estimate', code: 'invalid_type' }],
]
for (const [problem, fields, details] of invalidCases)
  test(`no task of a call is created if one has ${problem}, and the refusal names the field`, async () => {
    const w = await chatToolsWorld()
    const { project_id } = w.board
    const tasks = [{ title: 'Good' }, { title: 'Bad', ...fields }]
    const fault = await catchRefusal(w.chat.call('tasks_create_many', { project_id, tasks }))
    expect(fault.details).toMatchObject(details)
    expect(await w.changeTypes()).toEqual([])
  })

test('one call creates at most 200 tasks, and an empty list is refused', async () => {
  const w = await chatToolsWorld()
  const { project_id } = w.board
  const tasksOf = (n: number) => Array.from({ length: n }, (_, i) => ({ title: `Task ${i}` }))
  await w.chat.call('tasks_create_many', { project_id, tasks: tasksOf(200) })
  for (const tasks of [tasksOf(201), []])
    await catchRefusal(w.chat.call('tasks_create_many', { project_id, tasks }))
  expect(await w.changeTypes()).toHaveLength(200)
})

test('one label is added and removed by id or name, and the other labels stay', async () => {
  const w = await chatToolsWorld()
  const { logo, copy } = w.tasks
  const ticket_numbers = [logo.ticket_number, copy.ticket_number]
  const names = async ({ ticket_number }: { ticket_number: string }) =>
    (await rowOf(w, ticket_number)).labels.map(({ name }) => name)
  await w.chat.call('tasks_add_label', { ticket_numbers, label: ' BUG ' })
  expect([await names(logo), await names(copy)]).toEqual([['bug', 'ui'], ['bug']])
  await w.chat.call('tasks_remove_label', { ticket_numbers, label: w.labels.bug })
  expect([await names(logo), await names(copy)]).toEqual([['ui'], []])
  const { answer } = await w.chat.call('tasks_remove_label', { ticket_numbers, label: 'bug' })
  expect(answer.data).toMatchObject([{ changed: [] }, { changed: [] }])
  const { details, hint } = await catchRefusal(
    w.chat.call('tasks_add_label', { ticket_numbers, label: 'nope' }),
  )
  expect(details).toMatchObject({ code: 'not_found', ticket_number: logo.ticket_number })
  expect(hint).toContain('bug, ui')
})

test('malformed input is refused with the field and a hint that lets a model correct it', async () => {
  const w = await chatToolsWorld()
  const { ticket_number } = w.tasks.copy
  const faultOf = (name: string, input: unknown) => catchRefusal(w.chat.call(name, input))
  const unparsed = await faultOf('tasks_update', '{"ticket_number": "HP-1", "title"')
  expect(unparsed).toMatchObject({ details: { field: 'input', code: 'invalid_type' } })
  expect(unparsed.hint).toStartWith('Its fields are ticket_number, title')
  expect((await faultOf('tasks_update', [ticket_number])).details.field).toBe('input')
  const wrongType = await faultOf('tasks_update', { ticket_number, estimate: '3' })
  expect(wrongType.message).toBe('estimate must be integer')
  const fault = await faultOf('tasks_update', { ticket_number, prioriti: 'High' })
  expect(fault.hint).toBe('Did you mean priority?')
  expect(await w.changeTypes()).toEqual([])
})

test('a refusal names the tools of a chat, not those of MCP', async () => {
  const w = await chatToolsWorld()
  const unknown = { ticket_numbers: ['HP-99'], assignees: ['me'] }
  const { text } = await catchRefusal(w.chat.call('tasks_assign_to', unknown))
  expect(text).toContain('List tasks: tasks_list')
  expect(text).not.toContain('svc_')
})
