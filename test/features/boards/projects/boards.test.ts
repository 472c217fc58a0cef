import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { agents } from '../../../../src/features/agents/agents/model/index.ts'
import { type Actor, world } from '../../../support/world.ts'

const SECTIONS = ['Inbox', 'Next', 'Doing', 'Review', 'Done'].map((title) => ({ title }))
const emptyWorld = () => world({ hasBoard: false })

test('a board is created with columns, labels and tasks', async () => {
  const { cleo, team_id, changes } = await emptyWorld()
  const board = await cleo['projects.create']({
    ...{ title: 'Website Relaunch', team_id, sections: SECTIONS },
    labels: [{ name: 'bug', color: '#ff0000' }, { name: 'ui' }],
    tasks: [
      { title: 'Draw a logo', section_title: ' doing', priority: 'High', labels: ['UI'] },
      { title: 'Ship it', section_index: 4, estimate: 3, due_date: '2026-12-01' },
    ],
    description: 'All of it',
  })
  const { project_id } = board
  expect(board).toMatchObject({ key: 'WR', title: 'Website Relaunch', team_id })
  expect(board.tasks).toEqual(['WR-1', 'WR-2'])
  expect(board.labels.map(({ name }) => name)).toEqual(['bug', 'ui'])
  expect(board.sections.map(({ title, role, done }) => `${title} ${role} ${done}`)).toEqual([
    ...['Inbox intake false', 'Next committed false', 'Doing building false'],
    ...['Review verify false', 'Done done true'],
  ])
  expect(board.url).toBe(`http://localhost/projects/${project_id}`)
  const logged = await changes()
  expect(logged.map(({ type }) => type)).toEqual([
    ...['project.created', ...Array(5).fill('section.created')],
    ...['label.created', 'label.created', 'task.created', 'task.created'],
  ])
  expect(new Set(logged.map((change) => change.project_id))).toEqual(new Set([project_id]))
  const logo = await cleo['tasks.get']({ ticket_number: 'WR-1' })
  expect(logo).toMatchObject({ section: 'Doing', priority: 2, labels: [{ name: 'ui' }] })
  const ship = await cleo['tasks.get']({ ticket_number: 'WR-2' })
  expect(ship).toMatchObject({ section: 'Done', done: true, estimate: 3, due_date: '2026-12-01' })
})

test('creating a board over REST responds 201, and creates one board per idempotency key', async () => {
  const { cleo, team_id, http } = await emptyWorld()
  const body = { title: 'Website', team_id, sections: SECTIONS }
  const headers = { 'idempotency-key': 'once' }
  const [first, second] = [
    await http(cleo, 'POST', '/api/v1/projects', body, headers),
    await http(cleo, 'POST', '/api/v1/projects', body, headers),
  ]
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body.data).toEqual(first.body.data)
  expect((await cleo['projects.list']({})).page.total).toBe(1)
})

