import { expect, test } from 'bun:test'
import { Fault } from '../../../../src/kernel/fault.ts'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

type Type = 'RelatedTo' | 'BlockedBy' | 'BlockedTo'

const ends = (source: string, target: string) => ({
  source_ticket_number: source,
  target_ticket_number: target,
})

const link = (w: World, source: string, relation_type: Type, target: string) =>
  w.cleo['relations.create']({ ...ends(source, target), relation_type })

async function links(w: World, ticket_number: string, overrides: object = {}) {
  const { items } = await w.cleo['relations.list']({ ticket_number, ...overrides })
  return items.map((row) => [row.relation_type, row.ticket_number])
}

test('a relation is listed from both tasks, each with its own type', async () => {
  const w = await world()
  const created = await link(w, 'HP-1', 'BlockedBy', 'HP-2')
  expect(created).toEqual({
    ...{ relation_id: created.relation_id, relation_type: 'BlockedBy' },
    ...{ source_task_id: w.tasks.logo.task_id, source_ticket_number: 'HP-1' },
    ...{ target_task_id: w.tasks.copy.task_id, target_ticket_number: 'HP-2' },
  })
  await link(w, 'HP-1', 'BlockedTo', 'HP-3')
  await link(w, 'HP-4', 'RelatedTo', 'HP-1')
  expect(await links(w, 'HP-1')).toEqual([
    ['BlockedBy', 'HP-2'],
    ['BlockedTo', 'HP-3'],
    ['RelatedTo', 'HP-4'],
  ])
  expect(await links(w, 'HP-2')).toEqual([['BlockedTo', 'HP-1']])
  expect(await links(w, 'HP-3')).toEqual([['BlockedBy', 'HP-1']])
  expect(await links(w, 'HP-4')).toEqual([['RelatedTo', 'HP-1']])
})

test('a relation lists the other task, and relations are filtered by type or target', async () => {
  const w = await world()
  await link(w, 'HP-1', 'BlockedBy', 'HP-4')
  await link(w, 'HP-1', 'RelatedTo', 'HP-2')
  const { items, page } = await w.cleo['relations.list']({
    ...{ source_ticket_number: 'HP-1', relation_type: 'BlockedBy' },
  })
  expect(page.total).toBe(1)
  expect(items).toEqual([
    {
      relation_id: items[0]!.relation_id,
      relation_type: 'BlockedBy',
      ...w.tasks.domain,
      title: 'Buy the domain',
      project_id: w.board.project_id,
      section_id: w.sections.Done,
      section: 'Done',
      done: true,
      status: 'Normal',
      created_at: '2026-11-20T12:00:00.000Z',
    },
  ])
  expect(await links(w, 'HP-1', { target_ticket_number: 'HP-2' })).toEqual([['RelatedTo', 'HP-2']])
  expect(await links(w, 'HP-1', { target_ticket_number: 'HP-3' })).toEqual([])
})

test('relations are paged, oldest first by default', async () => {
  const w = await world()
  for (const other of ['HP-2', 'HP-3', 'HP-4']) {
    await link(w, 'HP-1', 'RelatedTo', other)
    w.clock.advance(1000)
  }
  const list = (overrides: object) =>
    w.cleo['relations.list']({ ticket_number: 'HP-1', limit: 2, ...overrides })
  const first = await list({})
  expect(first.items.map((row) => row.ticket_number)).toEqual(['HP-2', 'HP-3'])
  expect(first.page).toMatchObject({ total: 3, has_more: true })
  const second = await list({ cursor: first.page.next_cursor })
  expect(second.items.map((row) => row.ticket_number)).toEqual(['HP-4'])
  expect(second.page).toMatchObject({ has_more: false, next_cursor: null })
  const newest = await list({ sort: 'createdAt:desc' })
  expect(newest.items.map((row) => row.ticket_number)).toEqual(['HP-4', 'HP-3'])
})

