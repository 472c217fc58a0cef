import { expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { eraseAccount } from '../../../../src/features/identity/accounts/model/erase.ts'
import { sweepFiles } from '../../../../src/workers/file-sweep.ts'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

const chunk = (name: string, data: Uint8Array) => {
  const body = Buffer.concat([Buffer.from(name), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length)
  frame.set(body, 4)
  frame.writeUInt32BE(Bun.hash.crc32(body), body.length + 4)
  return frame
}

/** A PNG image in one shade of gray. */
function png(width: number, height: number, shade = 128): string {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((width + 1) * height, shade)
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows))]
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, ...parts, chunk('IEND', Buffer.of())]).toString('base64')
}

const upload = (w: World, name: 'ada' | 'cleo' | 'bot', actor = 'me', data = png(8, 8)) =>
  w[name]['avatars.update']({ actor, data })

const addressOf = (actor: number | string, version: string | null) =>
  `/api/v1/avatars/${actor}/${version}`

test('an uploaded picture is listed and served to everyone in the team, and to nobody else', async () => {
  const w = await world()
  const { actor_id } = w.cleo.caller
  const { version } = await upload(w, 'cleo')
  const expected = { avatars: [{ user_id: actor_id, version }] }
  for (const name of ['ada', 'cleo', 'gus', 'bot'] as const)
    expect(await w[name]['avatars.versions']({})).toEqual(expected as never)
  expect(await w.otto['avatars.versions']({})).toEqual({ avatars: [] })
  const url = addressOf(actor_id, version)
  const { status, headers } = await w.http(w.ada, 'GET', url)
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    ...[200, 'image/png', 'private, max-age=31536000, immutable'],
  ])
  expect((await w.http(w.otto, 'GET', url)).status).toBe(404)
  expect((await w.app.handle(new Request(`http://localhost${url}`))).status).toBe(401)
  expect((await w.http(w.ada, 'GET', addressOf(actor_id, '0'.repeat(16)))).status).toBe(404)
})

test('the profile shows the address of an uploaded picture and accepts it back', async () => {
  const w = await world()
  const { version } = await upload(w, 'cleo')
  const { profile } = await w.cleo['user_context.get']({})
  expect(profile.avatar).toEndWith(addressOf(w.cleo.caller.actor_id, version))
  const { avatar } = await w.cleo['user_context.update_profile']({ avatar: profile.avatar })
  expect(avatar).toBe(profile.avatar)
  const own = 'https://example.com/cleo.png'
  expect((await w.cleo['user_context.update_profile']({ avatar: own })).avatar).toBe(own)
  expect(await w.ada['avatars.versions']({})).toEqual({ avatars: [] })
})

test('a picture cannot be taken over by naming its address or hash', async () => {
  const w = await world()
  const { version } = await upload(w, 'cleo')
  const reference = `picture:${version!.padEnd(64, '0')}:png:100`
  for (const avatar of [reference, `http://localhost${addressOf('me', version)}`])
    expect(await faultOf(w.otto['user_context.update_profile']({ avatar }))).toMatchObject({
      details: { field: 'avatar' },
    })
})

test('only small square PNG and WebP images are accepted', async () => {
  const w = await world()
  const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(40)}</svg>`)
  const noise = Buffer.from(png(8, 8), 'base64')
  const large = Buffer.concat([noise, Buffer.alloc(103_000)]).toString('base64')
  const refused = [svg.toString('base64'), png(8, 9), png(600, 600), large, 'no base64!']
  for (const data of refused)
    expect(await faultOf(upload(w, 'ada', 'me', data))).toMatchObject({
      details: { field: 'data' },
    })
  expect(await w.ada['avatars.versions']({})).toEqual({ avatars: [] })
})

test('the owner of an agent and the admins of its team set its picture, others do not', async () => {
  const w = await world()
  const agent_id = w.bot.caller.agent_id!
  const { version } = await upload(w, 'cleo', agent_id)
  expect(await w.ada['avatars.versions']({})).toEqual({ avatars: [{ agent_id, version }] } as never)
  expect((await w.http(w.ada, 'GET', addressOf(agent_id, version))).status).toBe(200)
  await w.ben['avatars.update']({ actor: agent_id, data: png(8, 8, 20) })
  for (const stranger of [w.otto, w.gus])
    expect(
      await faultOf(stranger['avatars.update']({ actor: agent_id, data: png(8, 8) })),
    ).toBeDefined()
  await w.ada['avatars.delete']({ actor: agent_id })
  expect(await w.ada['avatars.versions']({})).toEqual({ avatars: [] })
})

test('the sweep spares pictures that are used and removes replaced ones', async () => {
  const w = await world()
  await upload(w, 'cleo')
  await upload(w, 'cleo', 'me', png(8, 8, 7))
  const { files } = w
  const later = new Date(Date.now() + 3 * 24 * 3_600_000)
  expect(await sweepFiles({ store: w.store, files }, later)).toBe(1)
  expect(await sweepFiles({ store: w.store, files }, later)).toBe(0)
  const { avatars } = await w.ada['avatars.versions']({})
  const url = addressOf(w.cleo.caller.actor_id, avatars[0]!.version)
  expect((await w.http(w.ada, 'GET', url)).status).toBe(200)
})

test('erasing an account removes its picture for everyone', async () => {
  const w = await world()
  const { actor_id } = w.cleo.caller
  const { version } = await upload(w, 'cleo')
  await w.store.write((tx) => eraseAccount(tx, actor_id, w.clock.now))
  expect(await w.ada['avatars.versions']({})).toEqual({ avatars: [] })
  expect((await w.http(w.ada, 'GET', addressOf(actor_id, version))).status).toBe(404)
})

test('previews of people are only for their teams', async () => {
  const w = await world()
  const { actor_id: user_id } = w.cleo.caller
  expect(await w.gus['people.get']({ user_id })).toMatchObject({
    ...{ user_id, name: 'Cleo', roles: [{ team_id: w.team_id, role: 'member' }] },
  })
  expect((await faultOf(w.otto['people.get']({ user_id }))).code).toBe('not_found')
})
