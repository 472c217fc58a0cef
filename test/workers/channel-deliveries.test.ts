import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { people } from '../../src/features/identity/people/model/index.ts'
import { channelDeliveries } from '../../src/features/inbox/channels/model/index.ts'
import { ntfyService, pushService } from '../support/channel-servers.ts'
import {
  everything,
  HOUR_MS,
  mentionBen,
  queueAll,
  requestDecision,
  startChannelWorker,
  worldWithChannels,
} from '../support/channels.ts'
import { mentionOf } from '../support/emails.ts'
import { waitUntil } from '../support/wait.ts'
import { neverRespond } from '../support/webhook-server.ts'
import type { Actor, World } from '../support/world.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * HOUR_MS
/** Long enough for several passes of the worker. */
const waitForPasses = () => Bun.sleep(200)

type NewChannel = Parameters<Actor['channels.create']>[0]

/** Ben has an ntfy channel that gets everything. */
async function setUp(options: Partial<NewChannel> = {}) {
  const ntfy = ntfyService()
  const w = await worldWithChannels()
  const { channel_id } = await w.ben['channels.create']({
    ...{ kind: 'ntfy', url: ntfy.url, topic: 'ben', ...everything, ...options },
  })
  const channel = async () => (await w.ben['channels.list']({})).items[0]!
  const waiting = () => w.store.read((tx) => tx.select().from(channelDeliveries))
  const isIdle = async () => (await waiting()).length === 0
  return { ntfy, w, channel_id, channel, waiting, isIdle }
}

/** Advances the clock to that hour of the day in Berlin, Ben's time zone. It is 13:00 there. */
const advanceTo = (w: World, time: string) => {
  const zone = 'Europe/Berlin'
  const now = Temporal.Instant.fromEpochMilliseconds(w.clock.now.getTime()).toZonedDateTimeISO(zone)
  const today = now.withPlainTime(Temporal.PlainTime.from(time))
  const next = Temporal.ZonedDateTime.compare(today, now) > 0 ? today : today.add({ days: 1 })
  w.clock.now = new Date(next.epochMilliseconds)
}

test('a notification is sent once, and its queue is empty afterwards', async () => {
  const { ntfy, w, isIdle, channel } = await setUp()
  startChannelWorker(w)
  await mentionBen(w)
  await waitUntil(() => ntfy.messages.length > 0)
  await waitUntil(isIdle)
  w.clock.advance(HOUR_MS)
  await waitForPasses()
  expect(ntfy.messages.map(({ message }) => message)).toEqual([
    'HP-2 Write the copy\n@Ben look at this',
  ])
  expect(await channel()).toMatchObject({ last_error: null, active: true })
})

test('a failed message is sent again at growing intervals, and nothing else fails with it', async () => {
  const { ntfy, w, isIdle, channel } = await setUp()
  ntfy.handler.respond = () => Response.json({ error: 'internal' }, { status: 500 })
  startChannelWorker(w)
  await mentionBen(w)
  for (const [attempt, seconds] of [5, 10, 20].entries()) {
    await waitUntil(() => ntfy.attempts() === attempt + 1)
    await waitUntil(async () => (await channel()).failing_since !== null)
    await waitForPasses()
    w.clock.advance(seconds * 0.75 * 1000)
    await waitForPasses()
    expect(ntfy.attempts()).toBe(attempt + 1)
    w.clock.advance(seconds * 0.5 * 1000)
  }
  expect((await channel()).last_error).toBe('It responded 500: {"error":"internal"}')
  ntfy.handler.respond = () => 200
  w.clock.advance(HOUR_MS)
  await waitUntil(isIdle)
  expect(ntfy.messages).toHaveLength(1)
  expect(await channel()).toMatchObject({ last_error: null, failing_since: null })
})

test('a service that is busy is left alone as long as it wants', async () => {
  const { ntfy, w, isIdle, channel } = await setUp()
  ntfy.handler.respond = () =>
    new Response('slow down', { status: 429, headers: { 'retry-after': '90' } })
  startChannelWorker(w)
  await mentionBen(w)
  await waitUntil(() => ntfy.attempts() === 1)
  await waitForPasses()
  await mentionBen(w, 'again')
  w.clock.advance(80_000)
  await waitForPasses()
  expect(ntfy.attempts()).toBe(1)
  expect((await channel()).failing_since).toBeNull()
  ntfy.handler.respond = () => 200
  w.clock.advance(11_000)
  await waitUntil(isIdle)
  expect(ntfy.messages).toHaveLength(2)
})