test('both ends of a relation take any task address, and contradicting addresses are refused', async () => {
  const w = await world()
  const { project_id } = w.board
  await w.cleo['relations.create']({
    ...{ source_unique_index: 1, source_project_id: project_id },
    ...{ target_task_id: w.tasks.copy.task_id, relation_type: 'RelatedTo' },
  })
  expect(await links(w, 'HP-1')).toEqual([['RelatedTo', 'HP-2']])
  const { removed } = await w.cleo['relations.delete']({
    ...{ source_ticket_number: ' hp-2', target_unique_index: 1, target_project_id: project_id },
  })
  expect(removed).toEqual(['RelatedTo'])
  const fault = await faultOf(
    w.cleo['relations.list']({ ticket_number: 'HP-1', source_ticket_number: 'HP-2' }),
  )
  expect(fault.details).toMatchObject({ field: 'source_ticket_number', code: 'conflict' })
})

test('creating and deleting a relation each log a change for both tasks', async () => {
  const w = await world()
  const { relation_id } = await link(w, 'HP-2', 'BlockedTo', 'HP-3')
  await w.cleo['relations.delete'](ends('HP-3', 'HP-2'))
  const place = { team_id: w.team_id, project_id: w.board.project_id }
  const changes = (await w.changes()).map(({ type, team_id, project_id, task_id, data }) => ({
    ...{ type, team_id, project_id, task_id, data },
  }))
  const at = (ticket: 'copy' | 'link') => ({ ...place, task_id: w.tasks[ticket].task_id })
  const fields = (type: Type, ticket_number: string, other_ticket_number: string) => ({
    data: { relation_id, relation_type: type, ticket_number, other_ticket_number },
  })
  const [created, deleted] = [{ type: 'relation.created' }, { type: 'relation.deleted' }]
  expect(changes).toEqual([
    { ...created, ...at('copy'), ...fields('BlockedTo', 'HP-2', 'HP-3') },
    { ...created, ...at('link'), ...fields('BlockedBy', 'HP-3', 'HP-2') },
    { ...deleted, ...at('link'), ...fields('BlockedBy', 'HP-3', 'HP-2') },
    { ...deleted, ...at('copy'), ...fields('BlockedTo', 'HP-2', 'HP-3') },
  ])
})

test('unlinking deletes one type or all relations between two tasks', async () => {
  const w = await world()
  const unlink = (overrides: { relation_type?: Type }) =>
    w.cleo['relations.delete']({ ...ends('HP-1', 'HP-2'), ...overrides })
  await link(w, 'HP-1', 'RelatedTo', 'HP-2')
  await link(w, 'HP-1', 'BlockedBy', 'HP-2')
  await link(w, 'HP-1', 'RelatedTo', 'HP-3')
  expect((await faultOf(unlink({ relation_type: 'BlockedTo' }))).code).toBe('not_found')
  expect((await unlink({ relation_type: 'RelatedTo' })).removed).toEqual(['RelatedTo'])
  expect((await unlink({})).removed).toEqual(['BlockedBy'])
  const again = await faultOf(unlink({}))
  expect(again).toMatchObject({ code: 'not_found', details: { field: 'target_ticket_number' } })
  expect(await links(w, 'HP-1')).toEqual([['RelatedTo', 'HP-3']])
})

test('a duplicate or opposite relation of two tasks is refused from either end', async () => {
  const w = await world()
  const { relation_id } = await link(w, 'HP-1', 'RelatedTo', 'HP-2')
  await link(w, 'HP-1', 'BlockedBy', 'HP-2')
  for (const [source, type, target] of [
    ['HP-1', 'RelatedTo', 'HP-2'],
    ['HP-2', 'RelatedTo', 'HP-1'],
    ['HP-1', 'BlockedBy', 'HP-2'],
    ['HP-2', 'BlockedTo', 'HP-1'],
    ['HP-1', 'BlockedTo', 'HP-2'],
  ] as const) {
    const fault = await faultOf(link(w, source, type, target))
    expect(fault).toMatchObject({ code: 'conflict', details: { field: 'relation_type' } })
  }
  const first = await faultOf(link(w, 'HP-2', 'RelatedTo', 'HP-1'))
  expect(first.details.relation_id).toBe(relation_id)
  expect((await w.changeTypes()).length).toBe(4)
})

