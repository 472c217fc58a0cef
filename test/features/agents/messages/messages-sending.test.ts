import { expect, test } from 'bun:test'
import {
  claimDue,
  currentMessage,
  type EventName,
  gather,
  markDelivered,
  markFailed,
  messages,
  release,
  type Sending,
  selectForWebhook,
} from '../../../../src/features/agents/messages/model/index.ts'
import { projectMembers } from '../../../../src/features/boards/projects/model/index.ts'
import { append } from '../../../../src/store/log.ts'
import { faultOf } from '../../../support/faults.ts'
import { type World, world } from '../../../support/world.ts'

/** Creates an agent with a webhook for the given events, and returns the steps of a delivery. */
async function worldWithWebhook(
  events: readonly EventName[] = ['task.created', 'comment.created'],
) {
  const w = await world()
  const { ada, bot, board, tasks, store, clock, team_id } = w
  const owner = { team_id, actor_id: bot.caller.actor_id }
  const create = (title: string) => ada['tasks.create']({ project_id: board.project_id, title })
  await bot['messages.list']({})
  await create('Before')
  const selectEvents = (names: readonly EventName[] | null, project_id: number | null = null) =>
    store.write((tx) => selectForWebhook(tx, owner, { wanted: names, project_id }))
  await selectEvents(events)
  return {
    ...{ ...w, owner, create, selectEvents },
    rename: (title: string) => ada['tasks.update']({ ...tasks.copy, title }),
    gatherAll: () => store.write((tx) => gather(tx, bot.caller, { now: clock.now })),
    due: (most = 10) =>
      store.write((tx) => {
        const until = new Date(clock.now.getTime() + 30_000)
        return claimDue(tx, bot.caller, { now: clock.now, until, most })
      }),
    markDelivered: ({ seq }: Sending) => store.write((tx) => markDelivered(tx, owner, seq)),
    markFailed: ({ seq }: Sending, ms: number) =>
      store.write((tx) => markFailed(tx, owner, seq, new Date(clock.now.getTime() + ms))),
  }
}

const pollTitles = async ({ bot }: World) =>
  (await bot['messages.list']({ limit: 50 })).items.map(({ data }) => data.title)

const titlesOf = (sendings: readonly Sending[]) => sendings.map(({ message }) => message.data.title)

test('messages that a webhook selects are sent by it only, and all others are polled', async () => {
  const w = await worldWithWebhook()
  await w.create('One')
  await w.rename('Two')
  expect(await pollTitles(w)).toEqual(['Before', 'Two'])
  await w.gatherAll()
  expect(await pollTitles(w)).toEqual(['Before', 'Two'])
  const [one, ...rest] = await w.due()
  expect(rest).toEqual([])
  expect(one).toMatchObject({ attempt: 1, message: { type: 'task.created' } })
  expect(await w.due()).toEqual([])
  await w.markDelivered(one!)
  w.clock.advance(60_000)
  expect(await w.due()).toEqual([])
  expect(await pollTitles(w)).toEqual(['Before', 'Two'])
})

test('a message has the same body by webhook and polling, and its id finds it for that agent', async () => {
  const w = await worldWithWebhook()
  await w.create('One')
  await w.gatherAll()
  const [one] = await w.due()
  await w.markFailed(one!, 5000)
  const { items } = await w.bot['messages.list']({})
  expect(items.at(-1)).toEqual(one!.message)
  const { id } = one!.message
  const findMessage = (caller: World['bot']['caller'], messageId = id) =>
    w.store.read((tx) => currentMessage(tx, caller, messageId))
  expect(await findMessage(w.bot.caller)).toEqual(one!.message)
  expect(await findMessage(w.bot.caller, `${id}0`)).toBeUndefined()
  expect(await findMessage(w.bot.caller, 'msg_1_1_1')).toBeUndefined()
  expect(await findMessage(w.ada.caller)).toBeUndefined()
})

