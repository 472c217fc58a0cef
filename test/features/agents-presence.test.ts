import { expect, test } from 'bun:test'
import { agentPresence, Presence } from '../../src/features/agents/index.ts'
import { board } from '../board.ts'
import { refused } from '../refused.ts'
import { type Actor, type World, world } from '../world.ts'

const there = async (w: World, asker: Actor = w.ada) =>
  (await asker['agents.presence']({ team_id: w.team_id })).items

/** Polls presence, because a call is recorded concurrently with its response. */
async function until(w: World, present: boolean) {
  for (let i = 0; i < 200 && (await there(w))[0]?.present !== present; i++) await Bun.sleep(5)
  return there(w)
}

const calls = (w: World, secret = w.bot.secret) => w.http({ secret }, 'GET', '/api/v1/user/context')

test('an agent is present for 60 seconds after a call and then absent', async () => {
  const w = await world()
  expect(await there(w)).toEqual([
    ...[{ agent_id: w.bot.caller.agent_id!, name: 'Bot', state: 'active' as const }].map((one) => ({
      ...{ ...one, present: false, last_seen_at: null },
    })),
  ])
  await calls(w)
  expect(await until(w, true)).toMatchObject([{ last_seen_at: '2026-11-20T12:00:00.000Z' }])
  w.clock.pass(60_000)
  expect(await there(w)).toMatchObject([{ present: true }])
  w.clock.pass(1000)
  expect(await there(w)).toMatchObject([{ present: false }])
  expect(await w.emitted()).toEqual([])
})

test('an inactive agent is absent, its refused calls are not recorded, and archiving hides it', async () => {
  const w = await world()
  const { agent_id } = w.bot.caller
  await calls(w)
  await until(w, true)
  await w.cleo['agents.deactivate']({ agent_id: agent_id! })
  expect(await there(w)).toMatchObject([{ state: 'inactive', present: false }])
  w.clock.pass(30_000)
  expect((await calls(w)).status).toBe(401)
  await Bun.sleep(30)
  const [row] = await w.store.read((tx) => tx.select().from(agentPresence))
  expect(row!.seen_at.toISOString()).toBe('2026-11-20T12:00:00.000Z')
  await w.cleo['agents.archive']({ agent_id: agent_id! })
  expect(await there(w)).toEqual([])
})

test('guests and agents see presence by name, other teams do not; the agent list is paged', async () => {
  const w = await world({ furnished: false })
  const { team_id } = w
  for (const name of ['Scout', 'Anchor']) await w.cleo['agents.create']({ name, team_id })
  const names = (items: { name: string }[]) => items.map(({ name }) => name)
  expect(names(await there(w, w.gus))).toEqual(['Anchor', 'Bot', 'Scout'])
  expect(names(await there(w, w.bot))).toEqual(['Anchor', 'Bot', 'Scout'])
  const { items, page } = await w.ada['agents.list']({ team_id, limit: 2 })
  expect(names(items)).toEqual(['Anchor', 'Bot'])
  const rest = await w.ada['agents.list']({ team_id, limit: 2, cursor: page.next_cursor! })
  expect(names(rest.items)).toEqual(['Scout'])
  const { items: found } = await w.ada['agents.list']({ team_id, query: 'anch', state: 'active' })
  expect(names(found)).toEqual(['Anchor'])
  expect((await refused(there(w, w.otto) as Promise<unknown>)).code).toBe('not_found')
  const missing = await w.http(w.ada, 'GET', '/api/v1/agents/presence')
  expect(missing.body.details).toMatchObject({ field: 'team_id', code: 'required' })
})

test('frequent calls of an agent are written at intervals, including the last call', async () => {
  const w = await world()
  let writes = 0
  const store = {
    write: <T>(job: Parameters<typeof w.store.write<T>>[0]) => {
      writes++
      return w.store.write(job)
    },
  }
  const presence = new Presence(store, w.clock.read, () => {}, 40)
  for (let i = 0; i < 30; i++) {
    w.clock.pass(1)
    presence.saw(w.bot.caller)
    presence.saw(w.cleo.caller)
  }
  expect(writes).toBe(1)
  await Bun.sleep(100)
  expect(writes).toBe(2)
  const rows = await w.store.read((tx) => tx.select().from(agentPresence))
  expect(rows.map(({ seen_at }) => seen_at.toISOString())).toEqual(['2026-11-20T12:00:00.030Z'])
})

test('an older sighting does not overwrite a newer one from another process', async () => {
  const w = await world()
  const early = new Presence(
    w.store,
    () => new Date(w.clock.now.getTime() - 5000),
    () => {},
  )
  new Presence(w.store, w.clock.read, () => {}).saw(w.bot.caller)
  await until(w, true)
  early.saw(w.bot.caller)
  await Bun.sleep(30)
  expect(await there(w)).toMatchObject([{ last_seen_at: '2026-11-20T12:00:00.000Z' }])
})

/** Collects the text of a live event stream until it ends. */
async function listening(w: World, actor: { secret: string }) {
  const headers = { authorization: `Bearer ${actor.secret}` }
  const request = new Request('http://localhost/api/v1/events', { headers })
  const { body } = await w.app.handle(request)
  const heard = { text: '', ended: false }
  void (async () => {
    for await (const bytes of body!) heard.text += new TextDecoder().decode(bytes)
    heard.ended = true
  })()
  return heard
}

const soon = async (ready: () => boolean) => {
  for (let i = 0; i < 400 && !ready(); i++) await Bun.sleep(5)
  return ready()
}

test('a live stream follows changed board access and ends when the agent is deactivated', async () => {
  const w = await world()
  const one = { agent_id: w.bot.caller.agent_id! }
  const open = await board(w, 'Open')
  const told = (type: string, project_id: number) =>
    w.store.write((tx) =>
      w.store.append(tx, w.ada.caller, w.clock.now, [
        { type, place: { team_id: w.team_id, project_id }, data: {} },
      ]),
    )
  const heard = await listening(w, w.bot)
  expect(await soon(() => heard.text !== '')).toBe(true)
  await told('task.created', w.board.project_id)
  expect(await soon(() => heard.text.includes('event: task.created'))).toBe(true)
  await w.cleo['agents.update']({ ...one, project_ids: [open.project_id] })
  await told('task.moved', w.board.project_id)
  await told('task.deleted', open.project_id)
  expect(await soon(() => heard.text.includes('event: task.deleted'))).toBe(true)
  expect(heard.text).not.toContain('event: task.moved')
  await w.cleo['agents.deactivate'](one)
  expect(await soon(() => heard.ended)).toBe(true)
})
