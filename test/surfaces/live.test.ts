import { expect, test } from 'bun:test'
import { credentials } from '../../src/features/credentials/index.ts'
import { projectMembers } from '../../src/features/projects/index.ts'
import { members } from '../../src/features/teams/index.ts'
import { NOON } from '../world.ts'
import { board, happens, listen, station, until } from './station.ts'

test('a change is sent to the stream as it happens, with its number in the log', async () => {
  const at = await station()
  const place = await board(at)
  const stream = await listen(at, at.cleo)
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
  await happens(at, at.bot, 'task.created', place, { ticket_number: 'K-1' })
  await until(() => stream.heard.length === 1)
  const [seen] = stream.heard
  const [change] = (await at.changes()).slice(-1)
  expect(seen).toEqual({
    id: change!.seq,
    event: 'task.created',
    data: {
      id: change!.seq,
      type: 'task.created',
      created_at: '2026-11-20T12:00:00.000Z',
      project_id: place.project_id,
      actor: { kind: 'agent', agent_id: at.bot.caller.agent_id, name: 'Bot' },
      data: { ticket_number: 'K-1' },
    },
  } as never)
})

test('a stream resumes after last-event-id, and otherwise starts with new changes', async () => {
  const at = await station()
  const place = await board(at)
  for (let i = 0; i < 450; i++) await happens(at, at.ada, 'task.updated', place, { i })
  const all = await at.changes()
  const after = all[9]!.seq
  const resumed = await listen(at, at.cleo, '', { 'last-event-id': String(after) })
  const asked = await listen(at, at.cleo, `?last_event_id=${after}`)
  const fresh = await listen(at, at.cleo)
  await happens(at, at.ada, 'task.updated', place, { last: true })
  const wanted = (await at.changes(after)).map(({ seq }) => seq)
  for (const stream of [resumed, asked]) {
    await until(() => stream.heard.length >= wanted.length)
    expect(stream.heard.map(({ id }) => id)).toEqual(wanted)
  }
  await until(() => fresh.heard.length > 0)
  expect(fresh.heard.map(({ data }) => data.data)).toEqual([{ last: true }])
})

test('changes by others to a member’s tasks are sent, so that My Tasks can be refreshed', async () => {
  const at = await station()
  const { ada, cleo, gus, team_id, sections } = at
  const user_id = cleo.caller.actor_id
  const { project_id } = await ada['projects.create']({
    ...{ team_id, title: 'Attic', sections: [{ title: 'To do' }, { title: 'Done' }] },
  })
  const { task_id, ticket_number } = at.tasks.copy
  const stream = await listen(at, cleo)
  const aside = await listen(at, gus)
  const heard = async (type: string, field: string, change: Promise<unknown>) => {
    const before = stream.heard.length
    await change
    await until(() => stream.heard.length > before)
    const told = stream.heard.slice(before).find(({ event }) => event === type)?.data.data
    expect(told).toMatchObject({ ticket_number })
    expect(JSON.stringify(told)).toContain(field)
  }
  const update = (more: object) => ada['tasks.update']({ task_id, ...more })
  await heard('task.assigned', '"name":"Cleo"', ada['tasks.assign']({ task_id, user_id }))
  await heard('task.updated', 'due_date', update({ due_date: '2026-11-20' }))
  await heard(
    'task.updated',
    'snoozed_until',
    ada['tasks.snooze']({ task_id, until: '2026-12-01' }),
  )
  await heard('task.updated', 'section_id', update({ section_id: sections.Done }))
  await heard('task.updated', 'section_id', update({ section_id: sections.Next }))
  await heard('task.unassigned', '"name":"Cleo"', update({ assignee_ids: [] }))
  await update({ assignee_ids: [user_id] })
  const move = ada['tasks.move']({ task_id, target_project_id: project_id })
  await until(() => stream.heard.some(({ data }) => data.project_id === project_id))
  await move
  expect(aside.heard).toEqual([])
})

