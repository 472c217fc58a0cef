import { expect, test } from 'bun:test'
import { type Actor, world } from '../../../support/world.ts'

/** Returns a board of Cleo's with three tasks in Inbox and one in Done. */
async function createBoard() {
  const w = await world({ hasBoard: false })
  const { project_id, sections } = await w.cleo['projects.create']({
    ...{ title: 'Website', team_id: w.team_id },
    sections: ['Inbox', 'Doing', 'Done'].map((title) => ({ title })),
    tasks: [0, 0, 0, 2].map((section_index, i) => ({ title: `T${i + 1}`, section_index })),
  })
  const [inbox, doing, done] = sections.map(({ section_id }) => section_id)
  const seq = (await w.changes()).at(-1)!.seq
  const task = (ticket_number: string) =>
    w.cleo['tasks.get']({ ticket_number }) as Promise<Record<string, unknown>>
  const types = async () => new Set(await w.changeTypes(seq))
  return { ...w, project_id, inbox: inbox!, doing: doing!, done: done!, seq, task, types }
}

test('a column is returned with a page of its tasks, or without tasks', async () => {
  const { cleo, project_id, inbox, http } = await createBoard()
  const column = await cleo['sections.get']({ project_id, section_id: inbox })
  expect(column.section).toMatchObject({ title: 'Inbox', position: 0 })
  expect(column.tasks?.map(({ ticket_number }) => ticket_number)).toEqual([
    ...['WEB-1', 'WEB-2', 'WEB-3'],
  ])
  expect(column.page).toMatchObject({ total: 3, limit: 50, offset: 0, has_more: false })
  const path = `/api/v1/projects/${project_id}/sections/${inbox}`
  const { body } = await http(cleo, 'GET', `${path}?limit=1&offset=1`)
  expect(body.data.tasks.map((one: { title: string }) => one.title)).toEqual(['T2'])
  expect(body.data.page).toMatchObject({ total: 3, has_more: true })
  const rest = await http(cleo, 'GET', `${path}?cursor=${body.data.page.next_cursor}`)
  expect(rest.body.data.tasks.map((one: { title: string }) => one.title)).toEqual(['T3'])
  expect(rest.body.data.page).toMatchObject({ total: 3, next_cursor: null })
  const withoutTasks = await http(cleo, 'GET', `${path}?include_tasks=false`)
  expect(Object.keys(withoutTasks.body.data)).toEqual(['section'])
  const aboveLimit = await http(cleo, 'GET', `${path}?limit=500`)
  expect(aboveLimit.body.warnings).toMatchObject([{ field: 'limit', code: 'out_of_range' }])
})

test('marking a column as done completes its tasks, and clearing the mark reopens them', async () => {
  const { cleo, project_id, inbox, task, seq, changes } = await createBoard()
  const setDone = (is_done: boolean | null) =>
    cleo['sections.update']({ project_id, section_id: inbox, is_done })
  expect(await setDone(true)).toMatchObject({
    is_done: true,
    done: true,
    changed: ['is_done', 'done'],
  })
  expect(await task('WEB-1')).toMatchObject({
    done: true,
    completed_at: '2026-11-20T12:00:00.000Z',
  })
  expect(await setDone(null)).toMatchObject({ is_done: null, done: false })
  expect(await task('WEB-1')).toMatchObject({ done: false, completed_at: null })
  expect(await setDone(false)).toMatchObject({ is_done: false, done: false, changed: ['is_done'] })
  const updates = (await changes(seq)).filter(({ type }) => type === 'section.updated')
  expect(updates.map(({ data }) => data.done)).toEqual([true, false, false])
})

test('without is_done, the name of a column decides whether it counts as done', async () => {
  const { cleo, project_id, inbox, task } = await createBoard()
  const rename = (title: string) =>
    cleo['sections.update']({ project_id, section_id: inbox, title })
  expect(await rename('Shipped')).toMatchObject({ role: 'done', done: true, is_done: null })
  expect((await task('WEB-1')).done).toBe(true)
  expect(await rename('In review')).toMatchObject({ role: 'verify', done: false })
  expect(await task('WEB-1')).toMatchObject({ done: false, section: 'In review' })
})

test('renaming a column keeps a role that was set explicitly', async () => {
  const { cleo, project_id, inbox } = await createBoard()
  const update = (fields: object) =>
    cleo['sections.update']({ project_id, section_id: inbox, ...fields })
  expect(await update({ role: 'verify' })).toMatchObject({ role: 'verify', changed: ['role'] })
  expect(await update({ title: 'Backlog' })).toMatchObject({ role: 'verify' })
})

test('auto_assign takes a person or an agent, assigns entering tasks, and is cleared by null', async () => {
  const { ada, cleo, bot, project_id, doing, task } = await createBoard()
  const setAutoAssign = async (actor: Actor, auto_assign: number | string | null) => {
    await actor['sections.update']({ project_id, section_id: doing, auto_assign })
    const { section } = await actor['sections.get']({ project_id, section_id: doing })
    return section.auto_assign
  }
  expect(await setAutoAssign(cleo, ada.caller.actor_id)).toMatchObject({
    kind: 'person',
    name: 'Ada',
  })
  await cleo['tasks.update']({ ticket_number: 'WEB-1', section_id: doing })
  expect((await task('WEB-1')).assignees).toMatchObject([{ name: 'Ada' }])
  expect(await setAutoAssign(cleo, bot.caller.agent_id!)).toMatchObject({
    kind: 'agent',
    name: 'Bot',
  })
  expect(await setAutoAssign(cleo, null)).toBeNull()
})

