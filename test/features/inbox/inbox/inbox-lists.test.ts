import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { joinTeam } from '../../../../src/features/identity/teams/model/index.ts'
import { notifications } from '../../../../src/features/inbox/notifications/model/index.ts'
import { createDatabaseLocation, openTestStore } from '../../../support/database.ts'
import { faultOf } from '../../../support/faults.ts'
import { waitForFollowers } from '../../../support/followers.ts'
import { onPostgres } from '../../../support/postgres.ts'
import { type Actor, NOON, world } from '../../../support/world.ts'

const id = ({ caller }: Actor) => caller.actor_id

/** Fills Ben’s inbox: his assignments to HP-1, HP-2 and HP-3, then a comment on HP-3. */
async function worldWithInbox() {
  const w = await world()
  await waitForFollowers(w)
  await w.store.write((tx) => tx.delete(notifications))
  for (const { task_id } of [w.tasks.logo, w.tasks.copy, w.tasks.link]) {
    w.clock.advance(1000)
    await w.ada['tasks.assign']({ task_id, user_id: id(w.ben) })
  }
  w.clock.advance(1000)
  await w.cleo['comments.add']({ task_id: w.tasks.link.task_id, text: 'Mended?' })
  await waitForFollowers(w)
  const rows = (await w.ben['inbox.list']({ sort_order: 'asc' })).items
  const ids = rows.map(({ notification_id }) => notification_id!) as [
    number,
    number,
    number,
    number,
  ]
  return { ...w, ids }
}

const listIds = async (actor: Actor, input: object = {}) =>
  (await actor['inbox.list'](input)).items.map(({ notification_id }) => notification_id)

test('an inbox is listed newest first, paged and filtered', async () => {
  const { ben, ids, board } = await worldWithInbox()
  const [a, b, c, d] = ids
  expect(await listIds(ben)).toEqual([d, c, b, a])
  const first = await ben['inbox.list']({ limit: 3 })
  expect(first.page).toMatchObject({ total: 4, has_more: true })
  expect(await listIds(ben, { limit: 3, cursor: first.page.next_cursor })).toEqual([a])
  expect(await listIds(ben, { important: true })).toEqual([c, b, a])
  expect(await listIds(ben, { kind: 'commented' })).toEqual([d])
  expect(await listIds(ben, { kind: ['commented', 'mentioned'] })).toEqual([d])
  expect(await listIds(ben, { query: 'the COPY' })).toEqual([b])
  expect(await listIds(ben, { search: 'mended' })).toEqual([d])
  expect(await listIds(ben, { project_id: board.project_id, limit: 1 })).toEqual([d])
  await ben['inbox.read']({ notification_ids: [a, c] })
  expect(await listIds(ben, { unread: true })).toEqual([d, b])
  expect(await listIds(ben, { unread: false })).toEqual([c, a])
})

test('archived notifications leave the inbox and return to their place when unarchived', async () => {
  const { ben, ids } = await worldWithInbox()
  const [a, b, c, d] = ids
  await ben['inbox.archive']({ notification_ids: [b, d] })
  expect(await listIds(ben)).toEqual([c, a])
  expect(await listIds(ben, { archived: true })).toEqual([d, b])
  const [item] = (await ben['inbox.list']({ archived: true })).items
  expect(item).toMatchObject({ folder: 'Archive', archived_at: '2026-11-20T12:00:04.000Z' })
  await ben['inbox.unarchive']({ notification_ids: [d] })
  expect(await listIds(ben)).toEqual([d, c, a])
})

test('marking notifications returns and logs those changed, and repeating it changes nothing', async () => {
  const { ben, ids, changes, clock } = await worldWithInbox()
  const [a, b] = ids
  const seq = (await changes()).at(-1)!.seq
  const both = { notification_ids: [b, a, b] }
  expect(await ben['inbox.read'](both)).toEqual({ notification_ids: [b, a], changed: [a, b] })
  clock.advance(60_000)
  expect(await ben['inbox.read'](both)).toEqual({ notification_ids: [b, a], changed: [] })
  const [, , , first] = (await ben['inbox.list']({})).items
  expect(first!.read_at).toBe('2026-11-20T12:00:04.000Z')
  await ben['inbox.unread']({ notification_ids: [a] })
  await ben['inbox.archive']({ notification_ids: [a] })
  await ben['inbox.unarchive']({ notification_ids: [a] })
  const newChanges = await changes(seq)
  expect(newChanges.map(({ type, data }) => [type, data.notification_ids])).toEqual([
    ['notification.read', [a, b]],
    ['notification.unread', [a]],
    ['notification.archived', [a]],
    ['notification.unarchived', [a]],
  ])
  // The changes have no team or board, so only Ben is informed of them.
  for (const { team_id, project_id, actor_id } of newChanges)
    expect([team_id, project_id, actor_id]).toEqual([null, null, id(ben)])
})

