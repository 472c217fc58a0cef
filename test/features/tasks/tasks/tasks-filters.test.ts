import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { createManyTasks, type TaskFacts } from '../../../support/many-tasks.ts'
import { type Actor, world } from '../../../support/world.ts'

type List = Parameters<Actor['tasks.list']>[0]

async function lists() {
  const w = await createManyTasks(13)
  const normal = w.facts.filter(({ status }) => status === 'Normal')
  return {
    ...w,
    async found(filter: List) {
      const { items, page } = await w.cleo['tasks.list']({ ...filter, limit: 50 })
      expect(page.total).toBe(items.length)
      return items.map(({ task_id }) => task_id).sort((a, b) => a - b)
    },
    expected: (matches: (task: TaskFacts) => boolean) =>
      normal.filter(matches).map(({ task_id }) => task_id),
  }
}

test('a list is filtered by attachments, comments and pull requests, alone or combined', async () => {
  const { found, expected, board } = await lists()
  const { project_id } = board
  for (const yes of [true, false]) {
    expect(await found({ has_attachments: yes })).toEqual(
      expected(({ attachmentCount }) => attachmentCount > 0 === yes),
    )
    expect(await found({ project_id, has_comments: yes, labels: 'bug' })).toEqual(
      expected(
        ({ commentCount, labelNames }) => commentCount > 0 === yes && labelNames.includes('bug'),
      ),
    )
    expect(await found({ project_id, filter: { has_pr: yes } })).toEqual(
      expected(({ badge }) => (badge !== null) === yes),
    )
  }
  const red = expected(({ badge }) => badge === 'red')
  expect(red).not.toEqual([])
  expect(await found({ filter: { has_pr: 'red' } })).toEqual(red)
})

test('a list is filtered by custom fields, by name or id, with one value, several or none', async () => {
  const { found, expected, board, cleo } = await lists()
  const { items } = await cleo['custom_fields.list']({ project_id: board.project_id })
  const points = items.find(({ name }) => name === 'Points')!.field_id
  const ones = expected(({ customFields }) => customFields.Points === 1)
  expect(ones).not.toEqual([])
  const equivalent: List['custom_fields'][] = [
    ...[{ Points: 1 }, { points: '1' }, { [points]: 1 }, { Points: [1] }],
  ]
  for (const custom_fields of equivalent) expect(await found({ custom_fields })).toEqual(ones)
  expect(await found({ custom_fields: { Points: [1, 10], Stage: 'trial' } })).toEqual(
    expected(
      ({ customFields }) =>
        [1, 10].includes(customFields.Points!) && customFields.Stage === 'Trial',
    ),
  )
  expect(await found({ custom_fields: { Points: null } })).toEqual(
    expected(({ customFields }) => customFields.Points === undefined),
  )
  expect(await found({ custom_fields: { Ready: false } })).toEqual(
    expected(({ customFields }) => !customFields.Ready),
  )
  expect(await found({ custom_fields: { Ends: '2026-11-20' } })).toEqual(
    expected(({ customFields }) => customFields.Ends === '2026-11-20'),
  )
})

test('a list of more than a thousand tasks with one label or assignee has the total and order of any list', async () => {
  const { ada, cleo, board } = await world()
  const { project_id } = board
  await ada['labels.create']({ project_id, name: 'many' })
  const created: number[] = []
  for (let batch = 0; batch < 51; batch++) {
    const tasks = Array.from({ length: 20 }, (_, at) => ({
      ...{ title: `Step ${batch * 20 + at}`, priority: at % 5 },
      ...{ labels: ['many'], assignees: ['Cleo'] },
    }))
    const rows = await ada['tasks.create_many']({ project_id, tasks })
    created.push(...rows.map(({ task_id }) => task_id!))
  }
  const [gone, archived, ...rest] = created as [number, number, ...number[]]
  await ada['tasks.update']({ task_id: gone, labels: [], assignee_ids: [] })
  await ada['tasks.update']({ task_id: archived, status: 'Archive' })
  const newest = rest.toReversed()
  // The world has a task of Cleo's already.
  for (const [filter, total] of [
    [{ labels: 'many' }, rest.length],
    [{ assigned_to: 'Cleo' }, rest.length + 1],
  ] as const)
    for (const place of [{ project_id }, {}]) {
      const list = (more: List) => cleo['tasks.list']({ ...place, ...filter, ...more, limit: 40 })
      const first = await list({ sort: 'createdAt:desc' })
      expect(first.items.map(({ task_id }) => task_id)).toEqual(newest.slice(0, 40))
      const second = await list({ sort: 'createdAt:desc', cursor: first.page.next_cursor! })
      expect(second.items.map(({ task_id }) => task_id)).toEqual(newest.slice(40, 80))
      expect([first.page.total, second.page.total]).toEqual([total, total])
      const urgent = await list({ priority: 'Urgent' })
      expect(urgent.page.total).toBe(203)
      const { items } = await list({ status: 'Archive' })
      expect(items.map(({ task_id }) => task_id)).toEqual([archived])
    }
})