test('creating a board with an invalid part is refused with its field and creates nothing', async () => {
  const { cleo, team_id, http, changeTypes } = await emptyWorld()
  const parts = [
    [{ sections: [{ title: 'Now' }, { title: 'now' }] }, 409, 'sections.1.title'],
    [{ sections: [{ title: ' ' }] }, 400, 'sections.0.title'],
    [{ labels: [{ name: 'a' }, { name: 'A' }] }, 409, 'labels.1.name'],
    [{ tasks: [{ title: 'T' }] }, 400, 'tasks.0.section_index'],
    [{ tasks: [{ title: 'T', section_index: 0, section_title: 'Inbox' }] }, 400],
    [{ tasks: [{ title: 'T', section_index: 5 }] }, 400, 'tasks.0.section_index'],
    [{ tasks: [{ title: 'T', section_title: 'Nowhere' }] }, 400, 'tasks.0.section_title'],
    [{ tasks: [{ title: 'T', section_index: 0, estimate: 1 }] }, 400, 'tasks.0.estimate'],
    [{ tasks: [{ title: 'T', section_index: 0, labels: ['nope'] }] }, 400, 'tasks.0.labels'],
    [{ tasks: [{ title: 'T', section_index: 0, due_date: '2026-02-30' }] }, 400],
    [{ tasks: [{ title: 'T', section_index: 0, colour: 'red' }] }, 400, 'tasks.0.colour'],
    [{ sections: [] }, 400, 'sections'],
    [{ sections: Array(51).fill({ title: 'X' }) }, 400, 'sections'],
    [{ labels: ['bug'] }, 400, 'labels.0'],
    [{ title: '' }, 400, 'title'],
    [{ team_id: 999 }, 404, 'team_id'],
  ] as const
  for (const [invalidPart, status, field] of parts) {
    const body = { title: 'Website', team_id, sections: SECTIONS, ...invalidPart }
    const response = await http(cleo, 'POST', '/api/v1/projects', body)
    expect([invalidPart, response.status]).toEqual([invalidPart, status])
    if (field) expect([invalidPart, response.body.details.field]).toEqual([invalidPart, field])
  }
  expect((await cleo['projects.list']({})).page.total).toBe(0)
  expect(await changeTypes()).toEqual([])
})

test('concurrent boards of one team get different keys, another team can have the same', async () => {
  const { ada, ben, cleo, otto, team_id, otherTeamId } = await emptyWorld()
  const create = (actor: Actor, team: number) =>
    actor['projects.create']({ title: 'Website', team_id: team, sections: [{ title: 'Now' }] })
  const boards = await Promise.all(
    Array.from({ length: 12 }, (_, i) => create([ada, ben, cleo][i % 3]!, team_id)),
  )
  const keys = boards.map(({ key }) => key)
  const numbered = Array.from({ length: 11 }, (_, i) => `WEB${i + 2}`)
  expect(keys.toSorted()).toEqual(['WEB', ...numbered].toSorted())
  expect((await create(otto, otherTeamId)).key).toBe('WEB')
})

test('a board can be created with the UUID of its team', async () => {
  const { cleo, team_id } = await emptyWorld()
  const { items } = await cleo['teams.list']({})
  const board = { title: 'Website', sections: SECTIONS }
  const created = await cleo['projects.create']({ ...board, team_id: items[0]!.team_uuid })
  expect(created.team_id).toBe(team_id)
})

test('admins and agents can create a board; guests, other teams and anonymous callers cannot', async () => {
  const { ada, ben, bot, gus, otto, team_id, http } = await emptyWorld()
  const create = async (actor: Actor | undefined) =>
    (await http(actor, 'POST', '/api/v1/projects', { title: 'X', team_id, sections: SECTIONS }))
      .status
  expect(await create(ada)).toBe(201)
  expect(await create(ben)).toBe(201)
  expect(await create(bot)).toBe(201)
  expect(await create(gus)).toBe(403)
  expect(await create(otto)).toBe(404)
  expect(await create(undefined)).toBe(401)
})

test('an invited-only board of an agent is visible to it, its owner and admins only', async () => {
  const { ada, cleo, bot, gus, team_id, addMember, http } = await emptyWorld()
  const dora = await addMember(team_id, 'Dora', 'member')
  const { project_id } = await bot['projects.create']({
    ...{ title: 'Secret', team_id, sections: SECTIONS, access: 'invited' },
  })
  const getStatus = async (actor: Actor) =>
    (await http(actor, 'GET', `/api/v1/projects/${project_id}`)).status
  expect(await Promise.all([bot, cleo, ada].map(getStatus))).toEqual([200, 200, 200])
  expect(await Promise.all([dora, gus].map(getStatus))).toEqual([404, 404])
})

