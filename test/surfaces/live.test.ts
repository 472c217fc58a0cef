import { expect, test } from 'bun:test'
import { projectMembers } from '../../src/features/boards/projects/model/index.ts'
import { credentials } from '../../src/features/identity/credentials/model/index.ts'
import { members } from '../../src/features/identity/teams/model/index.ts'
import { waitUntil } from '../support/wait.ts'
import { NOON } from '../support/world.ts'
import { appendChange, createBoard, listen, startLiveServer } from './live-server.ts'

test('a change is sent to the stream as it happens, with its number in the log', async () => {
  const w = await startLiveServer()
  const board = await createBoard(w)
  const stream = await listen(w, w.cleo)
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
  await appendChange(w, w.bot, 'task.created', board, { ticket_number: 'K-1' })
  await waitUntil(() => stream.events.length === 1)
  const [event] = stream.events
  const [change] = (await w.changes()).slice(-1)
  expect(event).toEqual({
    id: change!.seq,
    event: 'task.created',
    data: {
      id: change!.seq,
      type: 'task.created',
      created_at: '2026-11-20T12:00:00.000Z',
      project_id: board.project_id,
      actor: { kind: 'agent', agent_id: w.bot.caller.agent_id, name: 'Bot' },
      data: { ticket_number: 'K-1' },
    },
  } as never)
})

test('a stream resumes after last-event-id, and otherwise starts with new changes', async () => {
  const w = await startLiveServer()
  const board = await createBoard(w)
  for (let i = 0; i < 450; i++) await appendChange(w, w.ada, 'task.updated', board, { i })
  const all = await w.changes()
  const after = all[9]!.seq
  const resumed = await listen(w, w.cleo, '', { 'last-event-id': String(after) })
  const byQuery = await listen(w, w.cleo, `?last_event_id=${after}`)
  const opened = await listen(w, w.cleo)
  await appendChange(w, w.ada, 'task.updated', board, { last: true })
  const expectedIds = (await w.changes(after)).map(({ seq }) => seq)
  for (const stream of [resumed, byQuery]) {
    await waitUntil(() => stream.events.length >= expectedIds.length)
    expect(stream.events.map(({ id }) => id)).toEqual(expectedIds)
  }
  await waitUntil(() => opened.events.length > 0)
  expect(opened.events.map(({ data }) => data.data)).toEqual([{ last: true }])
})

test('changes by others to a member’s tasks are sent, so that My Tasks can be refreshed', async () => {
  const w = await startLiveServer()
  const { ada, cleo, gus, team_id, sections } = w
  const user_id = cleo.caller.actor_id
  const { project_id } = await ada['projects.create']({
    ...{ team_id, title: 'Attic', sections: [{ title: 'To do' }, { title: 'Done' }] },
  })
  const { task_id, ticket_number } = w.tasks.copy
  const stream = await listen(w, cleo)
  const guestStream = await listen(w, gus)
  const expectEvent = async (type: string, field: string, change: Promise<unknown>) => {
    const before = stream.events.length
    await change
    const found = () => stream.events.slice(before).find(({ event }) => event === type)
    await waitUntil(() => found() !== undefined)
    const data = found()?.data.data
    expect(data).toMatchObject({ ticket_number })
    expect(JSON.stringify(data)).toContain(field)
  }
  const update = (overrides: object) => ada['tasks.update']({ task_id, ...overrides })
  await expectEvent('task.assigned', '"name":"Cleo"', ada['tasks.assign']({ task_id, user_id }))
  await expectEvent('task.updated', 'due_date', update({ due_date: '2026-11-20' }))
  await expectEvent(
    'task.updated',
    'snoozed_until',
    ada['tasks.snooze']({ task_id, until: '2026-12-01' }),
  )
  await expectEvent('task.updated', 'section_id', update({ section_id: sections.Done }))
  await expectEvent('task.updated', 'section_id', update({ section_id: sections.Next }))
  await expectEvent('task.unassigned', '"name":"Cleo"', update({ assignee_ids: [] }))
  await update({ assignee_ids: [user_id] })
  const move = ada['tasks.move']({ task_id, target_project_id: project_id })
  await waitUntil(() => stream.events.some(({ data }) => data.project_id === project_id))
  await move
  expect(guestStream.events).toEqual([])
})