test('a member who cannot see the new board of a moved task receives only task.left', async () => {
  const at = await station()
  const { ada, cleo, tasks, team_id } = at
  const { project_id } = await ada['projects.create']({
    ...{ team_id, title: 'Cellar', access: 'invited' },
    sections: [{ title: 'Deep' }],
  })
  const { task_id, ticket_number } = tasks.copy
  const child = await ada['tasks.create']({
    ...{ project_id: at.board.project_id, title: 'Spell', parent_task_id: task_id },
  })
  const stream = await listen(at, cleo)
  const here = await listen(at, ada, `?project_id=${at.board.project_id}`)
  await ada['tasks.move']({ task_id, target_project_id: project_id })
  await ada['tasks.update']({ task_id, title: 'Hidden now' })
  await ada['tasks.update']({ ...tasks.logo, priority: 'Low' })
  await until(() => stream.heard.some(({ event }) => event === 'task.updated'))
  expect(stream.heard.map(({ event, data }) => [event, data.project_id, data.data])).toEqual([
    ['task.left', at.board.project_id, { task_id, ticket_number }],
    ['task.left', at.board.project_id, { task_id: child.task_id, ticket_number: 'HP-5' }],
    [
      ...['task.updated', at.board.project_id],
      expect.objectContaining({ task_id: tasks.logo.task_id }),
    ],
  ])
  expect(stream.raw).not.toMatch(/CEL|Cellar|Hidden now|Deep/)
  expect(here.heard.map(({ event }) => event)).toEqual(['task.left', 'task.left', 'task.updated'])
})

test('a position beyond the end of the log, as after a restore, starts with new changes', async () => {
  const at = await station()
  const place = await board(at)
  const stream = await listen(at, at.ada, '?last_event_id=999999')
  await happens(at, at.ada, 'task.created', place)
  await until(() => stream.heard.length === 1)
})

test('a stream receives only events that its credential can see', async () => {
  const at = await station()
  const { team_id, ada, ben, cleo, gus, otto, bot } = at
  const open = await board(at)
  const closed = await board(at, 'invited')
  const narrow = await at.as(cleo.caller.actor_id, 'key', ['projects:read'])
  const cast = { ada, ben, cleo, gus, otto, bot, narrow }
  const streams = Object.fromEntries(
    await Promise.all(
      Object.entries(cast).map(async ([name, who]) => [name, await listen(at, who)] as const),
    ),
  )
  await happens(at, ada, 'task.created', open)
  await happens(at, ada, 'task.created', closed, { secret: true })
  await happens(at, ada, 'project.renamed', open)
  await happens(at, ada, 'member.joined', { team_id })
  await happens(at, ben, 'credential.created', {})
  await happens(at, ada, 'task.last', open)
  await until(() => streams.cleo!.heard.some(({ event }) => event === 'task.last'))
  await Bun.sleep(100)
  const events = (name: string) => streams[name]!.heard.map(({ event }) => event)
  const seenByMembers = ['task.created', 'project.renamed', 'member.joined', 'task.last']
  const seenByAdmins = ['task.created', ...seenByMembers]
  expect(events('ada')).toEqual(seenByAdmins)
  expect(events('ben')).toEqual([...seenByAdmins.slice(0, 4), 'credential.created', 'task.last'])
  expect(events('cleo')).toEqual(seenByMembers)
  expect(events('bot')).toEqual(seenByMembers)
  expect(events('gus')).toEqual([])
  expect(events('otto')).toEqual([])
  expect(events('narrow')).toEqual(['project.renamed'])
  expect(streams.cleo!.raw).not.toContain('secret')
})

test('task, lease, run, evidence and escalation events are sent only with tasks:read', async () => {
  const at = await station()
  const place = await board(at)
  const tasks = await listen(at, await at.as(at.cleo.caller.actor_id, 'key', ['tasks:read']))
  const boards = await listen(at, await at.as(at.cleo.caller.actor_id, 'key', ['projects:read']))
  const types = ['lease.claimed', 'run.created', 'evidence.added', 'escalation.created']
  for (const type of [...types, 'project.renamed']) await happens(at, at.ada, type, place)
  await happens(at, at.ada, 'task.updated', place)
  await until(() => tasks.heard.length > types.length && boards.heard.length > 0)
  expect(tasks.heard.map(({ event }) => event)).toEqual([...types, 'task.updated'])
  expect(boards.heard.map(({ event }) => event)).toEqual(['project.renamed'])
})

test('page events are sent only with pages:read', async () => {
  const at = await station()
  const place = await board(at)
  const { actor_id } = at.cleo.caller
  const readers = await listen(at, await at.as(actor_id, 'key', ['pages:read']))
  const others = await listen(at, await at.as(actor_id, 'key', ['tasks:read', 'projects:read']))
  const types = ['page.created', 'page.updated', 'page.restored', 'page.archived']
  for (const type of [...types, 'task.updated']) await happens(at, at.ada, type, place)
  await until(() => readers.heard.length === types.length && others.heard.length > 0)
  expect(readers.heard.map(({ event }) => event)).toEqual(types)
  expect(others.heard.map(({ event }) => event)).toEqual(['task.updated'])
})

