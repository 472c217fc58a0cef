import { expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { actors } from '../../src/features/identity/people/model/index.ts'
import { operation } from '../../src/kernel/operation.ts'
import { world } from '../support/world.ts'

const createOperations = () => {
  let runs = 0
  const note = operation({
    name: 'notes.create',
    summary: 'Write a note',
    needs: 'tasks:write',
    creates: true,
    on: { rest: 'POST /api/v1/notes' },
    input: t.Object({ text: t.String({ maxLength: 100 }) }),
    output: t.Object({ n: t.Integer() }),
    async run({ text }, { emit, caller }) {
      emit('comment.created', { team_id: [...caller.teams.keys()][0] }, { text })
      if (text === 'bad') throw new TypeError('a bug')
      return { n: ++runs }
    },
  })
  const secret = operation({
    ...note,
    name: 'secrets.create',
    on: { rest: 'POST /api/v1/secrets' },
    output: t.Object({ n: t.Integer() }, { secret: true }),
  })
  return { extraOperations: [note, secret], runs: () => runs }
}

test('a retry with the same key returns the first response and creates nothing twice', async () => {
  const { extraOperations, runs } = createOperations()
  const { ada, http, changeTypes } = await world({ extraOperations })
  const seq = (await changeTypes()).length
  const first = await http(ada, 'POST', '/api/v1/notes', { text: 'a' }, { 'idempotency-key': 'k' })
  const again = await http(ada, 'POST', '/api/v1/notes', { text: 'a' }, { 'idempotency-key': 'k' })
  expect(first.status).toBe(201)
  expect(again.body.data).toEqual(first.body.data)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect(runs()).toBe(1)
  expect(await changeTypes()).toHaveLength(seq + 1)
})

test('an idempotency key that is reused with another body is refused with 409', async () => {
  const { extraOperations } = createOperations()
  const { ada, http } = await world({ extraOperations })
  await http(ada, 'POST', '/api/v1/notes', { text: 'a' }, { 'idempotency-key': 'k' })
  const other = await http(ada, 'POST', '/api/v1/notes', { text: 'b' }, { 'idempotency-key': 'k' })
  expect(other.status).toBe(409)
  expect(other.body.details).toMatchObject({ field: 'Idempotency-Key', code: 'conflict' })
})

test('an idempotency key belongs to one caller and expires after a day', async () => {
  const { extraOperations, runs } = createOperations()
  const { ada, ben, http, clock } = await world({ extraOperations })
  const send = (caller: typeof ada) =>
    http(caller, 'POST', '/api/v1/notes', { text: 'a' }, { 'idempotency-key': 'k' })
  await send(ada)
  await send(ben)
  expect(runs()).toBe(2)
  clock.advance(25 * 60 * 60 * 1000)
  await send(ada)
  expect(runs()).toBe(3)
})

test('an idempotency key of more than 200 characters is refused', async () => {
  const { extraOperations, runs } = createOperations()
  const { ada, http } = await world({ extraOperations })
  const long = await http(
    ada,
    'POST',
    '/api/v1/notes',
    { text: 'a' },
    { 'idempotency-key': 'k'.repeat(201) },
  )
  expect([long.status, long.body.details.field]).toEqual([400, 'Idempotency-Key'])
  expect(runs()).toBe(0)
})

test('a response with a secret is not stored, and a retry is refused with 409', async () => {
  const { extraOperations, runs } = createOperations()
  const { ada, http } = await world({ extraOperations })
  const send = () => http(ada, 'POST', '/api/v1/secrets', { text: 'a' }, { 'idempotency-key': 'k' })
  expect((await send()).status).toBe(201)
  const again = await send()
  expect(again.status).toBe(409)
  expect(again.body.message).toContain('shown only once')
  expect(runs()).toBe(1)
})

test('an unexpected error answers 500 with a request id, leaks nothing and writes nothing', async () => {
  const { extraOperations } = createOperations()
  const { ada, http, changeTypes } = await world({ extraOperations })
  const before = await changeTypes()
  const { status, text, body } = await http(ada, 'POST', '/api/v1/notes', { text: 'bad' })
  expect(status).toBe(500)
  expect(body.request_id).toBeString()
  expect(text).not.toContain('a bug')
  expect(await changeTypes()).toEqual(before)
})

test('an API key without the scope is refused before its input is validated', async () => {
  const { extraOperations } = createOperations()
  const { ada, authenticateAs, http } = await world({ extraOperations })
  const reader = await authenticateAs(ada.caller.actor_id, 'key', ['tasks:read'])
  const { status, body } = await http(reader, 'POST', '/api/v1/notes', { nonsense: 1 })
  expect(status).toBe(403)
  expect(body.message).toContain('tasks:write')
})

test('an operation with a missing guard fails with 500', async () => {
  const { extraOperations } = createOperations()
  const guarded = {
    ...extraOperations[0]!,
    guard: { by: 'nobody' as 'lease', tasks: async () => [] },
  }
  const { ada, http } = await world({ extraOperations: [guarded] })
  expect((await http(ada, 'POST', '/api/v1/notes', { text: 'a' })).status).toBe(500)
})

test('afterRead runs after a read, and its failure does not fail the request', async () => {
  let afterReadCalls = 0
  const lookOperation = operation({
    name: 'notes.look',
    summary: 'Looks, and remembers that it did',
    needs: 'tasks:read',
    dependsOn: [],
    on: { rest: 'GET /api/v1/look' },
    input: t.Object({ fails: t.Optional(t.Boolean()) }),
    output: t.Object({ seen: t.Integer() }),
    async run({ fails }, ctx) {
      ctx.afterRead(async (tx) => {
        if (fails) throw new Error('no room left')
        await tx.select().from(actors)
        afterReadCalls++
      })
      return { seen: afterReadCalls }
    },
  })
  const { ada, http } = await world({ extraOperations: [lookOperation] })
  expect((await http(ada, 'GET', '/api/v1/look')).body.data).toEqual({ seen: 0 })
  expect(afterReadCalls).toBe(1)
  expect((await http(ada, 'GET', '/api/v1/look?fails=true')).body.data).toEqual({ seen: 1 })
  expect(afterReadCalls).toBe(1)
})
