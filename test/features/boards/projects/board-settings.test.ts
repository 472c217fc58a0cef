import { expect, test } from 'bun:test'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, world } from '../../../support/world.ts'

/** Returns a board of Cleo's and the last position in the change log after its creation. */
async function createBoard(options: { access?: 'team' | 'invited' } = {}) {
  const w = await world({ hasBoard: false })
  const { project_id, sections } = await w.cleo['projects.create']({
    ...{ team_id: w.team_id, title: 'Website', ...options },
    sections: [{ title: 'Ideas' }, { title: 'Doing' }, { title: 'Done' }],
  })
  const seq = (await w.changes()).at(-1)!.seq
  const idOf = (actor: Actor) => actor.caller.actor_id
  return { ...w, project_id, sections, seq, idOf }
}

test('a WIP limit of a column is shown everywhere and does not refuse tasks above it', async () => {
  const { cleo, project_id, sections, changes, seq } = await createBoard()
  const { section_id } = sections[1]!
  const column = { project_id, section_id }
  expect((await cleo['sections.get'](column)).section.wip_limit).toBeNull()
  const updated = await cleo['sections.update']({ ...column, wip_limit: 1 })
  expect(updated).toMatchObject({ wip_limit: 1, changed: ['wip_limit'] })
  expect((await cleo['sections.update']({ ...column, wip_limit: 1 })).changed).toEqual([])
  for (const title of ['One', 'Two']) await cleo['tasks.create']({ ...column, title })
  const limits = (rows: readonly { wip_limit: number | null }[]) => rows.map((one) => one.wip_limit)
  const board = await cleo['projects.board']({ project_id })
  expect(limits(board.sections)).toEqual([null, 1, null])
  expect(board.sections[1]!.task_count).toBe(2)
  expect(limits((await cleo['projects.manifest']({ project_id })).sections)).toEqual([
    ...[null, 1, null],
  ])
  expect(limits((await cleo['sections.list']({ project_id })).items)).toEqual([null, 1, null])
  const updates = (await changes(seq)).filter(({ type }) => type === 'section.updated')
  expect(updates.map(({ data }) => data.changed)).toEqual([['wip_limit']])
  const cleared = await cleo['sections.update']({ ...column, wip_limit: null })
  expect(cleared.wip_limit).toBeNull()
})

test('a color of a column is shown on the board, is kept in lower case and can be removed', async () => {
  const { cleo, project_id, sections, changes, seq, http } = await createBoard()
  const column = { project_id, section_id: sections[1]!.section_id }
  const updated = await cleo['sections.update']({ ...column, color: '#2F6FD0' })
  expect(updated).toMatchObject({ color: '#2f6fd0', changed: ['color'] })
  const created = await cleo['sections.create']({ project_id, title: 'Review', color: '#8250C8' })
  expect(created.color).toBe('#8250c8')
  const board = await cleo['projects.board']({ project_id })
  expect(board.sections.map(({ color }) => color)).toEqual([null, '#2f6fd0', null, '#8250c8'])
  const path = `/api/v1/projects/${project_id}/sections/${column.section_id}`
  for (const color of ['red', '#12345', 7]) {
    const { status, body } = await http(cleo, 'PATCH', path, { color })
    expect([status, body.details.field]).toEqual([400, 'color'])
  }
  expect((await cleo['sections.update']({ ...column, color: null })).color).toBeNull()
  const updates = (await changes(seq)).filter(({ type }) => type === 'section.updated')
  expect(updates.map(({ data }) => data.changed)).toEqual([['color'], ['color']])
})

test('a column can be created with a WIP limit, which must be an integer from 1 to 1000', async () => {
  const { cleo, project_id, sections, http } = await createBoard()
  const created = await cleo['sections.create']({ project_id, title: 'Review', wip_limit: 1000 })
  expect(created.wip_limit).toBe(1000)
  const path = `/api/v1/projects/${project_id}/sections/${sections[0]!.section_id}`
  for (const wip_limit of [0, -1, 1001, 2.5, '3']) {
    const { status, body } = await http(cleo, 'PATCH', path, { wip_limit })
    expect([status, body.details.field]).toEqual([400, 'wip_limit'])
  }
})

test('a board description is set as HTML or markdown, sanitized and cleared', async () => {
  const { cleo, project_id, changes, seq } = await createBoard()
  const description = async () => (await cleo['projects.manifest']({ project_id })).description
  const setDescription = (description: string | null, content_type?: 'html' | 'markdown') =>
    cleo['projects.update']({ project_id, description, ...(content_type && { content_type }) })
  expect((await setDescription('For **us**', 'markdown')).changed).toEqual(['description'])
  expect(await description()).toBe('<p>For <strong>us</strong></p>')
  expect((await setDescription('For **us**', 'markdown')).changed).toEqual([])
  await setDescription('<p onclick="x()">For <b>all</b></p><script>x()</script>')
  expect(await description()).toMatch(/^<p>For <(b|strong)>all<\/(b|strong)><\/p>$/)
  await setDescription('')
  expect(await description()).toBeNull()
  expect((await setDescription(null)).changed).toEqual([])
  const logged = await changes(seq)
  expect(logged.map(({ type, data }) => [type, data])).toEqual(
    Array(3).fill(['project.updated', { title: 'Website', changed: ['description'] }]),
  )
})

