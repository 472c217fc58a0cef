import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { callTool } from '../../../support/surface-calls.ts'
import { world } from '../../../support/world.ts'

type Draft = Record<string, unknown> & { title: string }

/** Creates a board with the given tasks and the columns Now, Later, Parked (hidden) and Done. */
async function createQueue(drafts: readonly (Draft & { column?: string })[]) {
  const w = await world({ hasBoard: false })
  const { project_id, sections } = await w.cleo['projects.create']({
    ...{ team_id: w.team_id, title: 'Queue', labels: [{ name: 'bug' }, { name: 'ui' }] },
    sections: ['Now', 'Later', 'Parked', 'Done'].map((title) => ({ title })),
  })
  const column = (title: string) => sections.find((section) => section.title === title)!.section_id
  await w.cleo['sections.update']({ project_id, section_id: column('Parked'), hidden: true })
  for (const { column: title = 'Now', ...draft } of drafts)
    await w.cleo['tasks.create']({ project_id, section_id: column(title), ...draft })
  const next = (overrides: object = {}) => w.cleo['tasks.next']({ project_id, ...overrides })
  const titles = async (overrides?: object) =>
    (await next(overrides)).items.map(({ title }) => title)
  return { ...w, project_id, column, next, titles }
}

const MIXED = [
  { title: 'later plain', column: 'Later' },
  { title: 'now plain' },
  { title: 'now low', priority: 'Low' },
  { title: 'due friday', due_date: '2026-11-27', priority: 'High' },
  { title: 'due monday', due_date: '2026-11-23', column: 'Later' },
  { title: 'later urgent', priority: 'Urgent', column: 'Later' },
  { title: 'now urgent', priority: 'Urgent' },
  { title: 'urgent, due friday', priority: 'Urgent', due_date: '2026-11-27', column: 'Later' },
  { title: 'done', column: 'Done', priority: 'Urgent' },
  { title: 'parked', column: 'Parked', priority: 'Urgent' },
]

const ORDER = [
  'urgent, due friday',
  'now urgent',
  'later urgent',
  'due monday',
  'due friday',
  'now plain',
  'now low',
  'later plain',
]

test('the queue lists urgent tasks first, then by due date, then the rest in board order', async () => {
  const { titles } = await createQueue(MIXED)
  expect(await titles()).toEqual(ORDER)
})

test('tasks due at the same time come in board order', async () => {
  const due_date = '2026-11-23'
  const { titles } = await createQueue([
    { title: 'later 1', column: 'Later', due_date },
    { title: 'now 1', due_date },
    { title: 'now 2', due_date },
    { title: 'later 2', column: 'Later', due_date },
  ])
  const all = ['now 1', 'now 2', 'later 1', 'later 2']
  expect(await titles()).toEqual(all)
})

test('pages of any size return every task once, in the same order, with and without a filter', async () => {
  const labelled = MIXED.map((draft) => ({ ...draft, labels: ['ui'] }))
  const { next, cleo, project_id } = await createQueue(labelled)
  const pagesOf = async (filter: object, limit: number) => {
    const listed: string[] = []
    let cursor: string | null | undefined
    do {
      const { items, page } = await next({ ...filter, limit, ...(cursor && { cursor }) })
      expect(page).toMatchObject({ total: 8, offset: listed.length })
      listed.push(...items.map(({ title }) => title))
      cursor = page.next_cursor
      expect(page.has_more).toBe(cursor !== null)
    } while (cursor)
    return listed
  }
  for (const limit of [1, 2, 3, 7, 8, 50]) expect(await pagesOf({}, limit)).toEqual(ORDER)
  for (const { task_id } of (await next()).items)
    await cleo['tasks.assign']({ task_id, user_id: cleo.caller.actor_id })
  await cleo['tasks.create']({ project_id, title: 'unfiltered', priority: 'Urgent' })
  for (const limit of [1, 3, 8])
    for (const filter of [{ labels: 'ui' }, { assignee: 'me' }, { labels: 'ui', assignee: 'me' }])
      expect(await pagesOf(filter, limit)).toEqual(ORDER)
})