test('a relation with the task itself, a deleted task or a task of another team is refused', async () => {
  const w = await world()
  const self = await faultOf(link(w, 'HP-1', 'RelatedTo', 'HP-1'))
  expect(self.details).toMatchObject({ field: 'target_ticket_number', code: 'conflict' })
  await w.cleo['tasks.update']({ ticket_number: 'HP-2', status: 'Deleted' })
  const deletedFault = await faultOf(link(w, 'HP-2', 'BlockedBy', 'HP-1'))
  expect(deletedFault.details).toMatchObject({ field: 'source_ticket_number', code: 'conflict' })
  const foreignBoard = await w.otto['projects.create']({
    ...{ team_id: w.otherTeamId, title: 'Far', sections: [{ title: 'Now' }] },
  })
  const foreignTask = await w.otto['tasks.create']({
    project_id: foreignBoard.project_id,
    title: 'Far',
  })
  const stranger = await faultOf(link(w, 'HP-1', 'RelatedTo', foreignTask.ticket_number))
  expect(stranger.code).toBe('not_found')
  expect(stranger.details.field).toBe('target_ticket_number')
  const both = await w.ada['teams.create']({ name: 'Second' })
  const ada = await w.authenticateAs(w.ada.caller.actor_id)
  const secondBoard = await ada['projects.create']({
    ...{ team_id: both.team_id, title: 'Own', sections: [{ title: 'Now' }] },
  })
  const other = await ada['tasks.create']({ project_id: secondBoard.project_id, title: 'Other' })
  const crossTeamFault = await faultOf(
    ada['relations.create']({ ...ends('HP-1', other.ticket_number), relation_type: 'RelatedTo' }),
  )
  expect(crossTeamFault.details).toMatchObject({ field: 'target_ticket_number', code: 'conflict' })
  expect(await w.changeTypes()).not.toContain('relation.created')
})

test('a relation that closes a cycle of blocked tasks is refused, however long the cycle', async () => {
  const w = await world()
  await link(w, 'HP-1', 'BlockedBy', 'HP-2')
  await link(w, 'HP-2', 'BlockedBy', 'HP-3')
  await link(w, 'HP-4', 'BlockedTo', 'HP-3')
  for (const [source, type, target] of [
    ['HP-3', 'BlockedBy', 'HP-1'],
    ['HP-1', 'BlockedTo', 'HP-4'],
  ] as const)
    expect(await faultOf(link(w, source, type, target))).toMatchObject({
      ...{ code: 'conflict', details: { field: 'relation_type' } },
    })
  await link(w, 'HP-4', 'BlockedTo', 'HP-1')
  await link(w, 'HP-4', 'RelatedTo', 'HP-1')
})

test('of concurrent relations that would close a cycle exactly one is refused', async () => {
  const w = await world()
  const { project_id } = w.board
  const keys: string[] = []
  for (let i = 0; i < 6; i++)
    keys.push((await w.cleo['tasks.create']({ project_id, title: `${i}` })).ticket_number)
  const cycle = keys.map((one, i) => link(w, one, 'BlockedBy', keys[(i + 1) % keys.length]!))
  const ends = await Promise.allSettled(cycle)
  const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  expect(faults).toHaveLength(1)
  expect(faults[0]).toBeInstanceOf(Fault)
  expect(faults[0].code).toBe('conflict')
})

test('concurrent requests for the same relation create it once', async () => {
  const w = await world()
  const make = (i: number) =>
    i % 2 ? link(w, 'HP-1', 'BlockedBy', 'HP-2') : link(w, 'HP-2', 'BlockedTo', 'HP-1')
  const ends = await Promise.allSettled(Array.from({ length: 10 }, (_, i) => make(i)))
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await links(w, 'HP-1')).toEqual([['BlockedBy', 'HP-2']])
})