test('archiving with an id that is unknown or of another person archives nothing', async () => {
  const { ben, ada, ids } = await worldWithInbox()
  const [foreignId] = await listIds(ada)
  for (const invalidId of [foreignId!, 999_999]) {
    const input = { notification_ids: [ids[0], invalidId] }
    expect(await faultOf(ben['inbox.archive'](input))).toMatchObject({
      ...{ code: 'not_found', details: { field: 'notification_ids', value: invalidId } },
    })
  }
  expect(await listIds(ben)).toHaveLength(4)
  expect(await listIds(ada)).toContain(foreignId)
})

test('POST /api/v1/notifications reads, marks unread, archives and unarchives', async () => {
  const { ben, ids, http } = await worldWithInbox()
  const post = async (action: string, notification_ids: number[]) =>
    (await http(ben, 'POST', '/api/v1/notifications', { action, notification_ids })).body.data
  const [a] = ids
  for (const action of ['read', 'unread', 'archive', 'unarchive']) {
    const isMarked = action === 'read' || action === 'archive'
    expect(await post(action, [a])).toEqual({ notification_ids: [a], changed: [a] })
    const { items } = await ben['inbox.list']({ archived: action === 'archive' })
    const item = items.find(({ notification_id }) => notification_id === a)!
    expect(Boolean(action.endsWith('read') ? item.read_at : item.archived_at)).toBe(isMarked)
  }
  const other = await http(ben, 'POST', '/api/v1/notifications/archive', { notification_ids: [a] })
  expect(other.body.data.changed).toEqual([a])
  const read = await http(ben, 'GET', '/api/v1/notifications?unread=true&limit=2')
  expect([read.status, read.body.data.length, read.body.page.total]).toEqual([200, 2, 3])
})

test('of concurrent requests to archive the same notifications only one changes them', async () => {
  const { ben, ids, changeTypes } = await worldWithInbox()
  const results = await Promise.all(
    Array.from({ length: 10 }, () => ben['inbox.archive']({ notification_ids: [ids[0], ids[1]] })),
  )
  expect(results.filter(({ changed }) => changed.length)).toHaveLength(1)
  expect((await changeTypes()).filter((type) => type === 'notification.archived')).toHaveLength(1)
})

test('a board’s inbox is grouped by kind with counts', async () => {
  const { ben, ids, board } = await worldWithInbox()
  await ben['inbox.read']({ notification_ids: [ids[0]] })
  const { project_id } = board
  const { items, page } = await ben['inbox.list']({ composition: true, project_id })
  expect(items).toEqual([
    { kind: 'assigned', important: true, total: 3, unread: 2 },
    { kind: 'commented', important: false, total: 1, unread: 1 },
  ])
  expect(page).toMatchObject({ total: 2, has_more: false, next_cursor: null })
  expect(await faultOf(ben['inbox.list']({ composition: true }))).toMatchObject({
    ...{ code: 'invalid', details: { field: 'project_id', code: 'required' } },
  })
})

test('inbox_zero is true when the inbox has only notifications of done tasks, or none', async () => {
  const { ben, ids, tasks, sections } = await worldWithInbox()
  const [a, b, c, d] = ids
  const summary = () => ben['inbox.summary']({})
  expect(await summary()).toEqual({ unread: 4, important: 3, total: 4, inbox_zero: false })
  await ben['inbox.read']({ notification_ids: [a, d] })
  await ben['inbox.archive']({ notification_ids: [b, c, d] })
  expect(await summary()).toEqual({ unread: 0, important: 0, total: 1, inbox_zero: false })
  await ben['tasks.update']({ task_id: tasks.logo.task_id, section_id: sections.Done })
  expect(await summary()).toEqual({ unread: 0, important: 0, total: 1, inbox_zero: true })
  await ben['tasks.update']({ task_id: tasks.logo.task_id, section_id: sections.Doing })
  await ben['inbox.archive']({ notification_ids: [a] })
  expect(await summary()).toEqual({ unread: 0, important: 0, total: 0, inbox_zero: true })
})