test('claims with a filter take the matching tasks in the order of the queue', async () => {
  const drafts = MIXED.map((draft, at) => ({ ...draft, ...(at % 2 && { labels: ['ui'] }) }))
  const { next } = await createQueue(drafts)
  const inOrder = (await next({ labels: 'ui' })).items.map(({ title }) => title)
  const claimed: string[] = []
  for (let claims = 0; claims <= inOrder.length; claims++)
    for (const { title } of (await next({ labels: 'ui', claim: true })).items) claimed.push(title)
  expect(inOrder.length).toBeGreaterThan(3)
  expect(claimed).toEqual(inOrder)
})

test('a filter that many tasks meet has the same order as one that few meet', async () => {
  const { cleo, next, project_id } = await createQueue(MIXED)
  const titlesOf = async (filter: object) =>
    (await next({ ...filter, limit: 50 })).items.map(({ title }) => title)
  const draft = (labels: string[]) => ({ project_id, labels, priority: 'Low' as const })
  for (const title of ['x', 'y', 'z'])
    await cleo['tasks.create']({ ...draft(['ui', 'bug']), title, due_date: '2026-11-25' })
  const few = await titlesOf({ labels: 'bug' })
  const others = Array.from({ length: 1001 }, (_, at) =>
    cleo['tasks.create']({ ...draft(['ui']), title: `other ${at}` }),
  )
  await Promise.all(others)
  const many = await next({ labels: 'ui', limit: 5 })
  expect(many.page).toMatchObject({ total: null, total_at_least: 200 })
  expect(many.items.map(({ title }) => title).slice(0, 3)).toEqual(few)
})

test('someone with more than 1,000 open tasks gets their own in order, and no total', async () => {
  const { cleo, ben, project_id } = await createQueue([])
  const draft = (title: string) => ({ title, assignees: ['Cleo'] })
  for (let many = 0; many < 1001; many += 143)
    await cleo['tasks.create_many']({
      project_id,
      tasks: Array.from({ length: 143 }, (_, at) => draft(`task ${many + at}`)),
    })
  await ben['tasks.create']({ project_id, title: 'of ben', assignee_ids: [ben.caller.actor_id] })
  await cleo['tasks.create']({ project_id, title: 'soon', due_date: '2026-11-25' })
  for (const assignee of [undefined, 'me'] as const) {
    const request = { project_id, section: 'Now', limit: 3, ...(assignee && { assignee }) }
    const { items, page } = await cleo['tasks.next'](request)
    const titles = [...(assignee ? [] : ['soon']), 'task 0', 'task 1', 'task 2'].slice(0, 3)
    expect(items.map(({ title }) => title)).toEqual(titles)
    expect(page).toMatchObject({ total: null, total_at_least: 4, has_more: true })
  }
})

test('paging continues in order after the column of the last task is hidden', async () => {
  const { cleo, next, project_id, column } = await createQueue([
    ...['a', 'b', 'c'].map((title) => ({ title, due_date: '2026-11-23' })),
    ...['d', 'e'].map((title) => ({ title, due_date: '2026-11-23', column: 'Later' })),
  ])
  const first = await next({ limit: 2 })
  expect(first.items.map(({ title }) => title)).toEqual(['a', 'b'])
  await cleo['sections.update']({ project_id, section_id: column('Now'), hidden: true })
  const second = await next({ limit: 2, cursor: first.page.next_cursor })
  expect(second.items.map(({ title }) => title)).toEqual(['d', 'e'])
})