test('auto_assign refuses people without board access and agents the caller does not manage', async () => {
  const { bot, otto, gus, project_id, doing, addMember, team_id, http } = await createBoard()
  const dora = await addMember(team_id, 'Dora', 'member')
  const setAutoAssign = async (auto_assign: unknown) => {
    const path = `/api/v1/projects/${project_id}/sections/${doing}`
    const { status, body } = await http(dora, 'PATCH', path, { auto_assign })
    return [status, body.details?.field]
  }
  expect(await setAutoAssign(otto.caller.actor_id)).toEqual([400, 'auto_assign'])
  expect(await setAutoAssign(gus.caller.actor_id)).toEqual([400, 'auto_assign'])
  expect(await setAutoAssign(crypto.randomUUID())).toEqual([400, 'auto_assign'])
  expect(await setAutoAssign(true)).toEqual([400, 'auto_assign'])
  expect((await setAutoAssign(bot.caller.agent_id))[0]).toBe(403)
  expect((await setAutoAssign(dora.caller.actor_id))[0]).toBe(200)
})

test('a column update without effect emits no change', async () => {
  const { cleo, project_id, inbox, types } = await createBoard()
  const currentValues = { title: 'Inbox', role: 'intake', hidden: false, is_done: null } as const
  const { changed } = await cleo['sections.update']({
    project_id,
    section_id: inbox,
    ...currentValues,
  })
  expect(changed).toEqual([])
  expect(await types()).toEqual(new Set())
})

test('deleting a column with tasks requires another column to move them to', async () => {
  const { cleo, project_id, inbox, done, http, task, types } = await createBoard()
  await cleo['tasks.update']({ ticket_number: 'WEB-2', status: 'Deleted' })
  const path = `/api/v1/projects/${project_id}/sections/${inbox}`
  const response = await http(cleo, 'DELETE', path)
  expect(response.status).toBe(409)
  expect(response.body.details).toMatchObject({ field: 'move_tasks_to_section_id', tasks: 3 })
  expect(response.body.message).toContain('3 tasks')
  const sameColumn = await http(cleo, 'DELETE', path, { move_tasks_to_section_id: inbox })
  expect([sameColumn.status, sameColumn.body.details.field]).toEqual([
    400,
    'move_tasks_to_section_id',
  ])
  const unknownTarget = await http(cleo, 'DELETE', path, { move_tasks_to_section_id: 999 })
  expect([unknownTarget.status, unknownTarget.body.details.field]).toEqual([
    400,
    'move_tasks_to_section_id',
  ])
  const { status, body } = await http(cleo, 'DELETE', `${path}?move_tasks_to_section_id=${done}`)
  expect([status, body.data]).toEqual([
    200,
    { section_id: inbox, project_id, title: 'Inbox', deleted: true, moved_tasks: 3 },
  ])
  expect(await task('WEB-1')).toMatchObject({ section_id: done, done: true })
  expect((await http(cleo, 'GET', path)).status).toBe(404)
  expect(await types()).toContain('section.deleted')
})

test('an empty column needs no target to be deleted, and the last column cannot be deleted', async () => {
  const { cleo, project_id, inbox, doing, done } = await createBoard()
  const remove = (section_id: number, to?: number) =>
    cleo['sections.delete']({
      ...{ project_id, section_id },
      ...(to !== undefined && { move_tasks_to_section_id: to }),
    })
  expect(await remove(doing)).toMatchObject({ moved_tasks: 0 })
  await remove(inbox, done)
  await expect(remove(done)).rejects.toMatchObject({
    code: 'conflict',
    details: { field: 'section_id' },
  })
})

test('admins and agents can change and delete columns, guests and other teams cannot', async () => {
  const { ada, ben, bot, gus, otto, project_id, doing, http } = await createBoard()
  const path = `/api/v1/projects/${project_id}/sections/${doing}`
  const rename = async (actor: Actor | undefined, title: string) =>
    (await http(actor, 'PATCH', path, { title })).status
  expect(await rename(ada, 'A')).toBe(200)
  expect(await rename(ben, 'B')).toBe(200)
  expect(await rename(bot, 'C')).toBe(200)
  expect(await rename(gus, 'D')).toBe(403)
  expect(await rename(otto, 'E')).toBe(404)
  expect(await rename(undefined, 'F')).toBe(401)
  const remove = async (actor: Actor | undefined) => (await http(actor, 'DELETE', path)).status
  expect([await remove(gus), await remove(otto), await remove(undefined)]).toEqual([403, 404, 401])
  await ada['projects.invite_member']({ project_id, member_identifier: gus.caller.actor_id })
  expect([await rename(gus, 'G'), await remove(gus)]).toEqual([403, 403])
  expect((await http(gus, 'GET', path)).status).toBe(200)
  expect(await remove(bot)).toBe(200)
})