test('an inbox can be read by its owner, an agent’s owner and managers of the team, nobody else', async () => {
  const w = await worldWithInbox()
  const { ada, ben, cleo, gus, otto, bot, tasks, ids } = w
  await cleo['tasks.assign']({ task_id: tasks.copy.task_id, agent_id: bot.caller.agent_id! })
  await waitForFollowers(w)
  const agent_id = bot.caller.agent_id!
  expect(await listIds(bot, { agent_id: 'self' })).toEqual(await listIds(bot))
  expect(await listIds(bot, { agent_id })).toHaveLength(1)
  for (const actor of [cleo, ada, ben]) expect(await listIds(actor, { agent_id })).toHaveLength(1)
  const user_id = id(ben)
  expect(await listIds(ben, { user_id })).toEqual(ids.toReversed())
  expect(await listIds(ada, { user_id })).toEqual(ids.toReversed())
  for (const actor of [cleo, gus, otto, bot])
    expect(await faultOf(actor['inbox.list']({ user_id }))).toMatchObject({ code: 'not_found' })
  for (const actor of [gus, otto])
    expect(await faultOf(actor['inbox.list']({ agent_id }))).toMatchObject({ code: 'not_found' })
  expect(await faultOf(ada['inbox.list']({ user_id: id(otto) }))).toMatchObject({
    code: 'not_found',
  })
  expect(await faultOf(ada['inbox.list']({ user_id, agent_id }))).toMatchObject({
    code: 'invalid',
  })
})

test('a manager sees only the notifications of the team they manage in a member’s inbox', async () => {
  const w = await worldWithInbox()
  // Ada and Ben are also members of Otto’s team, which Ada does not manage.
  for (const actor of [w.ada, w.ben])
    await w.store.write((tx) => joinTeam(tx, w.otherTeamId, id(actor), 'member', w.clock.now))
  const { project_id } = await w.otto['projects.create']({
    ...{ team_id: w.otherTeamId, title: 'Pier', sections: [{ title: 'Now' }] },
  })
  const assignee_ids = [id(w.ben)]
  await w.otto['tasks.create']({ project_id, title: 'Mend the pier', assignee_ids })
  await waitForFollowers(w)
  const [ada, ben] = [await w.authenticateAs(id(w.ada)), await w.authenticateAs(id(w.ben))]
  expect(await listIds(ben)).toHaveLength(5)
  expect((await ada['tasks.list']({ project_id })).items).toHaveLength(1)
  expect(await listIds(ada, { user_id: id(ben) })).toEqual(w.ids.toReversed())
})

test('moving a task to an inbox puts it on top, unread and high priority, as one notification', async () => {
  const w = await worldWithInbox()
  const { cleo, ben, tasks, clock, changes } = w
  const { task_id } = tasks.logo
  const otis = await w.addMember(w.team_id, 'Otis', 'admin')
  const move = { ticket_number: 'HP-1', user_id: id(ben) }
  const before = await ben['tasks.get']({ task_id })
  const receipt = await otis['inbox.move_task'](move)
  const { notification_id } = receipt
  expect(receipt).toEqual({ notification_id, task_id, ...move })
  const [item] = (await ben['inbox.list']({})).items
  expect(item).toMatchObject({
    ...{ notification_id, kind: 'moved_to_inbox', important: true, priority: 2, folder: null },
    ...{ actor: { name: 'Otis' }, read_at: null, archived_at: null },
  })
  expect(await ben['tasks.get']({ task_id })).toEqual(before)
  const last = (await changes()).at(-1)!
  expect([last.type, last.task_id, last.data]).toEqual([
    ...['inbox.moved', task_id, { ticket_number: 'HP-1', notification_id, user_id: id(ben) }],
  ])
  // Moving the task again returns the read and archived item to the top.
  await ben['inbox.read']({ notification_ids: [notification_id] })
  await ben['inbox.archive']({ notification_ids: [notification_id] })
  clock.advance(60_000)
  await cleo['tasks.assign']({ task_id: tasks.domain.task_id, user_id: id(ben) })
  clock.advance(60_000)
  expect((await w.ada['inbox.move_task'](move)).notification_id).toBe(notification_id)
  await waitForFollowers(w)
  const [top, next] = (await ben['inbox.list']({})).items
  expect(top).toMatchObject({ notification_id, read_at: null, archived_at: null })
  expect([top!.actor!.name, next!.kind]).toEqual(['Ada', 'assigned'])
})

test('moving a task to an inbox requires that caller and recipient can see the board', async () => {
  const { ada, gus, otto, ben, bot, tasks } = await worldWithInbox()
  const { task_id } = tasks.logo
  for (const actor of [gus, otto, bot])
    expect(await faultOf(ada['inbox.move_task']({ task_id, user_id: id(actor) }))).toMatchObject({
      ...{ code: 'invalid', details: { field: 'user_id', code: 'not_found' } },
    })
  for (const actor of [gus, otto])
    expect(await faultOf(actor['inbox.move_task']({ task_id, user_id: id(ben) }))).toMatchObject({
      code: 'not_found',
    })
  for (const recipient of [{}, { user_id: id(ben), agent_id: bot.caller.agent_id! }])
    expect((await faultOf(ada['inbox.move_task']({ task_id, ...recipient }))).code).toBe('invalid')
})