test('a completed, archived, deleted or hidden task leaves the queue until that is reversed', async () => {
  const { cleo, next, titles, column } = await createQueue([{ title: 'one' }, { title: 'two' }])
  const { ticket_number } = (await next()).items[0]!
  const update = (overrides: object) => cleo['tasks.update']({ ticket_number, ...overrides })
  for (const [hide, restore] of [
    [{ section_id: column('Done') }, { section_id: column('Now') }],
    [{ status: 'Archive' }, { status: 'Normal' }],
    [{ status: 'Deleted' }, { status: 'Normal' }],
    [{ section_id: column('Parked') }, { section_id: column('Now') }],
  ]) {
    await update(hide!)
    expect(await titles()).toEqual(['two'])
    await update(restore!)
    expect(await titles()).toEqual(['two', 'one'])
  }
})

test('section takes a column’s title or id, even of a hidden one, and refuses an unknown one', async () => {
  const { next, titles, column } = await createQueue(MIXED)
  expect(await titles({ section: ' later' })).toEqual([
    ...['urgent, due friday', 'later urgent', 'due monday', 'later plain'],
  ])
  expect(await titles({ section: column('Later'), limit: 1 })).toEqual(['urgent, due friday'])
  expect(await titles({ section: 'Parked' })).toEqual(['parked'])
  expect(await titles({ section: 'Done' })).toEqual([])
  const fault = await faultOf(next({ section: 'Laterr' }))
  expect(fault).toMatchObject({ code: 'not_found', details: { field: 'section' } })
  expect(fault.hint).toContain('Now, Later, Parked, Done')
})

test('labels and assignee filter the queue', async () => {
  const w = await createQueue([
    { title: 'bug', labels: ['bug'] },
    { title: 'ui', labels: ['ui'] },
    { title: 'both', labels: ['bug', 'ui'] },
    { title: 'plain' },
  ])
  const { titles, next, cleo, ben } = w
  expect(await titles({ labels: 'bug' })).toEqual(['bug', 'both'])
  expect(await titles({ labels: ['BUG', 'ui'] })).toEqual(['bug', 'ui', 'both'])
  const [bug, ui] = (await next()).items
  await cleo['tasks.assign']({ task_id: bug!.task_id, user_id: cleo.caller.actor_id })
  await cleo['tasks.assign']({ task_id: ui!.task_id, user_id: ben.caller.actor_id })
  expect(await titles({ assignee: 'me' })).toEqual(['bug'])
  expect(await titles({ assignee: 'none' })).toEqual(['both', 'plain'])
  expect(await titles({ assignee: 'any' })).toHaveLength(4)
  expect((await next({ labels: 'bug', limit: 1 })).page).toMatchObject({ total: 2, has_more: true })
})

test('blocked tasks wait until their blocker is completed, archived or deleted, unless exclude_blocked is false', async () => {
  const w = await createQueue(['held', 'held too', 'first'].map((title) => ({ title })))
  const { cleo, next, titles, column } = w
  const [firstBlocked, alsoBlocked, first] = (await next()).items.map(
    ({ ticket_number }) => ticket_number,
  )
  for (const source_ticket_number of [firstBlocked, alsoBlocked])
    await cleo['relations.create']({
      ...{ source_ticket_number, target_ticket_number: first, relation_type: 'BlockedBy' },
    })
  const unblockedTitles = () => titles()
  const countBlocked = async () =>
    (await next({ exclude_blocked: false })).items.filter((row) => row.blocked).length
  const update = (overrides: object) => cleo['tasks.update']({ ticket_number: first, ...overrides })
  expect(await unblockedTitles()).toEqual(['first'])
  expect(await countBlocked()).toBe(2)
  const { ticket_number } = await cleo['tasks.create']({ project_id: w.project_id, title: 'more' })
  const { page } = await next({ limit: 1 })
  expect(page).toMatchObject({ total: 2, has_more: true })
  await cleo['tasks.update']({ ticket_number, status: 'Deleted' })
  for (const [hide, restore] of [
    [{ section_id: column('Done') }, { section_id: column('Now') }],
    [{ status: 'Archive' }, { status: 'Normal' }],
    [{ status: 'Deleted' }, { status: 'Normal' }],
  ]) {
    await update(hide!)
    expect(await unblockedTitles()).toEqual(expect.arrayContaining(['held', 'held too']))
    expect(await countBlocked()).toBe(0)
    await update(restore!)
    expect(await unblockedTitles()).toEqual(['first'])
    expect(await countBlocked()).toBe(2)
  }
  await cleo['relations.delete']({
    source_ticket_number: first,
    target_ticket_number: firstBlocked,
  })
  expect(await unblockedTitles()).toEqual(['held', 'first'])
  await cleo['sections.update']({
    ...{ project_id: w.project_id, section_id: column('Now'), is_done: true },
  })
  await update({ section_id: column('Later') })
  expect(await unblockedTitles()).toEqual(['first'])
})