test('a member who cannot see the new board of a moved task receives only task.left', async () => {
  const w = await startLiveServer()
  const { ada, cleo, tasks, team_id } = w
  const { project_id } = await ada['projects.create']({
    ...{ team_id, title: 'Cellar', access: 'invited' },
    sections: [{ title: 'Deep' }],
  })
  const { task_id, ticket_number } = tasks.copy
  const child = await ada['tasks.create']({
    ...{ project_id: w.board.project_id, title: 'Spell', parent_task_id: task_id },
  })
  const stream = await listen(w, cleo)
  const boardStream = await listen(w, ada, `?project_id=${w.board.project_id}`)
  await ada['tasks.move']({ task_id, target_project_id: project_id })
  await ada['tasks.update']({ task_id, title: 'Hidden now' })
  await ada['tasks.update']({ ...tasks.logo, priority: 'Low' })
  for (const { events } of [stream, boardStream])
    await waitUntil(() => events.some(({ event }) => event === 'task.updated'))
  expect(stream.events.map(({ event, data }) => [event, data.project_id, data.data])).toEqual([
    ['task.left', w.board.project_id, { task_id, ticket_number }],
    ['task.left', w.board.project_id, { task_id: child.task_id, ticket_number: 'HP-5' }],
    [
      ...['task.updated', w.board.project_id],
      expect.objectContaining({ task_id: tasks.logo.task_id }),
    ],
  ])
  expect(stream.raw).not.toMatch(/CEL|Cellar|Hidden now|Deep/)
  expect(boardStream.events.map(({ event }) => event)).toEqual([
    'task.left',
    'task.left',
    'task.updated',
  ])
})

test('a position beyond the end of the log, as after a restore, starts with new changes', async () => {
  const w = await startLiveServer()
  const board = await createBoard(w)
  const stream = await listen(w, w.ada, '?last_event_id=999999')
  await appendChange(w, w.ada, 'task.created', board)
  await waitUntil(() => stream.events.length === 1)
})

test('a stream receives only events that its credential can see', async () => {
  const w = await startLiveServer()
  const { team_id, ada, ben, cleo, gus, otto, bot } = w
  const open = await createBoard(w)
  const closed = await createBoard(w, 'invited')
  const limited = await w.authenticateAs(cleo.caller.actor_id, 'key', ['projects:read'])
  const actors = { ada, ben, cleo, gus, otto, bot, narrow: limited }
  const streams = Object.fromEntries(
    await Promise.all(
      Object.entries(actors).map(async ([name, actor]) => [name, await listen(w, actor)] as const),
    ),
  )
  await appendChange(w, ada, 'task.created', open)
  await appendChange(w, ada, 'task.created', closed, { secret: true })
  await appendChange(w, ada, 'project.renamed', open)
  await appendChange(w, ada, 'member.added', { team_id })
  await appendChange(w, ben, 'credential.created', {})
  await appendChange(w, ada, 'task.updated', open)
  const events = (name: string) => streams[name]!.events.map(({ event }) => event)
  for (const name of ['ada', 'ben', 'cleo', 'bot'])
    await waitUntil(() => events(name).includes('task.updated'))
  await Bun.sleep(100)
  const seenByMembers = ['task.created', 'project.renamed', 'member.added', 'task.updated']
  const seenByAdmins = ['task.created', ...seenByMembers]
  expect(events('ada')).toEqual(seenByAdmins)
  expect(events('ben')).toEqual([...seenByAdmins.slice(0, 4), 'credential.created', 'task.updated'])
  expect(events('cleo')).toEqual(seenByMembers)
  expect(events('bot')).toEqual(seenByMembers)
  expect(events('gus')).toEqual([])
  expect(events('otto')).toEqual([])
  expect(events('narrow')).toEqual(['project.renamed'])
  expect(streams.cleo!.raw).not.toContain('secret')
})

test('task, lease, run, evidence and escalation events are sent only with tasks:read', async () => {
  const w = await startLiveServer()
  const board = await createBoard(w)
  const tasks = await listen(
    w,
    await w.authenticateAs(w.cleo.caller.actor_id, 'key', ['tasks:read']),
  )
  const boards = await listen(
    w,
    await w.authenticateAs(w.cleo.caller.actor_id, 'key', ['projects:read']),
  )
  const types = ['lease.claimed', 'run.created', 'evidence.added', 'escalation.created'] as const
  for (const type of [...types, 'project.renamed'] as const)
    await appendChange(w, w.ada, type, board)
  await appendChange(w, w.ada, 'task.updated', board)
  await waitUntil(() => tasks.events.length > types.length && boards.events.length > 0)
  expect(tasks.events.map(({ event }) => event)).toEqual([...types, 'task.updated'])
  expect(boards.events.map(({ event }) => event)).toEqual(['project.renamed'])
})

test('page events are sent only with pages:read', async () => {
  const w = await startLiveServer()
  const board = await createBoard(w)
  const { actor_id } = w.cleo.caller
  const readers = await listen(w, await w.authenticateAs(actor_id, 'key', ['pages:read']))
  const othersStream = await listen(
    w,
    await w.authenticateAs(actor_id, 'key', ['tasks:read', 'projects:read']),
  )
  const types = ['page.created', 'page.updated', 'page.restored', 'page.archived'] as const
  for (const type of [...types, 'task.updated'] as const) await appendChange(w, w.ada, type, board)
  await waitUntil(() => readers.events.length === types.length && othersStream.events.length > 0)
  expect(readers.events.map(({ event }) => event)).toEqual([...types])
  expect(othersStream.events.map(({ event }) => event)).toEqual(['task.updated'])
})