test('over REST the same filters are query parameters', async () => {
  const { http, cleo, expected } = await lists()
  const ask = async (query: string) => {
    const { status, body } = await http(cleo, 'GET', `/api/v1/tasks?limit=50&${query}`)
    expect([query, status]).toEqual([query, 200])
    return body.data
      .map((task: { task_id: number }) => task.task_id)
      .sort((a: number, b: number) => a - b)
  }
  const json = (value: unknown) => encodeURIComponent(JSON.stringify(value))
  expect(await ask('has_comments=true&has_attachments=false')).toEqual(
    expected(({ commentCount, attachmentCount }) => commentCount > 0 && !attachmentCount),
  )
  expect(await ask(`custom_fields=${json({ Points: 10 })}`)).toEqual(
    expected(({ customFields }) => customFields.Points === 10),
  )
  for (const has_pr of ['red', 'true', true])
    expect(await ask(`filter=${json({ has_pr })}`)).toEqual(
      expected(({ badge }) => (has_pr === 'red' ? badge === 'red' : badge !== null)),
    )
})

test('a custom field named like a built-in field is filtered separately', async () => {
  const { ada, cleo, board, tasks } = await world()
  const { project_id } = board
  await ada['custom_fields.create']({ project_id, name: 'Priority', type: 'text' })
  await cleo['custom_fields.set']({ ...tasks.copy, field_name: 'Priority', value: 'Urgent' })
  const found = async (filter: List) =>
    (await cleo['tasks.list'](filter)).items.map(({ ticket_number }) => ticket_number)
  expect(await found({ priority: 'Urgent' })).toEqual(['HP-3'])
  expect(await found({ custom_fields: { priority: 'urgent' } })).toEqual(['HP-2'])
})

test('custom fields with one name on several boards are filtered and sorted together', async () => {
  const { ada, cleo, team_id, board, tasks } = await world()
  const other = await ada['projects.create']({
    team_id,
    title: 'Other',
    sections: [{ title: 'Here' }],
  })
  for (const project_id of [board.project_id, other.project_id])
    await ada['custom_fields.create']({ project_id, name: 'Cost', type: 'number' })
  const { task_id } = await ada['tasks.create']({ project_id: other.project_id, title: 'Far' })
  await ada['custom_fields.set']({ task_id, field_name: 'Cost', value: 5 })
  await ada['custom_fields.set']({ ...tasks.copy, field_name: 'Cost', value: 5 })
  await ada['custom_fields.set']({ ...tasks.link, field_name: 'Cost', value: 1 })
  const found = async (filter: List) =>
    (await cleo['tasks.list'](filter)).items.map(({ ticket_number }) => ticket_number)
  expect((await found({ custom_fields: { cost: 5 } })).sort()).toEqual(['HP-2', 'OTH-1'])
  expect((await found({ sort: 'cf:cost:desc' })).slice(0, 3)).toEqual(['HP-2', 'OTH-1', 'HP-3'])
})

test('invalid filters and sorts by custom fields are refused with the field and code', async () => {
  const { cleo, board } = await lists()
  const { project_id } = board
  const bad: [List, string, string][] = [
    [{ custom_fields: { Pionts: 1 } }, 'custom_fields.Pionts', 'unknown_field'],
    [{ custom_fields: { Points: 'many' } }, 'custom_fields.Points', 'invalid_type'],
    [{ custom_fields: { Points: {} } } as never, 'custom_fields.Points', 'invalid_type'],
    [{ custom_fields: { Ends: 'soon' } }, 'custom_fields.Ends', 'invalid_format'],
    [{ has_comments: 'perhaps' } as never, 'has_comments', 'invalid_type'],
    [{ filter: { has_pr: 'blue' } } as never, 'filter.has_pr', 'out_of_range'],
    [{ sort: 'cf:Pionts' }, 'sort', 'out_of_range'],
    [{ sort: 'cf:' }, 'sort', 'out_of_range'],
    [{ sort: 'cf:Points:up' }, 'sort', 'out_of_range'],
    [{ sort: 'cf:Points:asc', sort_order: 'desc' }, 'sort', 'conflict'],
    [{ sort: 'cf:Points', sort_by: 'title' }, 'sort', 'conflict'],
  ]
  for (const [filter, field, code] of bad)
    for (const input of [filter, { ...filter, project_id }]) {
      const { details } = await faultOf(cleo['tasks.list'](input))
      expect([input, details.field, details.code]).toEqual([input, field, code])
    }
  const fault = await faultOf(cleo['tasks.list']({ custom_fields: { Pionts: 1 } }))
  expect(fault.message).toEndWith('Pionts is not a custom field of these tasks')
  expect(fault.hint).toBe('Did you mean Points?')
  const { page } = await cleo['tasks.list']({ sort: 'cf:Points', limit: 5 })
  const cursor = page.next_cursor!
  for (const sort of ['cf:Points:desc', 'cf:Stage', 'title']) {
    const { details } = await faultOf(cleo['tasks.list']({ sort, limit: 5, cursor }))
    expect([sort, details.field, details.code]).toEqual([sort, 'cursor', 'conflict'])
  }
})

test('a date filter refuses names of object properties, such as __proto__', async () => {
  const { ada } = await world()
  for (const due_date_before of ['__proto__', 'constructor', 'toString'])
    expect(await faultOf(ada['tasks.list']({ due_date_before }))).toMatchObject({
      details: { field: 'due_date_before', code: 'invalid_format' },
    })
})