/** A board with a column for each role, and tasks that Cleo and Ben have or that block others. */
async function createReadyBoard() {
  const w = await world({ hasBoard: false })
  const { project_id, sections } = await w.cleo['projects.create']({
    ...{ team_id: w.team_id, title: 'Ready' },
    sections: ['Backlog', 'Next', 'Doing', 'Review', 'Done'].map((title) => ({ title })),
  })
  const create = async (title: string, column: string, draft: object = {}) => {
    const { section_id } = sections.find((section) => section.title === column)!
    return w.cleo['tasks.create']({ project_id, title, section_id, ...draft })
  }
  await create('idea', 'Backlog')
  const free = await create('free', 'Next', { priority: 'Urgent' })
  await create('mine', 'Doing', { assignee_ids: [w.cleo.caller.actor_id], due_date: '2026-11-19' })
  await create('of ben', 'Doing', { assignee_ids: [w.ben.caller.actor_id] })
  const held = await create('held', 'Next')
  const waits = await create('waits', 'Next')
  await create('in review', 'Review')
  await w.cleo['relations.create']({
    ...{ source_task_id: waits.task_id, target_task_id: free.task_id, relation_type: 'BlockedBy' },
  })
  await w.bot['leases.claim']({ task_id: held.task_id })
  return { ...w, project_id }
}

test('by default the queue has what the caller can start now, says why, and counts what it leaves out', async () => {
  const { cleo, ben, project_id } = await createReadyBoard()
  const { items, page } = await cleo['tasks.next']({ project_id })
  expect(items.map(({ title, reason }) => [title, reason])).toEqual([
    ['free', 'urgent, unassigned, in Next'],
    ['mine', 'overdue since 2026-11-19, assigned to you, in Doing'],
  ])
  const excluded = { leased: 1, assigned_to_others: 1, blocked: 1, intake: 1, verify: 1 }
  expect(page).toMatchObject({ total: 2, excluded })
  const titlesFor = async (overrides: object) =>
    (await ben['tasks.next']({ project_id, ...overrides })).items.map(({ title }) => title)
  expect(await titlesFor({})).toEqual(['free', 'of ben'])
  expect(await titlesFor({ role: 'intake' })).toEqual(['idea'])
  expect(await titlesFor({ section: 'Review' })).toEqual(['in review'])
  expect(await titlesFor({ assignee: 'any' })).toEqual(['free', 'mine', 'of ben'])
  expect(await titlesFor({ assignee: 'none', exclude_blocked: false })).toEqual(['free', 'waits'])
  const both = await faultOf(ben['tasks.next']({ project_id, role: 'intake', section: 'Next' }))
  expect(both.details).toMatchObject({ field: 'role', code: 'conflict' })
})

