import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { TaskRecord } from '../../../../src/features/tasks/records/model/schema.ts'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, world } from '../../../support/world.ts'

type List = Parameters<Actor['tasks.list']>[0]

const inOrder = (page: { items: { ticket_number?: string }[] }) =>
  page.items.map(({ ticket_number }) => ticket_number!)
const keys = (page: { items: { ticket_number?: string }[] }) => inOrder(page).sort()

const DAYS = ['2026-11-18', '2026-11-20', '2026-11-25', '2026-12-03']

const pickFields = <T extends object>(all: T, names: readonly string[]): Partial<T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))) as Partial<T>

const LABELS = [{ name: 'bug' }, { name: 'ui' }]

/** 58 varied tasks on two boards, the same in every run. */
async function createVariedTasks() {
  const w = await world()
  const { cleo, ben, bot, clock, board, sections, team_id } = w
  const otherBoard = await cleo['projects.create']({
    ...{ team_id, title: 'Shed', sections: [{ title: 'Inbox' }], labels: LABELS },
  })
  let seed = 7
  const below = (limit: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % limit
  }
  for (let i = 0; i < 54; i++) {
    const isElsewhere = i % 8 === 7
    if (below(2)) clock.advance(60_000)
    const actor = below(2) ? cleo : ben
    const day = DAYS[below(DAYS.length)]!
    const { task_id } = await actor['tasks.create']({
      project_id: isElsewhere ? otherBoard.project_id : board.project_id,
      title: ['apple', 'Pear', 'plum tart', '100% plum'][below(4)]!,
      ...(below(3) === 0 && { description: 'a word about Pears' }),
      ...(!isElsewhere && { section_id: Object.values(sections)[below(5)]! }),
      priority: below(5),
      ...(below(3) && { due_date: below(2) ? day : `${day}T12:00:00Z` }),
      labels: ['bug', 'ui'].filter(() => below(3) === 0),
      assignee_ids: [cleo, ben].filter(() => below(3) === 0).map((one) => one.caller.actor_id),
      ...(below(6) === 0 && !isElsewhere && { parent_task_id: w.tasks.logo.task_id }),
    })
    if (below(5) === 0) await cleo['tasks.assign']({ task_id, agent_id: bot.caller.agent_id! })
    if (below(6) === 0)
      await actor['tasks.update']({ task_id, status: below(2) ? 'Archive' : 'Deleted' })
  }
  const allTasks: TaskRecord[] = []
  for (let task_id = 1; task_id <= 58; task_id++)
    allTasks.push((await cleo['tasks.get']({ task_id })) as TaskRecord)
  return { ...w, otherBoard, allTasks }
}

const PRIORITIES: Record<string, number> = { urgent: 1, High: 2, LOW: 4, None: 0 }

/** A second, simple implementation of the filters, to compare with. */
function matches(task: TaskRecord, filter: List, { caller }: Actor): boolean {
  const contains = (text: string) =>
    task.ticket_number.toLowerCase() === text ||
    [task.title, task.description ?? ''].some((one) =>
      ` ${one.toLowerCase()}`.includes(` ${text.toLowerCase()}`),
    )
  const due = (edge: string, after: boolean) => {
    if (task.due_date === null) return false
    const one = edge.length === 10 ? task.due_date.slice(0, 10) : task.due_date
    return after ? one > edge : one < edge
  }
  const names = [filter.labels ?? []].flat()
  const priorities = [filter.priority ?? []].flat().map((one) => PRIORITIES[one] ?? one)
  const holder = filter.assigned_to
  const isAssigned = task.assignees.some(
    (one) =>
      (holder === 'me' && one.user_id === caller.actor_id) ||
      one.name.toLowerCase() === holder ||
      one.agent_id === holder ||
      [holder].flat().includes(one.user_id as never),
  )
  return [
    task.status === (filter.status ?? 'Normal'),
    !filter.section || task.section.toLowerCase() === filter.section.toLowerCase(),
    !names.length || task.labels.some(({ name }) => names.includes(name)),
    filter.project_id === undefined || filter.project_id === task.project_id,
    filter.section_id === undefined || filter.section_id === task.section_id,
    !priorities.length || priorities.includes(task.priority),
    filter.has_due_date === undefined || filter.has_due_date === (task.due_date !== null),
    !filter.due_date_after || due(filter.due_date_after, true),
    !filter.due_date_before || due(filter.due_date_before, false),
    !filter.created_by || task.created_by.user_id === filter.created_by,
    !filter.created_since || task.created_at >= filter.created_since,
    !filter.updated_since || task.updated_at >= filter.updated_since,
    filter.parent_task_id === undefined || task.parent_task_id === filter.parent_task_id,
    !filter.query || contains(filter.query),
    holder === undefined || (holder === 'none' ? !task.assignees.length : isAssigned),
  ].every(Boolean)
}