test('only those who manage a board can change its access, and each change is audited', async () => {
  const {
    ada,
    ben,
    cleo,
    bot,
    gus,
    otto,
    open: createBoard,
    http,
    ...w
  } = await createBoardFactory()
  const { project_id } = await createBoard(cleo)
  const path = `/api/v1/projects/${project_id}`
  const setAccess = async (actor: Actor, access: string) =>
    (await http(actor, 'PATCH', path, { access })).status
  const dora = await w.addMember(w.team_id, 'Dora', 'member')
  const canManage = async (actor: Actor) =>
    (await actor['projects.manifest']({ project_id })).may_manage
  expect([await canManage(ada), await canManage(cleo), await canManage(dora)]).toEqual([
    true,
    true,
    false,
  ])
  for (const actor of [cleo, dora]) {
    const [row] = (await actor['projects.list']({})).items
    const board = await actor['projects.board']({ project_id })
    expect([row?.may_manage, board.may_manage]).toEqual([actor === cleo, actor === cleo])
  }
  expect(await setAccess(dora, 'invited')).toBe(403)
  expect([await setAccess(gus, 'invited'), await setAccess(otto, 'invited')]).toEqual([403, 404])
  expect(await setAccess(cleo, 'nobody')).toBe(400)
  expect(await setAccess(cleo, 'invited')).toBe(200)
  expect((await http(dora, 'GET', path)).status).toBe(404)
  expect((await http(ben, 'GET', path)).body.data.access).toBe('invited')
  expect(await setAccess(bot, 'team')).toBe(200)
  expect((await http(dora, 'GET', path)).status).toBe(200)
  const { items } = await ada['audit.list']({ team_id: w.team_id })
  expect(items.filter(({ type }) => type === 'project.access_changed')).toMatchObject([
    { actor: { name: 'Bot' }, changed: { access: { before: 'invited', after: 'team' } } },
    { actor: { name: 'Cleo' }, changed: { access: { before: 'team', after: 'invited' } } },
  ])
})

async function createBoardFactory() {
  const w = await world({ hasBoard: false })
  const open = (actor: Actor) =>
    actor['projects.create']({
      ...{ team_id: w.team_id, title: 'Website', sections: [{ title: 'Now' }] },
    })
  return { ...w, open }
}

test('removing an invited guest from a board ends their access and stops their timer', async () => {
  const { ada, cleo, gus, idOf, project_id, http, changes, seq } = await createBoard()
  const user_id = idOf(gus)
  const { sees: canSee } = await (async () => {
    await ada['projects.invite_member']({ project_id, member_identifier: user_id })
    const { task_id } = await gus['tasks.create']({ project_id, title: 'Look' })
    await gus['time.start']({ task_identifier: task_id })
    return cleo['projects.remove_member']({ project_id, user_id })
  })()
  expect(canSee).toBe(false)
  expect((await http(gus, 'GET', `/api/v1/projects/${project_id}`)).status).toBe(404)
  const { items } = await cleo['projects.members']({ project_id })
  expect(items.map(({ name }) => name)).not.toContain('Gus')
  const logged = await changes(seq)
  expect(logged.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['project.member_removed', 'time.stopped']),
  )
  const { items: auditEntries } = await ada['audit.list']({
    team_id: gus.caller.teams.keys().next().value!,
  })
  expect(auditEntries[0]).toMatchObject({ type: 'project.member_removed', on: { user_id } })
  const fault = await faultOf(cleo['projects.remove_member']({ project_id, user_id }))
  expect(fault).toMatchObject({ code: 'not_found', details: { field: 'user_id' } })
})

test('a team member removed from a board with access "team" still sees it', async () => {
  const { cleo, ben, idOf, project_id } = await createBoard()
  const user_id = idOf(ben)
  await ben['projects.invite_member']({ project_id, member_identifier: user_id })
  const getMember = async () =>
    (await ben['projects.members']({ project_id })).items.find((one) => one.user_id === user_id)
  expect((await getMember())?.invited).toBe(true)
  expect(await cleo['projects.remove_member']({ project_id, user_id })).toEqual({
    ...{ project_id, user_id, name: 'Ben', sees: true },
  })
  expect((await getMember())?.invited).toBe(false)
})