test('a guest receives events of a board from the invitation until the removal', async () => {
  const w = await startLiveServer()
  const { gus, ada } = w
  const board = await createBoard(w)
  const actor_id = gus.caller.actor_id
  const stream = await listen(w, gus)
  await appendChange(w, ada, 'task.created', board, { n: 1 })
  // Access is checked at the moment an event is sent.
  await Bun.sleep(100)
  await w.store.write((tx) =>
    tx.insert(projectMembers).values({ ...board, actor_id, added_at: NOON }),
  )
  await appendChange(w, ada, 'project.member_added', board)
  await appendChange(w, ada, 'task.created', board, { n: 2 })
  await waitUntil(() => stream.events.length === 2)
  await w.store.write((tx) => tx.delete(projectMembers))
  await appendChange(w, ada, 'project.member_removed', board)
  await appendChange(w, ada, 'task.created', board, { n: 3 })
  await Bun.sleep(200)
  expect(stream.events.map(({ event }) => event)).toEqual(['project.member_added', 'task.created'])
})

test('a stream can be limited to one board, and a board that cannot be seen responds 404', async () => {
  const w = await startLiveServer()
  const one = await createBoard(w)
  const other = await createBoard(w)
  const stream = await listen(w, w.ada, `?project_id=${one.project_id}`)
  await appendChange(w, w.ada, 'task.created', other)
  await appendChange(w, w.ada, 'member.added', { team_id: w.team_id })
  await appendChange(w, w.ada, 'task.updated', one)
  await waitUntil(() => stream.events.length > 0)
  expect(stream.events.map(({ event }) => event)).toEqual(['task.updated'])
  expect((await listen(w, w.otto, `?project_id=${one.project_id}`)).response.status).toBe(404)
})

for (const query of ['?project_id=one', '?last_event_id=-1', '?last_event_id=1.5'])
  test(`a stream with ${query} is refused with 400`, async () => {
    const w = await startLiveServer()
    const { response } = await listen(w, w.ada, query)
    expect(response.status).toBe(400)
    expect((await response.json()).details.code).toBe('invalid_type')
  })

test('a stream with an unknown credential is refused with 401', async () => {
  const w = await startLiveServer()
  expect((await listen(w, { secret: 'cork_wrong' })).response.status).toBe(401)
  expect(w.feed.size).toBe(0)
})

test('a stream ends soon after its credential is revoked, even without any change', async () => {
  const w = await startLiveServer()
  const stream = await listen(w, w.ada)
  await waitUntil(() => w.feed.size === 1)
  await w.store.write((tx) => tx.update(credentials).set({ revoked_at: NOON }))
  await waitUntil(() => stream.ended)
  expect(w.feed.size).toBe(0)
})

test('a removed member receives no change that is written together with the removal', async () => {
  const w = await startLiveServer()
  const board = await createBoard(w)
  const stream = await listen(w, w.cleo)
  await appendChange(w, w.ada, 'task.created', board)
  await waitUntil(() => stream.events.length === 1)
  await w.store.write(async (tx) => {
    await tx.delete(members)
    await w.store.append(tx, w.ada.caller, NOON, [
      { type: 'member.removed', place: { team_id: w.team_id }, data: {} },
      { type: 'task.updated', place: board, data: {} },
    ])
  })
  await Bun.sleep(200)
  expect(stream.events).toHaveLength(1)
})

test('a member who becomes a guest or is removed receives that, guests and outsiders do not', async () => {
  const w = await startLiveServer()
  const { ada, cleo, gus, otto, team_id } = w
  const user_id = cleo.caller.actor_id
  const all = await Promise.all([ada, cleo, gus, otto].map((one) => listen(w, one)))
  await ada['teams.set_role']({ team_id, user_id, role: 'guest' })
  await ada['teams.remove_member']({ team_id, user_id })
  const [owner, member, guest, outsider] = all
  await waitUntil(() => member!.events.length === 2 && owner!.events.length === 2)
  expect(member!.events.map(({ event, data }) => [event, data.data])).toEqual([
    ['member.updated', { user_id, role: 'guest', was: 'member' }],
    ['member.removed', { user_id, role: 'guest' }],
  ])
  expect([guest!.events, outsider!.events]).toEqual([[], []])
})

test('an idle stream sends pings, and a closed connection is removed', async () => {
  const w = await startLiveServer()
  const stream = await listen(w, w.ada)
  await waitUntil(() => stream.raw.includes(': ping\n\n'))
  stream.close()
  await waitUntil(() => w.feed.size === 0)
})

test('stopping the server ends every stream', async () => {
  const w = await startLiveServer()
  const streams = await Promise.all([listen(w, w.ada), listen(w, w.bot)])
  await waitUntil(() => w.feed.size === 2)
  // `cork serve` also ends the streams first, because stopping the server waits for them.
  for (const { fn } of w.server.event.stop ?? []) await fn(w.server as never)
  await waitUntil(() => streams.every(({ ended }) => ended))
  expect(w.feed.size).toBe(0)
})