test('an agent limited to certain boards cannot create another one', async () => {
  const { bot, cleo, team_id, store, authenticateAs, http } = await emptyWorld()
  const body = { title: 'X', team_id, sections: SECTIONS }
  const { project_id } = await cleo['projects.create'](body)
  const { actor_id } = bot.caller
  await store.write(async (tx) => {
    await tx
      .update(agents)
      .set({ project_ids: [project_id] })
      .where(eq(agents.actor_id, actor_id))
  })
  const limitedAgent = await authenticateAs(actor_id, 'agent')
  expect((await http(limitedAgent, 'POST', '/api/v1/projects', body)).status).toBe(403)
  expect((await http(limitedAgent, 'GET', `/api/v1/projects/${project_id}`)).status).toBe(200)
})

test('a key without tasks:write can create a board only without tasks', async () => {
  const { cleo, team_id, authenticateAs, http } = await emptyWorld()
  const limited = await authenticateAs(cleo.caller.actor_id, 'key', [
    'projects:read',
    'projects:write',
  ])
  const body = { title: 'X', team_id, sections: SECTIONS }
  const tasks = [{ title: 'T', section_index: 0 }]
  const { status, text } = await http(limited, 'POST', '/api/v1/projects', { ...body, tasks })
  expect(status).toBe(403)
  expect(text).toContain('tasks:write')
  expect((await http(limited, 'POST', '/api/v1/projects', body)).status).toBe(201)
})

test('both manifest URLs return the board with columns, labels, playbook and counts', async () => {
  const { cleo, team_id, http } = await emptyWorld()
  const { project_id } = await cleo['projects.create']({
    ...{ title: 'Website', team_id, labels: [{ name: 'bug' }], source_summary: 'private' },
    sections: [{ title: 'Now' }, { title: 'Later', hidden: true }, { title: 'Done' }],
    tasks: [0, 0, 2].map((section_index, i) => ({ title: `T${i}`, section_index })),
  })
  await cleo['tasks.update']({ ticket_number: 'WEB-2', status: 'Archive' })
  await cleo['projects.set_playbook']({ project_id, notes: 'Carefully' })
  await cleo['projects.set_instructions']({ project_id, custom_instruction: 'Be brief' })
  const path = `/api/v1/projects/${project_id}`
  const { body, text } = await http(cleo, 'GET', path)
  expect((await http(cleo, 'GET', `${path}/manifest`)).body.data).toEqual(body.data)
  expect(body.data).toMatchObject({
    ...{ project_id, key: 'WEB', title: 'Website', status: 'Normal', access: 'team' },
    ...{ custom_instruction: 'Be brief', member_count: 3, agent_count: 1 },
    playbook: { notes: 'Carefully', working_rules: null, definition_of_done: [], version: 2 },
    labels: [{ name: 'bug' }],
    sections: [
      { title: 'Now', role: 'intake', done: false, hidden: false, task_count: 1 },
      { title: 'Later', role: 'intake', done: false, hidden: true, task_count: 0 },
      { title: 'Done', role: 'done', done: true, hidden: false, task_count: 1 },
    ],
  })
  expect(text).not.toContain('private')
})

test('a manifest is refused to other teams, uninvited guests and anonymous callers', async () => {
  const { ada, cleo, otto, gus, team_id, http } = await emptyWorld()
  const board = await cleo['projects.create']({ title: 'X', team_id, sections: SECTIONS })
  const getStatus = async (actor?: Actor) =>
    (await http(actor, 'GET', `/api/v1/projects/${board.project_id}/manifest`)).status
  expect([await getStatus(otto), await getStatus(gus), await getStatus()]).toEqual([404, 404, 401])
  const invited = { project_id: board.project_id, member_identifier: gus.caller.actor_id }
  await ada['projects.invite_member'](invited)
  expect(await getStatus(gus)).toBe(200)
})

test('the description of a new board is sanitized', async () => {
  const { ada, team_id } = await world()
  const { project_id } = await ada['projects.create']({
    team_id,
    title: 'Cellar',
    sections: [{ title: 'To do' }],
    description: '<p onclick="alert(1)">Wine<script>alert(2)</script></p>',
  })
  const { description } = await ada['projects.manifest']({ project_id })
  expect(description).toBe('<p>Wine</p>')
})