test('a guest receives events of a board from the invitation until the removal', async () => {
  const at = await station()
  const { gus, ada } = at
  const place = await board(at)
  const actor_id = gus.caller.actor_id
  const stream = await listen(at, gus)
  await happens(at, ada, 'task.created', place, { n: 1 })
  // Access is checked at the moment an event is sent.
  await Bun.sleep(100)
  await at.store.write((tx) =>
    tx.insert(projectMembers).values({ ...place, actor_id, added_at: NOON }),
  )
  await happens(at, ada, 'project.member_added', place)
  await happens(at, ada, 'task.created', place, { n: 2 })
  await until(() => stream.heard.length === 2)
  await at.store.write((tx) => tx.delete(projectMembers))
  await happens(at, ada, 'project.member_removed', place)
  await happens(at, ada, 'task.created', place, { n: 3 })
  await Bun.sleep(200)
  expect(stream.heard.map(({ event }) => event)).toEqual(['project.member_added', 'task.created'])
})

test('a stream can be limited to one board, and a board that cannot be seen responds 404', async () => {
  const at = await station()
  const one = await board(at)
  const other = await board(at)
  const stream = await listen(at, at.ada, `?project_id=${one.project_id}`)
  await happens(at, at.ada, 'task.created', other)
  await happens(at, at.ada, 'member.joined', { team_id: at.team_id })
  await happens(at, at.ada, 'task.updated', one)
  await until(() => stream.heard.length > 0)
  expect(stream.heard.map(({ event }) => event)).toEqual(['task.updated'])
  expect((await listen(at, at.otto, `?project_id=${one.project_id}`)).response.status).toBe(404)
})

for (const query of ['?project_id=one', '?last_event_id=-1', '?last_event_id=1.5'])
  test(`a stream with ${query} is refused with 400`, async () => {
    const at = await station()
    const { response } = await listen(at, at.ada, query)
    expect(response.status).toBe(400)
    expect((await response.json()).details.code).toBe('invalid_type')
  })

test('a stream with an unknown credential is refused with 401', async () => {
  const at = await station()
  expect((await listen(at, { secret: 'cork_wrong' })).response.status).toBe(401)
  expect(at.feed.size).toBe(0)
})

test('a stream ends soon after its credential is revoked, even without any change', async () => {
  const at = await station()
  const stream = await listen(at, at.ada)
  await until(() => at.feed.size === 1)
  await at.store.write((tx) => tx.update(credentials).set({ revoked_at: NOON }))
  await until(() => stream.ended)
  expect(at.feed.size).toBe(0)
})

test('a removed member receives no change that is written together with the removal', async () => {
  const at = await station()
  const place = await board(at)
  const stream = await listen(at, at.cleo)
  await happens(at, at.ada, 'task.created', place)
  await until(() => stream.heard.length === 1)
  await at.store.write(async (tx) => {
    await tx.delete(members)
    await at.store.append(tx, at.ada.caller, NOON, [
      { type: 'member.removed', place: { team_id: at.team_id }, data: {} },
      { type: 'task.updated', place, data: {} },
    ])
  })
  await Bun.sleep(200)
  expect(stream.heard).toHaveLength(1)
})

test('a member who becomes a guest or is removed receives that, guests and outsiders do not', async () => {
  const at = await station()
  const { ada, cleo, gus, otto, team_id } = at
  const user_id = cleo.caller.actor_id
  const all = await Promise.all([ada, cleo, gus, otto].map((one) => listen(at, one)))
  await ada['teams.set_role']({ team_id, user_id, role: 'guest' })
  await ada['teams.remove_member']({ team_id, user_id })
  const [owner, herself, guest, outsider] = all
  await until(() => herself!.heard.length === 2 && owner!.heard.length === 2)
  expect(herself!.heard.map(({ event, data }) => [event, data.data])).toEqual([
    ['member.updated', { user_id, role: 'guest', was: 'member' }],
    ['member.removed', { user_id, role: 'guest' }],
  ])
  expect([guest!.heard, outsider!.heard]).toEqual([[], []])
})

test('an idle stream sends pings, and a closed connection is removed', async () => {
  const at = await station()
  const stream = await listen(at, at.ada)
  await until(() => stream.raw.includes(': ping\n\n'))
  stream.close()
  await until(() => at.feed.size === 0)
})

test('stopping the server ends every stream', async () => {
  const at = await station()
  const streams = await Promise.all([listen(at, at.ada), listen(at, at.bot)])
  await until(() => at.feed.size === 2)
  // As in `cork serve`, streams end first, because the server would wait for them forever.
  for (const { fn } of at.server.event.stop ?? []) await fn(at.server as never)
  await until(() => streams.every(({ ended }) => ended))
  expect(at.feed.size).toBe(0)
})
