import { expect, test } from 'bun:test'
import { chargeSender, fileUsage } from '../../../../src/features/tasks/files/model/index.ts'
import { type Actor, world } from '../../../support/world.ts'

const KB = 1000
const DAY_MS = 24 * 60 * 60 * 1000

async function quotas(env: Record<string, string>) {
  const w = await world({ env })
  const { project_id } = w.board
  const { ticket_number } = await w.ada['tasks.create']({ project_id, title: 'Files' })
  /** Attaches a file of the given size, and returns its id or the refusal. */
  const send = async (size: number, actor: Actor = w.ada, task = ticket_number) => {
    const data = Buffer.alloc(size, Math.floor(Math.random() * 256)).toString('base64')
    const files = [{ filename: 'a.bin', content_type: 'application/octet-stream', data }]
    const response = await w.http(actor, 'POST', `/api/v1/tasks/${task}/attachments`, { files })
    const { success, data: attached, ...refusal } = response.body
    return {
      status: response.status,
      refusal,
      id: attached?.attachments[0].attachment_id as number,
    }
  }
  const usage = () =>
    w.store.read(async (tx) =>
      Object.fromEntries((await tx.select().from(fileUsage)).map((row) => [row.name, row.bytes])),
    )
  return { ...w, send, usage, ticket_number }
}

test('an upload over the team quota is refused with a hint, and accepted after a file is deleted', async () => {
  const { send, ada, ben, usage, team_id } = await quotas({ CORK_FILES_PER_TEAM: '1' })
  const first = await send(600 * KB)
  expect(first.status).toBe(201)
  const { status, refusal } = await send(600 * KB, ben)
  expect(status).toBe(413)
  expect(refusal).toMatchObject({
    error: 'Too large',
    message: 'The files of this team would total 1.2 MB; the maximum is 1.0 MB',
    details: { limit: 1e6, used: 600 * KB },
  })
  expect(refusal.hint).toContain('ask the server operator to raise CORK_FILES_PER_TEAM')
  expect((await usage())[`team:${team_id}`]).toBe(600 * KB)
  await ada['attachments.delete']({ attachment_id: first.id })
  expect((await usage())[`team:${team_id}`]).toBe(0)
  expect((await send(600 * KB, ben)).status).toBe(201)
})

test('concurrent uploads cannot exceed the team quota', async () => {
  const { send } = await quotas({ CORK_FILES_PER_TEAM: '1' })
  const responses = await Promise.all(Array.from({ length: 6 }, () => send(300 * KB)))
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 413, 413, 413])
})

test('a team without a stored usage is counted in full at its next upload', async () => {
  const { send, store, usage, team_id } = await quotas({ CORK_FILES_PER_TEAM: '1' })
  await send(500 * KB)
  await send(200 * KB)
  await store.write((tx) => tx.delete(fileUsage))
  expect((await send(400 * KB)).status).toBe(413)
  expect((await send(100 * KB)).status).toBe(201)
  expect((await usage())[`team:${team_id}`]).toBe(800 * KB)
})

test('a credential has a daily upload quota, and failed uploads count as well', async () => {
  const { send, ben, clock } = await quotas({ CORK_FILES_PER_DAY: '1' })
  expect((await send(600 * KB, undefined, 'NONE-1')).status).toBe(404)
  const { status, refusal } = await send(600 * KB)
  expect([status, refusal.message]).toEqual([
    413,
    'This credential would have sent 1.2 MB of files today; the maximum is 1.0 MB',
  ])
  expect(refusal.hint).toContain('raise CORK_FILES_PER_DAY')
  expect((await send(400 * KB)).status).toBe(201)
  expect((await send(600 * KB, ben)).status).toBe(201)
  clock.advance(DAY_MS)
  expect((await send(600 * KB)).status).toBe(201)
})

test('a quota of 0 means no limit', async () => {
  const { send } = await quotas({ CORK_FILES_PER_DAY: '0', CORK_FILES_PER_TEAM: '0' })
  expect((await send(2000 * KB)).status).toBe(201)
})

test('the upload usage of credentials on earlier days is deleted', async () => {
  const { store, usage, clock } = await quotas({})
  const charge = (credential: string, bytes: number) =>
    store.write((tx) =>
      chargeSender(tx, { credential, actor_id: 1 }, bytes, { limit: 1e9, now: clock.now }),
    )
  await charge('key:101', 5)
  await charge('operator:0', 5)
  clock.advance(DAY_MS)
  await charge('key:102', 7)
  const names = Object.entries(await usage()).filter(([name]) => !name.startsWith('team:'))
  expect(names).toEqual([['key:102', 7]])
})

test('a form upload over the daily quota is refused with 413', async () => {
  const { app, ada, ticket_number } = await quotas({ CORK_FILES_PER_DAY: '1' })
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(1100 * KB)]), 'a.bin')
  const path = `/api/v1/tasks/${ticket_number}/attachments/upload`
  const response = await app.handle(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.secret}` },
      body: form,
    }),
  )
  expect(response.status).toBe(413)
  expect(((await response.json()) as { hint: string }).hint).toContain('CORK_FILES_PER_DAY')
})
