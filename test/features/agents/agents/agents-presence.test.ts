import { expect, test } from 'bun:test'
import { agentPresence, Presence } from '../../../../src/features/agents/agents/model/index.ts'
import type { ChangeType } from '../../../../src/kernel/changes.ts'
import { createBoard } from '../../../support/board.ts'
import { faultOf } from '../../../support/faults.ts'
import { waitUntil } from '../../../support/wait.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const listPresence = async (w: World, actor: Actor = w.ada) =>
  (await actor['agents.presence']({ team_id: w.team_id })).items

/** Polls presence, because a call is recorded concurrently with its response. */
async function waitForPresence(w: World, present: boolean) {
  await waitUntil(async () => (await listPresence(w))[0]?.present === present)
  return listPresence(w)
}

const callServer = (w: World, secret = w.bot.secret) =>
  w.http({ secret }, 'GET', '/api/v1/user/context')

test('an agent is present for 60 seconds after a call and then absent', async () => {
  const w = await world()
  expect(await listPresence(w)).toEqual([
    ...[{ agent_id: w.bot.caller.agent_id!, name: 'Bot', state: 'active' as const }].map(
      (agent) => ({
        ...{ ...agent, present: false, last_seen_at: null },
      }),
    ),
  ])
  await callServer(w)
  expect(await waitForPresence(w, true)).toMatchObject([
    { last_seen_at: '2026-11-20T12:00:00.000Z' },
  ])
  w.clock.advance(60_000)
  expect(await listPresence(w)).toMatchObject([{ present: true }])
  w.clock.advance(1000)
  expect(await listPresence(w)).toMatchObject([{ present: false }])
  expect(await w.changeTypes()).toEqual([])
})

test('an inactive agent is absent, its refused calls are not recorded, and archiving hides it', async () => {
  const w = await world()
  const { agent_id } = w.bot.caller
  await callServer(w)
  await waitForPresence(w, true)
  await w.cleo['agents.deactivate']({ agent_id: agent_id! })
  expect(await listPresence(w)).toMatchObject([{ state: 'inactive', present: false }])
  w.clock.advance(30_000)
  expect((await callServer(w)).status).toBe(401)
  await Bun.sleep(30)
  const [row] = await w.store.read((tx) => tx.select().from(agentPresence))
  expect(row!.seen_at.toISOString()).toBe('2026-11-20T12:00:00.000Z')
  await w.cleo['agents.archive']({ agent_id: agent_id! })
  expect(await listPresence(w)).toEqual([])
})

test('guests and agents see presence by name, other teams do not; the agent list is paged', async () => {
  const w = await world({ hasBoard: false })
  const { team_id } = w
  for (const name of ['Scout', 'Anchor']) await w.cleo['agents.create']({ name, team_id })
  const names = (items: { name: string }[]) => items.map(({ name }) => name)
  expect(names(await listPresence(w, w.gus))).toEqual(['Anchor', 'Bot', 'Scout'])
  expect(names(await listPresence(w, w.bot))).toEqual(['Anchor', 'Bot', 'Scout'])
  const { items, page } = await w.ada['agents.list']({ team_id, limit: 2 })
  expect(names(items)).toEqual(['Anchor', 'Bot'])
  const rest = await w.ada['agents.list']({ team_id, limit: 2, cursor: page.next_cursor! })
  expect(names(rest.items)).toEqual(['Scout'])
  const { items: matching } = await w.ada['agents.list']({
    team_id,
    query: 'anch',
    state: 'active',
  })
  expect(names(matching)).toEqual(['Anchor'])
  expect((await faultOf(listPresence(w, w.otto) as Promise<unknown>)).code).toBe('not_found')
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
    w.clock.advance(1)
    presence.saw(w.bot.caller)
    presence.saw(w.cleo.caller)
  }
  expect(writes).toBe(1)
  const lastSeen = async () => {
    const rows = await w.store.read((tx) => tx.select().from(agentPresence))
    return rows.map(({ seen_at }) => seen_at.toISOString()).join()
  }
  const last = '2026-11-20T12:00:00.030Z'
  for (let tries = 0; tries < 500 && (await lastSeen()) !== last; tries++) await Bun.sleep(10)
  expect([writes, await lastSeen()]).toEqual([2, last])
})

test('an older sighting does not overwrite a newer one from another process', async () => {
  const w = await world()
  const earlier = new Presence(
    w.store,
    () => new Date(w.clock.now.getTime() - 5000),
    () => {},
  )
  new Presence(w.store, w.clock.read, () => {}).saw(w.bot.caller)
  await waitForPresence(w, true)
  earlier.saw(w.bot.caller)
  await Bun.sleep(30)
  expect(await listPresence(w)).toMatchObject([{ last_seen_at: '2026-11-20T12:00:00.000Z' }])
})

/** Collects the text of a live event stream until it ends. */
async function openEventStream(w: World, actor: { secret: string }) {
  const headers = { authorization: `Bearer ${actor.secret}` }
  const request = new Request('http://localhost/api/v1/events', { headers })
  const { body } = await w.app.handle(request)
  const stream = { text: '', ended: false }
  void (async () => {
    for await (const bytes of body!) stream.text += new TextDecoder().decode(bytes)
    stream.ended = true
  })()
  return stream
}

const becomesTrue = async (condition: () => boolean) => {
  for (let i = 0; i < 400 && !condition(); i++) await Bun.sleep(5)
  return condition()
}

test('a live stream follows changed board access and ends when the agent is deactivated', async () => {
  const w = await world()
  const agent = { agent_id: w.bot.caller.agent_id! }
  const open = await createBoard(w, 'Open')
  const appendEvent = (type: ChangeType, project_id: number) =>
    w.store.write((tx) =>
      w.store.append(tx, w.ada.caller, w.clock.now, [
        { type, place: { team_id: w.team_id, project_id }, data: {} },
      ]),
    )
  const stream = await openEventStream(w, w.bot)
  expect(await becomesTrue(() => stream.text !== '')).toBe(true)
  await appendEvent('task.created', w.board.project_id)
  expect(await becomesTrue(() => stream.text.includes('event: task.created'))).toBe(true)
  await w.cleo['agents.update']({ ...agent, project_ids: [open.project_id] })
  await appendEvent('task.unassigned', w.board.project_id)
  await appendEvent('task.updated', open.project_id)
  expect(await becomesTrue(() => stream.text.includes('event: task.updated'))).toBe(true)
  expect(stream.text).not.toContain('event: task.unassigned')
  await w.cleo['agents.deactivate'](agent)
  expect(await becomesTrue(() => stream.ended)).toBe(true)
})