test('a claim takes only what the caller can start now, and counts what it left out', async () => {
  const { bot, project_id } = await createReadyBoard()
  const claim = (overrides: object = {}) =>
    bot['tasks.next']({ project_id, claim: true, ...overrides })
  expect((await claim()).items).toMatchObject([
    { title: 'free', reason: 'urgent, unassigned, in Next', lease: { fencing_token: 1 } },
  ])
  const empty = await claim()
  expect(empty.items).toEqual([])
  expect(empty.page.excluded).toEqual({ assigned_to_others: 2, blocked: 1, intake: 1, verify: 1 })
  expect((await claim({ exclude_blocked: false })).items).toMatchObject([{ title: 'waits' }])
  expect((await claim({ role: 'verify' })).items).toMatchObject([{ title: 'in review' }])
})

test('completing a blocked task returns a warning that names the open blockers', async () => {
  const { cleo, http, project_id } = await createReadyBoard()
  const { items } = await cleo['tasks.list']({ project_id, query: 'waits' })
  const { sections } = await cleo['projects.manifest']({ project_id })
  const section_id = sections.find(({ done }) => done)!.section_id
  const path = `/api/v1/tasks/${items[0]!.ticket_number}`
  const { body } = await http(cleo, 'PATCH', path, { section_id })
  expect(body.warnings).toEqual([
    {
      ...{ field: 'section_id', code: 'blocked' },
      message: 'REA-6 is done now, although tasks that block it are still open: REA-2',
    },
  ])
})

test('over REST the queue takes fields, refuses bad parameters and is 404 without board access', async () => {
  const { cleo, ben, gus, otto, http, project_id } = await createQueue(MIXED)
  const path = `/api/v1/projects/${project_id}/next`
  const response = await http(ben, 'GET', `${path}?limit=1&fields=title&exclude_blocked=true`)
  expect(response.body.data).toEqual([{ title: 'urgent, due friday' }])
  expect(response.body.page).toMatchObject({ total: 8, has_more: true, limit: 1 })
  for (const actor of [gus, otto]) expect((await http(actor, 'GET', path)).status).toBe(404)
  for (const [query, field, code] of [
    ['assignee=you', 'assignee', 'out_of_range'],
    ['cursor=abc', 'cursor', 'invalid_format'],
    ['limit=0', 'limit', 'out_of_range'],
    ['exclude_blocked=maybe', 'exclude_blocked', 'invalid_type'],
    ['offset=1', 'offset', 'unknown_field'],
    ['fields=nope', 'fields', 'unknown_field'],
  ]) {
    const { details } = (await http(cleo, 'GET', `${path}?${query}`)).body
    expect([details.field, details.code]).toEqual([field, code])
  }
})

test('a cursor is refused with other filters, and so is a forged one', async () => {
  const { next } = await createQueue(MIXED)
  const { page } = await next({ limit: 1 })
  const cursor = page.next_cursor!
  const other = await faultOf(next({ limit: 1, cursor, section: 'Now' }))
  expect(other.details).toMatchObject({ field: 'cursor', code: 'conflict' })
  const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  for (const value of [
    '[]',
    '7',
    '{',
    '[2,null,"a","a"]',
    '[0,1e99,"a","a"]',
    '[0,null,"a\0","a"]',
  ]) {
    parts[1] = value
    const forged = Buffer.from(JSON.stringify(parts)).toString('base64url')
    const fault = await faultOf(next({ limit: 1, cursor: forged }))
    expect(fault.details).toMatchObject({ field: 'cursor', code: 'invalid_format' })
  }
})

test('over MCP an offset is refused with a hint to next_cursor, except offset 0', async () => {
  const { cleo, http, project_id } = await createQueue(MIXED)
  const callNext = async (offset: number) => {
    const args = { action: 'next', input: { project_id }, limit: 1, offset }
    return (await callTool({ http }, cleo, 'svc_tasks', args)).body.result
  }
  expect((await callNext(0)).structuredContent.data).toHaveLength(1)
  const { isError, structuredContent } = await callNext(1)
  expect([isError, structuredContent.details.field]).toEqual([true, 'offset'])
  expect(structuredContent.hint).toContain('next_cursor')
})