test('a failed message is polled and retried when due, unless it is acknowledged', async () => {
  const w = await worldWithWebhook()
  for (const title of ['One', 'Two', 'Three']) await w.create(title)
  await w.gatherAll()
  const first = await w.due()
  expect(titlesOf(first)).toEqual(['One', 'Two', 'Three'])
  for (const one of first) await w.markFailed(one, 5000)
  expect(await pollTitles(w)).toEqual(['Before', 'One', 'Two', 'Three'])
  expect(await w.due()).toEqual([])
  const secondId = first[1]!.message.id
  await w.bot['messages.ack']({ ids: [secondId] })
  w.clock.advance(5000)
  const again = await w.due()
  expect(again.map(({ attempt, message }) => [attempt, message.data.title])).toEqual([
    [2, 'One'],
    [2, 'Three'],
  ])
  await w.markDelivered(again[0]!)
  // The message is acknowledged during its delivery, so a failure must not schedule a retry.
  await w.bot['messages.ack']({ ids: [again[1]!.message.id] })
  await w.markFailed(again[1]!, 0)
  w.clock.advance(60_000)
  expect(await w.due()).toEqual([])
  expect(await pollTitles(w)).toEqual(['Before'])
})

test('unfinished deliveries of a process are claimed again after their time, oldest first', async () => {
  const w = await worldWithWebhook()
  for (const title of ['One', 'Two', 'Three']) await w.create(title)
  await w.gatherAll()
  expect(titlesOf(await w.due(2))).toEqual(['One', 'Two'])
  expect(titlesOf(await w.due(2))).toEqual(['Three'])
  w.clock.advance(30_000)
  const [first, second] = await Promise.all([w.due(), w.due()])
  expect([...titlesOf(first), ...titlesOf(second)]).toEqual(['One', 'Two', 'Three'])
})

test('messages that the webhook no longer selects are released to polling, gathered or not', async () => {
  const w = await worldWithWebhook()
  await w.create('One')
  await w.ada['comments.add']({ ...w.tasks.copy, text: 'Two' })
  await w.gatherAll()
  await w.create('Three')
  await w.selectEvents(['comment.created'])
  expect(await pollTitles(w)).toEqual(['Before', 'One', 'Three'])
  await w.create('Four')
  await w.selectEvents(['comment.created'], w.board.project_id + 1)
  expect((await pollTitles(w)).length).toBe(5)
  await w.selectEvents(['task.created'])
  await w.create('Five')
  await w.gatherAll()
  const [fifth] = await w.due()
  expect(titlesOf([fifth!])).toEqual(['Five'])
  await w.store.write((tx) => release(tx, w.owner))
  expect((await pollTitles(w)).at(-1)).toBe('Five')
  // A failure after the release does not schedule another attempt.
  await w.markFailed(fifth!, 0)
  w.clock.advance(60_000)
  expect(await w.due()).toEqual([])
})

test('a waiting poll does not take messages that the webhook selects', async () => {
  const w = await worldWithWebhook()
  const { items } = await w.bot['messages.list']({})
  await w.bot['messages.ack']({ ids: items.map(({ id }) => id) })
  const waiting = w.bot['messages.list']({ wait: 10 })
  for (let n = 0; n < 10; n++) {
    await w.create(`W${n}`)
    await Bun.sleep(50)
  }
  // So many changes move the agent’s position in the log forward.
  const noise = { type: 'task.updated', place: { team_id: w.otherTeamId }, data: {} }
  await w.store.write((tx) => append(tx, w.ada.caller, w.clock.now, Array(1100).fill(noise)))
  await Bun.sleep(300)
  await w.rename('Polled')
  expect((await waiting).items.map(({ data }) => data.title)).toEqual(['Polled'])
  while (await w.gatherAll());
  expect(titlesOf(await w.due(50))).toEqual([...Array(10).keys()].map((n) => `W${n}`))
})

test('messages of a board that the agent can no longer see are neither sent nor polled', async () => {
  const w = await worldWithWebhook()
  const { ada, bot, cleo, store, team_id, clock } = w
  const { project_id } = await ada['projects.create']({
    ...{ team_id, title: 'Hidden', access: 'invited', sections: [{ title: 'To do' }] },
  })
  const place = { team_id, project_id, actor_id: cleo.caller.actor_id }
  await store.write((tx) => tx.insert(projectMembers).values({ ...place, added_at: clock.now }))
  await ada['tasks.create']({ project_id, title: 'Secret' })
  await w.gatherAll()
  await store.write((tx) => tx.delete(projectMembers))
  expect(await w.due()).toEqual([])
  expect(await pollTitles(w)).toEqual(['Before'])
  expect(await store.read((tx) => tx.select().from(messages))).toMatchObject([
    { state: 'polling' },
    { state: 'polling', next_attempt_at: null },
  ])
  expect((await faultOf(bot['tasks.list']({ project_id }))).code).toBe('not_found')
})