test('managers move tasks to any inbox; others only to their own, their agent’s or their owner’s', async () => {
  const w = await worldWithInbox()
  const { ada, ben, cleo, bot } = w
  const dora = await w.addMember(w.team_id, 'Dora', 'member')
  const { task_id } = w.tasks.logo
  const move = async (caller: Actor, target: object) =>
    (await w.http(caller, 'POST', '/api/v1/inbox/move-task', { task_id, ...target })).status
  const person = (actor: Actor) => ({ user_id: id(actor) })
  const agent = { agent_id: bot.caller.agent_id! }
  for (const [caller, target, status] of [
    ...[ada, ben].flatMap((actor) => [
      [actor, person(cleo), 200] as const,
      [actor, agent, 200] as const,
    ]),
    ...[[cleo, person(cleo), 200] as const, [cleo, agent, 200] as const],
    ...[[cleo, person(dora), 403] as const, [dora, agent, 403] as const],
    ...[[bot, person(cleo), 200] as const, [bot, agent, 200] as const],
    ...[[bot, person(ada), 403] as const, [dora, person(dora), 200] as const],
  ] as const)
    expect([caller.caller.name, target, await move(caller, target)]).toEqual([
      ...[caller.caller.name, target, status],
    ])
  const { body } = await w.http(dora, 'POST', '/api/v1/inbox/move-task', { task_id, ...agent })
  expect(body).toMatchObject({
    error: 'Not allowed',
    hint: expect.stringContaining('/comments'),
  })
  const { items } = await bot['inbox.list']({ kind: 'moved_to_inbox' })
  expect(items).toHaveLength(1)
})

test('concurrent moves of a task to one inbox create one notification', async () => {
  const { ada, ben, tasks } = await worldWithInbox()
  const { task_id } = tasks.copy
  const receipts = await Promise.all(
    Array.from({ length: 10 }, () => ada['inbox.move_task']({ task_id, user_id: id(ben) })),
  )
  expect(new Set(receipts.map(({ notification_id }) => notification_id)).size).toBe(1)
  expect(await listIds(ben, { kind: 'moved_to_inbox' })).toHaveLength(1)
})

test('invalid input for an inbox is refused with its field', async () => {
  const { ben, http, ids } = await worldWithInbox()
  const tooManyIds = Array.from({ length: 101 }, (_, i) => i + 1)
  for (const [body, field, code] of [
    [{}, 'action', 'required'],
    [{ action: 'delete', notification_ids: ids }, 'action', 'out_of_range'],
    [{ action: 'read' }, 'notification_ids', 'required'],
    [{ action: 'read', notification_ids: [] }, 'notification_ids', 'required'],
    [{ action: 'read', notification_ids: tooManyIds }, 'notification_ids', 'too_long'],
    [{ action: 'read', notification_ids: ['x'] }, 'notification_ids.0', 'invalid_type'],
    [{ action: 'read', notification_ids: [0] }, 'notification_ids.0', 'out_of_range'],
    [{ action: 'read', notification_ids: ids, folder: 'x' }, 'folder', 'unknown_field'],
  ] as const) {
    const { status, body: error } = await http(ben, 'POST', '/api/v1/notifications', body)
    expect([status, error.details.field, error.details.code]).toEqual([400, field, code])
  }
  for (const [query, field] of [
    ['kind=gossip', 'kind'],
    ['unread=perhaps', 'unread'],
    ['folder=Inbox', 'folder'],
  ] as const) {
    const { status, body } = await http(ben, 'GET', `/api/v1/notifications?${query}`)
    expect([status, body.details.field]).toEqual([400, field])
  }
})

test.skipIf(onPostgres)('listing open or archived notifications uses an index', async () => {
  const location = await createDatabaseLocation()
  await (await openTestStore(location, () => NOON)).close()
  const database = new Database(location.path, { readonly: true })
  const planOf = (archived: string) =>
    database
      .query<{ detail: string }, []>(
        `explain query plan select * from notifications where actor_id = 1 and
         archived_at is ${archived} order by created_at desc, notification_id desc limit 20`,
      )
      .all()
      .map(({ detail }) => detail)
  expect(planOf('null')).toEqual([
    'SEARCH notifications USING INDEX notifications_open (actor_id=?)',
  ])
  expect(planOf('not null')).toEqual([
    'SEARCH notifications USING INDEX notifications_archived (actor_id=?)',
  ])
  database.close()
})