test('without access to the other board a relation is not listed, created or deleted', async () => {
  const w = await world()
  const { team_id } = w
  const secret = await w.ada['projects.create']({
    ...{ team_id, title: 'Secret', access: 'invited', sections: [{ title: 'Now' }] },
  })
  const hidden = await w.ada['tasks.create']({ project_id: secret.project_id, title: 'Hidden' })
  const { ticket_number } = hidden
  await w.ada['relations.create']({ ...ends('HP-1', ticket_number), relation_type: 'BlockedBy' })
  const countFor = async (actor: World['ada']) =>
    (await actor['relations.list']({ ticket_number: 'HP-1' })).page.total
  expect([await countFor(w.ada), await countFor(w.cleo), await countFor(w.bot)]).toEqual([1, 0, 0])
  const fault = await faultOf(link(w, 'HP-2', 'RelatedTo', ticket_number))
  expect(fault.code).toBe('not_found')
  expect((await faultOf(w.cleo['relations.delete'](ends('HP-1', ticket_number)))).code).toBe(
    'not_found',
  )
})

test('a relation follows its tasks to another board and under a new key', async () => {
  const w = await world()
  await link(w, 'HP-1', 'BlockedBy', 'HP-2')
  const otherBoard = await w.cleo['projects.create']({
    ...{ team_id: w.team_id, title: 'There', sections: [{ title: 'Now' }] },
  })
  const { ticket_number } = await w.cleo['tasks.move']({
    ...{ ticket_number: 'HP-2', target_project_id: otherBoard.project_id },
  })
  expect(await links(w, 'HP-1')).toEqual([['BlockedBy', ticket_number]])
})

test('a ticket key in a title or description creates no relation', async () => {
  const w = await world()
  await w.cleo['tasks.update']({
    ...{ ticket_number: 'HP-1', title: 'After HP-2', description: '<p>Blocked by HP-2</p>' },
  })
  expect(await links(w, 'HP-1')).toEqual([])
  expect(await links(w, 'HP-2')).toEqual([])
})

test('over REST relations are created, listed, and deleted by query or body', async () => {
  const w = await world()
  const body = { ...ends('HP-1', 'HP-2'), relation_type: 'BlockedBy' }
  expect((await w.http(w.cleo, 'POST', '/api/v1/relations', body)).status).toBe(201)
  expect((await w.http(w.cleo, 'POST', '/api/v1/relations', body)).status).toBe(409)
  const listed = await w.http(w.cleo, 'GET', '/api/v1/tasks/HP-2/relations?relation_type=BlockedTo')
  expect(listed.body.data).toMatchObject([{ ticket_number: 'HP-1', done: false }])
  const query = new URLSearchParams(ends('HP-2', 'HP-1'))
  const response = await w.http(w.cleo, 'DELETE', `/api/v1/relations?${query}`)
  expect(response.body.data.removed).toEqual(['BlockedTo'])
  expect((await w.http(w.cleo, 'DELETE', '/api/v1/relations', ends('HP-2', 'HP-1'))).status).toBe(
    404,
  )
})

test('invalid relation input is refused with field and code', async () => {
  const { cleo, http } = await world()
  const valid = { ...ends('HP-1', 'HP-2'), relation_type: 'RelatedTo' }
  for (const [body, field, code, status = 400] of [
    [{ ...valid, relation_type: 'Blocks' }, 'relation_type', 'out_of_range'],
    [ends('HP-1', 'HP-2'), 'relation_type', 'required'],
    [{ ...valid, source_ticket_number: undefined }, 'source_ticket_number', 'required'],
    [{ ...valid, target_ticket_number: undefined }, 'target_ticket_number', 'required'],
    [{ ...valid, target_ticket_number: 'HP-99' }, 'target_ticket_number', 'not_found', 404],
    [{ ...valid, source_ticket_number: 7 }, 'source_ticket_number', 'invalid_type'],
    [{ ...valid, target_task_id: 1 }, 'target_ticket_number', 'conflict'],
    [{ ...valid, source_task_id: 2 ** 31 }, 'source_task_id', 'out_of_range'],
    [{ ...valid, ticket_number: 'HP-1' }, 'ticket_number', 'unknown_field'],
  ] as const) {
    const answer = await http(cleo, 'POST', '/api/v1/relations', body)
    const { details } = answer.body
    expect([field, answer.status, details.field, details.code]).toEqual([
      ...[field, status, field, code],
    ])
  }
})