test('notifications that were read, archived or deleted before are not sent', async () => {
  const { ntfy, w, isIdle } = await setUp()
  await mentionBen(w, 'one')
  await mentionBen(w, 'two', w.tasks.link)
  const comment_id = await mentionBen(w, 'three', w.tasks.logo)
  await mentionBen(w, 'four')
  const { items } = await w.ben['inbox.list']({})
  const idOf = (text: string) =>
    items.find(({ snippet }) => snippet!.endsWith(text))!.notification_id!
  await w.ben['inbox.read']({ notification_ids: [idOf('one')] })
  await w.ben['inbox.archive']({ notification_ids: [idOf('two')] })
  await w.ada['comments.delete']({ comment_id })
  await queueAll(w)
  startChannelWorker(w)
  await waitUntil(isIdle)
  expect(ntfy.messages.map(({ message }) => message.split(' ').at(-1))).toEqual(['four'])
})

test('a person who loses access to a board, or whose account is deactivated, gets nothing', async () => {
  const { ntfy, w, isIdle } = await setUp()
  await w.cleo['channels.create']({ kind: 'ntfy', url: ntfy.url, topic: 'cleo', ...everything })
  await mentionBen(w)
  await w.ada['comments.add']({
    ...{ task_id: w.tasks.copy.task_id, text: '@Cleo', mentions: [mentionOf(w.cleo)] },
  })
  await queueAll(w)
  expect(await w.store.read((tx) => tx.select().from(channelDeliveries))).not.toEqual([])
  await w.ada['teams.remove_member']({
    ...{ team_id: w.team_id, user_id: w.ben.caller.actor_id },
  })
  await w.store.write((tx) =>
    tx
      .update(people)
      .set({ deactivated_at: w.clock.now })
      .where(eq(people.actor_id, w.cleo.caller.actor_id)),
  )
  startChannelWorker(w)
  await waitUntil(isIdle)
  expect(ntfy.messages).toEqual([])
})

test('a channel that is switched off gets nothing, and later only what happens then', async () => {
  const { ntfy, w, channel_id, isIdle } = await setUp()
  await mentionBen(w, 'before')
  await w.ben['channels.update']({ channel_id, active: false })
  await mentionBen(w, 'meanwhile')
  await w.ben['channels.update']({ channel_id, active: true })
  await mentionBen(w, 'afterwards')
  startChannelWorker(w)
  await waitUntil(isIdle)
  expect(ntfy.messages.map(({ message }) => message.split(' ').at(-1))).toEqual(['afterwards'])
})

test('in quiet hours only escalations and decision requests arrive, the rest afterwards', async () => {
  const { ntfy, w, isIdle } = await setUp()
  await w.ben['notification_settings.update']({ quiet_from: '22:00', quiet_to: '07:00' })
  startChannelWorker(w)
  advanceTo(w, '23:00')
  await mentionBen(w, 'in the morning')
  await requestDecision(w, 'At night?')
  await waitUntil(() => ntfy.messages.length > 0)
  advanceTo(w, '06:59')
  await waitForPasses()
  expect(ntfy.messages.map(({ title }) => title)).toEqual(['Ada asks you to decide'])
  advanceTo(w, '07:00')
  await waitUntil(isIdle)
  expect(ntfy.messages.map(({ title }) => title)).toEqual([
    'Ada asks you to decide',
    'Ada mentioned you',
  ])
})

test('people can have quiet hours without exceptions, and end them at once', async () => {
  const { ntfy, w, isIdle } = await setUp()
  await w.ben['notification_settings.update']({
    ...{ quiet_from: '12:00', quiet_to: '14:00', quiet_exceptions: false },
  })
  startChannelWorker(w)
  await requestDecision(w)
  await waitForPasses()
  expect(ntfy.messages).toEqual([])
  await w.ben['notification_settings.update']({ quiet_from: null, quiet_to: null })
  await waitUntil(isIdle)
  expect(ntfy.messages).toHaveLength(1)
})

test('more than three notifications that waited become one message', async () => {
  const { ntfy, w, isIdle } = await setUp()
  await w.ben['notification_settings.update']({ quiet_from: '12:00', quiet_to: '14:00' })
  startChannelWorker(w)
  for (const text of ['one', 'two', 'three', 'four']) await mentionBen(w, text)
  const { items } = await w.ben['inbox.list']({})
  await w.ben['inbox.read']({ notification_ids: [items[0]!.notification_id!] })
  await mentionBen(w, 'five')
  advanceTo(w, '14:00')
  await waitUntil(isIdle)
  expect(ntfy.messages).toHaveLength(1)
  expect(ntfy.messages[0]).toMatchObject({
    ...{ title: '4 notifications on Corkboard', click: 'http://localhost/inbox' },
    message: Array(4).fill('HP-2 Write the copy: Ada mentioned you').join('\n'),
  })
})