test('any combination of filters returns the tasks that a simple implementation returns', async () => {
  const { cleo, ben, bot, board, otherBoard, sections, allTasks } = await createVariedTasks()
  const ids = [cleo.caller.actor_id, ben.caller.actor_id]
  const assignees = ['me', 'none', 'ben', 'bot', bot.caller.agent_id!, ids[1]!, ids]
  const values = {
    project_id: fc.constantFrom(board.project_id, otherBoard.project_id),
    section_id: fc.constantFrom(...Object.values(sections)),
    section: fc.constantFrom('doing', 'Inbox', 'DONE', 'nowhere'),
    labels: fc.constantFrom<List['labels'][]>('bug', ['bug', 'ui'], ['nothing']),
    priority: fc.oneof(
      fc.integer({ min: 0, max: 4 }),
      fc.constantFrom<List['priority'][]>('urgent', [1, 2, 0], ['High', 'LOW', 'None', 2]),
    ),
    assigned_to: fc.constantFrom(...assignees),
    created_by: fc.constantFrom(...ids),
    created_since: fc.constant('2026-11-20T12:10:00.000Z'),
    updated_since: fc.constantFrom('2026-11-20T12:15:00.000Z', '2026-11-20T12:20:00.000Z'),
    due_date_after: fc.constantFrom('2026-11-20', '2026-11-20T13:00:00.000Z'),
    due_date_before: fc.constantFrom('2026-11-25', '2026-12-03T12:00:00.000Z'),
    has_due_date: fc.boolean(),
    status: fc.constantFrom('Normal', 'Archive', 'Deleted'),
    parent_task_id: fc.constantFrom(1, null),
    query: fc.constantFrom('PEAR', 'plum', 'wor', 'hp-1', 'ear', 'lum', 'zebra'),
  } satisfies { [Name in keyof List]?: fc.Arbitrary<List[Name]> }
  // More filters at once leave no task, and then a filter that does nothing is not found.
  const names = fc.uniqueArray(fc.constantFrom(...Object.keys(values)), { maxLength: 3 })
  const filter = fc
    .tuple(fc.record(values), names)
    .map(([all, chosen]): List => pickFields(all, chosen))
  let nonEmpty = 0
  await fc.assert(
    fc.asyncProperty(filter, async (filters) => {
      // A day has no hour to compare with a date-time, so such a filter skips tasks due on a day.
      const edges = [filters.due_date_after, filters.due_date_before]
      const exact = edges.every((edge) => !edge || edge.length === 10)
      const expected = allTasks.filter(
        (task) => matches(task, filters, cleo) && (exact || task.due_date?.length !== 10),
      )
      const found = await cleo['tasks.list']({ ...filters, limit: 50 })
      const comparable = found.items.filter((task) => exact || task.due_date?.length !== 10)
      if (found.items.length) nonEmpty++
      expect(found.page.total).toBe(found.items.length)
      expect(keys({ items: comparable })).toEqual(keys({ items: expected }))
    }),
    { numRuns: 300 },
  )
  expect(nonEmpty).toBeGreaterThan(150)
})

const ORDERS: Record<string, (task: TaskRecord) => string | number | null> = {
  createdAt: (task) => task.created_at,
  updatedAt: (task) => task.updated_at,
  dueDate: (task) => (task.due_date === null ? null : task.due_date.slice(0, 10)),
  priority: (task) => task.priority || null,
  title: (task) => task.title,
}

for (const [by, value] of Object.entries(ORDERS))
  for (const direction of ['asc', 'desc'] as const)
    test(`sorted by ${by} ${direction}, pages contain every task once, those without a value last`, async () => {
      const { cleo } = await createVariedTasks()
      const collected: TaskRecord[] = []
      let cursor: string | undefined
      do {
        const { items, page } = await cleo['tasks.list']({
          sort: `${by}:${direction}`,
          limit: 7,
          cursor,
        })
        collected.push(...(items as TaskRecord[]))
        cursor = page.next_cursor ?? undefined
      } while (cursor)
      const { page } = await cleo['tasks.list']({ limit: 1 })
      expect(new Set(collected.map(({ task_id }) => task_id)).size).toBe(page.total!)
      expect(collected).toHaveLength(page.total!)
      const values = collected.map(value)
      const sorted = values.filter((one) => one !== null)
      expect(values.slice(sorted.length).every((one) => one === null)).toBe(true)
      const ordered = sorted.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      expect(sorted).toEqual(direction === 'asc' ? ordered : ordered.reverse())
    })

test('tasks are listed newest first by default, and filter works like the separate parameters', async () => {
  const { cleo, clock, board, tasks } = await world()
  const found = async (filter: List) =>
    (await cleo['tasks.list'](filter)).items.map(({ ticket_number }) => ticket_number)
  expect(await found({})).toEqual(['HP-4', 'HP-3', 'HP-2', 'HP-1'])
  expect((await found({ sort_by: 'priority' })).slice(0, 2)).toEqual(['HP-3', 'HP-1'])
  expect(await found({ filter: { section: 'doing', label: 'UI', assignee: 'me' } })).toEqual([
    'HP-1',
  ])
  expect(await found({ filter: { label: 'UI' }, section: 'Next' })).toEqual([])
  clock.advance(5000)
  await cleo['tasks.update']({ ...tasks.copy, status: 'Archive' })
  const updated_since = '2026-11-20T12:00:05Z'
  const status = 'Archive' as const
  for (const input of [{ updated_since, status }, { filter: { updated_since, status } }])
    expect(await found({ project_id: board.project_id, ...input })).toEqual(['HP-2'])
})