test('a daily channel sends one message at its hour', async () => {
  const { ntfy, w, isIdle } = await setUp({ mode: 'daily', hour: 18 })
  startChannelWorker(w)
  await mentionBen(w, 'one')
  await requestDecision(w)
  advanceTo(w, '17:59')
  await waitForPasses()
  expect(ntfy.messages).toEqual([])
  advanceTo(w, '18:00')
  await waitUntil(isIdle)
  expect(ntfy.messages.map(({ title }) => title)).toEqual(['2 notifications on Corkboard'])
})

test('a board can be quieter or louder than the channels say', async () => {
  const { ntfy, w, isIdle } = await setUp({ events: ['mentions'] })
  const { project_id } = w.board
  const { task_id } = w.tasks.copy
  await w.ada['tasks.update']({ task_id, assignee_ids: [w.ben.caller.actor_id] })
  const setLevel = (level: 'all' | 'important' | 'none' | null) =>
    w.ben['notification_settings.update']({ boards: [{ project_id, level }] })
  const comment = async (text: string) => {
    await w.ada['comments.add']({ task_id, text })
    await queueAll(w)
  }
  await queueAll(w)
  startChannelWorker(w)
  await comment('by default')
  await setLevel('all')
  await comment('all')
  await setLevel('important')
  await comment('important')
  await mentionBen(w, 'a mention')
  await setLevel('none')
  await mentionBen(w, 'none')
  await waitUntil(isIdle)
  expect(ntfy.messages.map(({ message }) => message.split('\n')[1]).toSorted()).toEqual([
    '@Ben a mention',
    'all',
  ])
})

test('a channel that fails for a day is switched off, and its person learns it', async () => {
  const { ntfy, w, channel } = await setUp()
  ntfy.handler.respond = () => 502
  startChannelWorker(w)
  await mentionBen(w)
  for (let hour = 0; (await channel()).active; hour++) {
    if (hour > 60) throw new Error('The channel is still active')
    w.clock.advance(HOUR_MS)
    await Bun.sleep(100)
  }
  const { failed_at, failing_since, last_error } = await channel()
  expect(Date.parse(failed_at!) - Date.parse(failing_since!)).toBeWithin(
    DAY_MS,
    DAY_MS + 3 * HOUR_MS,
  )
  expect(last_error).toBe('It responded 502')
  const [change] = (await w.changes()).filter(({ type }) => type === 'channel.failed')
  expect(change).toMatchObject({ actor_id: w.ben.caller.actor_id, team_id: null, project_id: null })
})

test('a subscription that the push service has forgotten is switched off at once', async () => {
  const push = await pushService()
  const w = await worldWithChannels()
  await w.ben['channels.create']({ kind: 'push', ...push.subscription, ...everything })
  push.handler.respond = () => 410
  startChannelWorker(w)
  await mentionBen(w)
  await waitUntil(async () => !(await w.ben['channels.list']({})).items[0]!.active)
  expect(await w.store.read((tx) => tx.select().from(channelDeliveries))).toEqual([])
})

test('a delivery that is cut off by a shutdown is sent by the next server', async () => {
  const { ntfy, w, isIdle } = await setUp()
  ntfy.handler.respond = neverRespond
  const stop = startChannelWorker(w)
  await mentionBen(w)
  await waitUntil(() => ntfy.attempts() === 1)
  await stop()
  ntfy.handler.respond = () => 200
  startChannelWorker(w)
  await waitUntil(isIdle)
  expect(ntfy.messages).toHaveLength(1)
})

test('the claims of a server that was killed are freed by the next one, if it is alone', async () => {
  const { ntfy, w, isIdle } = await setUp()
  await mentionBen(w)
  const claimed_until = new Date(w.clock.now.getTime() + MINUTE_MS)
  await w.store.write((tx) => tx.update(channelDeliveries).set({ claimed_until }))
  startChannelWorker(w, { isAlone: true })
  await waitUntil(isIdle)
  expect(ntfy.messages).toHaveLength(1)
})

test('a channel that was created later gets nothing from before', async () => {
  const { ntfy, w, isIdle } = await setUp()
  await mentionBen(w, 'before')
  await w.ben['channels.create']({ kind: 'ntfy', url: ntfy.url, topic: 'second', ...everything })
  await mentionBen(w, 'afterwards')
  startChannelWorker(w)
  await waitUntil(isIdle)
  expect(ntfy.messages.map(({ topic }) => topic).toSorted()).toEqual(['ben', 'ben', 'second'])
})