test('an invalid updated_since of any type is ignored with a warning', async () => {
  const { cleo, http } = await world()
  for (const bad of ['nonsense', '2026-02-30', '', '%00', '1e99', '{"a":1}', 'null']) {
    const { status, body } = await http(cleo, 'GET', `/api/v1/tasks?updated_since=${bad}`)
    expect([bad, status, body.success, body.data?.length]).toEqual([bad, 200, true, 4])
    expect(body.warnings).toEqual([
      { field: 'updated_since', code: 'invalid_format', message: expect.any(String) },
    ])
  }
  for (const bad of [5, null, 'x', [], {}, true]) {
    const filter = encodeURIComponent(JSON.stringify({ updated_since: bad }))
    const { status, body } = await http(cleo, 'GET', `/api/v1/tasks?filter=${filter}`)
    expect([bad, status, body.warnings?.[0].field]).toEqual([bad, 200, 'filter.updated_since'])
  }
})

test('a list includes the description only if fields selects it', async () => {
  const { cleo } = await world()
  const [plain] = (await cleo['tasks.list']({ section: 'Doing' })).items
  expect(plain).not.toHaveProperty('description')
  const { items } = await cleo['tasks.list']({
    ...{ section: 'Doing', fields: ['ticket_number', 'description'] },
  })
  expect(items as unknown[]).toEqual([
    { ticket_number: 'HP-1', description: '<p>In two colours.</p>' },
  ])
})

test('invalid filters are refused with field and code, and another team’s board is not found', async () => {
  const { cleo, board, otto } = await world()
  const bad = [
    [{ created_since: '2026-02-30' }, 'created_since', 'invalid_format'],
    [{ due_date_after: 'soon' }, 'due_date_after', 'invalid_format'],
    [{ due_date_before: '' }, 'due_date_before', 'invalid_format'],
    [{ priority: 5 }, 'priority', 'out_of_range'],
    [{ priority: ['high', 'huge'] }, 'priority', 'invalid_type'],
    [{ status: 'Open' }, 'status', 'out_of_range'],
    [{ sort_by: 'lastUsedAt' }, 'sort_by', 'out_of_range'],
    [{ filter: { has_pr: 'blue' } }, 'filter.has_pr', 'out_of_range'],
    [{ filter: { has_pull: true } }, 'filter.has_pull', 'unknown_field'],
    [{ assignedto: 'me' }, 'assignedto', 'unknown_field'],
    [{ cursor: 'x' }, 'cursor', 'invalid_format'],
  ] as const
  for (const [input, field, code] of bad) {
    const { details } = await faultOf(cleo['tasks.list'](input as never))
    expect([input, details.field, details.code]).toEqual([input, field, code])
  }
  const other = otto['tasks.list']({ project_id: board.project_id })
  expect((await faultOf(other)).code).toBe('not_found')
  expect((await otto['tasks.list']({})).items).toEqual([])
})

test('tasks of an archived board are listed only when the board is named', async () => {
  const { ada, board } = await world()
  const { project_id } = board
  await ada['projects.archive']({ project_id, status: 'Archive' })
  expect((await ada['tasks.list']({})).items).toEqual([])
  expect((await ada['tasks.list']({ project_id })).items).toHaveLength(4)
})

test('pages over many boards keep one order, also for tasks with equal values', async () => {
  const { ada, team_id } = await world({ hasBoard: false })
  for (let board = 0; board < 6; board++) {
    const { project_id } = await ada['projects.create']({
      ...{ team_id, title: `Board ${board}`, sections: [{ title: 'To do' }] },
    })
    const drafts = Array.from({ length: 5 }, (_, at) => ({
      ...{ title: `Task ${at % 2}`, priority: (at + board) % 3 },
      ...((at + board) % 2 && { due_date: `2026-12-0${1 + (at % 2)}` }),
    }))
    await ada['tasks.create_many']({ project_id, tasks: drafts })
  }
  for (const sort of Object.keys(ORDERS).flatMap((by) => [`${by}:asc`, `${by}:desc`])) {
    // Any filter, even one that every task meets, makes the server sort the whole list at once.
    const all = await ada['tasks.list']({ sort, limit: 50, created_since: '2020-01-01' })
    const allKeys = inOrder(all)
    expect(allKeys).toHaveLength(30)
    const collected: string[] = []
    for (let cursor: string | undefined; collected.length < 30; ) {
      const { items, page } = await ada['tasks.list']({ sort, limit: 4, cursor })
      expect(page.total).toBe(30)
      collected.push(...inOrder({ items }))
      cursor = page.next_cursor ?? undefined
      if (!cursor) break
    }
    expect(collected).toEqual(allKeys)
    const skipped = inOrder(await ada['tasks.list']({ sort, limit: 9, offset: 11 }))
    expect(skipped).toEqual(allKeys.slice(11, 20))
  }
})
