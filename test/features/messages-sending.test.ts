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
} from '../../src/features/messages/index.ts'
import { projectMembers } from '../../src/features/projects/index.ts'
import { append } from '../../src/store/log.ts'
import { refused } from '../refused.ts'
import { type World, world } from '../world.ts'

/** An agent with a webhook for the given events, and the steps of sending as functions. */
async function wanting(events: readonly EventName[] = ['task.created', 'comment.created']) {
  const w = await world()
  const { ada, bot, board, tasks, store, clock, team_id } = w
  const owner = { team_id, actor_id: bot.caller.actor_id }
  const create = (title: string) => ada['tasks.create']({ project_id: board.project_id, title })
  await bot['messages.list']({})
  await create('Before')
  const wants = (wanted: readonly EventName[] | null, project_id: number | null = null) =>
    store.write((tx) => selectForWebhook(tx, owner, { wanted, project_id }))
  await wants(events)
  return {
    ...{ ...w, owner, create, wants },
    rename: (title: string) => ada['tasks.update']({ ...tasks.copy, title }),
    gathered: () => store.write((tx) => gather(tx, bot.caller, { now: clock.now })),
    due: (most = 10) =>
      store.write((tx) => {
        const until = new Date(clock.now.getTime() + 30_000)
        return claimDue(tx, bot.caller, { now: clock.now, until, most })
      }),
    delivered: ({ seq }: Sending) => store.write((tx) => markDelivered(tx, owner, seq)),
    failed: ({ seq }: Sending, ms: number) =>
      store.write((tx) => markFailed(tx, owner, seq, new Date(clock.now.getTime() + ms))),
  }
}

const polled = async ({ bot }: World) =>
  (await bot['messages.list']({ limit: 50 })).items.map(({ data }) => data.title)

const titles = (some: readonly Sending[]) => some.map(({ message }) => message.data.title)

test('messages that a webhook selects are sent by it only, and all others are polled', async () => {
  const w = await wanting()
  await w.create('One')
  await w.rename('Two')
  expect(await polled(w)).toEqual(['Before', 'Two'])
  await w.gathered()
  expect(await polled(w)).toEqual(['Before', 'Two'])
  const [one, ...others] = await w.due()
  expect(others).toEqual([])
  expect(one).toMatchObject({ attempt: 1, message: { type: 'task.created' } })
  expect(await w.due()).toEqual([])
  await w.delivered(one!)
  w.clock.pass(60_000)
  expect(await w.due()).toEqual([])
  expect(await polled(w)).toEqual(['Before', 'Two'])
})

test('a message has the same body by webhook and polling, and its id finds it for that agent', async () => {
  const w = await wanting()
  await w.create('One')
  await w.gathered()
  const [one] = await w.due()
  await w.failed(one!, 5000)
  const { items } = await w.bot['messages.list']({})
  expect(items.at(-1)).toEqual(one!.message)
  const { id } = one!.message
  const again = (caller: World['bot']['caller'], of = id) =>
    w.store.read((tx) => currentMessage(tx, caller, of))
  expect(await again(w.bot.caller)).toEqual(one!.message)
  expect(await again(w.bot.caller, `${id}0`)).toBeUndefined()
  expect(await again(w.bot.caller, 'msg_1_1_1')).toBeUndefined()
  expect(await again(w.ada.caller)).toBeUndefined()
})

test('a failed message is polled and retried when due, unless it is acknowledged', async () => {
  const w = await wanting()
  for (const title of ['One', 'Two', 'Three']) await w.create(title)
  await w.gathered()
  const first = await w.due()
  expect(titles(first)).toEqual(['One', 'Two', 'Three'])
  for (const one of first) await w.failed(one, 5000)
  expect(await polled(w)).toEqual(['Before', 'One', 'Two', 'Three'])
  expect(await w.due()).toEqual([])
  const two = first[1]!.message.id
  await w.bot['messages.ack']({ ids: [two] })
  w.clock.pass(5000)
  const again = await w.due()
  expect(again.map(({ attempt, message }) => [attempt, message.data.title])).toEqual([
    [2, 'One'],
    [2, 'Three'],
  ])
  await w.delivered(again[0]!)
  // The message is acknowledged during its delivery, so a failure must not schedule a retry.
  await w.bot['messages.ack']({ ids: [again[1]!.message.id] })
  await w.failed(again[1]!, 0)
  w.clock.pass(60_000)
  expect(await w.due()).toEqual([])
  expect(await polled(w)).toEqual(['Before'])
})

test('unfinished deliveries of a process are claimed again after their time, oldest first', async () => {
  const w = await wanting()
  for (const title of ['One', 'Two', 'Three']) await w.create(title)
  await w.gathered()
  expect(titles(await w.due(2))).toEqual(['One', 'Two'])
  expect(titles(await w.due(2))).toEqual(['Three'])
  w.clock.pass(30_000)
  const [all, none] = await Promise.all([w.due(), w.due()])
  expect([...titles(all), ...titles(none)]).toEqual(['One', 'Two', 'Three'])
})

test('messages that the webhook no longer selects are released to polling, gathered or not', async () => {
  const w = await wanting()
  await w.create('One')
  await w.ada['comments.add']({ ...w.tasks.copy, text: 'Two' })
  await w.gathered()
  await w.create('Three')
  await w.wants(['comment.created'])
  expect(await polled(w)).toEqual(['Before', 'One', 'Three'])
  await w.create('Four')
  await w.wants(['comment.created'], w.board.project_id + 1)
  expect((await polled(w)).length).toBe(5)
  await w.wants(['task.created'])
  await w.create('Five')
  await w.gathered()
  const [five] = await w.due()
  expect(titles([five!])).toEqual(['Five'])
  await w.store.write((tx) => release(tx, w.owner))
  expect((await polled(w)).at(-1)).toBe('Five')
  // A failure after the release does not schedule another attempt.
  await w.failed(five!, 0)
  w.clock.pass(60_000)
  expect(await w.due()).toEqual([])
})

test('a waiting poll does not take messages that the webhook selects', async () => {
  const w = await wanting()
  const { items } = await w.bot['messages.list']({})
  await w.bot['messages.ack']({ ids: items.map(({ id }) => id) })
  const waiting = w.bot['messages.list']({ wait: 10 })
  for (let n = 0; n < 10; n++) {
    await w.create(`W${n}`)
    await Bun.sleep(50)
  }
  // So many changes move the agent’s position in the log forward.
  const noise = { type: 'task.updated', place: { team_id: w.elsewhere }, data: {} }
  await w.store.write((tx) => append(tx, w.ada.caller, w.clock.now, Array(1100).fill(noise)))
  await Bun.sleep(300)
  await w.rename('Polled')
  expect((await waiting).items.map(({ data }) => data.title)).toEqual(['Polled'])
  while (await w.gathered());
  expect(titles(await w.due(50))).toEqual([...Array(10).keys()].map((n) => `W${n}`))
})

test('messages of a board that the agent can no longer see are neither sent nor polled', async () => {
  const w = await wanting()
  const { ada, bot, cleo, store, team_id, clock } = w
  const { project_id } = await ada['projects.create']({
    ...{ team_id, title: 'Hidden', access: 'invited', sections: [{ title: 'To do' }] },
  })
  const place = { team_id, project_id, actor_id: cleo.caller.actor_id }
  await store.write((tx) => tx.insert(projectMembers).values({ ...place, added_at: clock.now }))
  await ada['tasks.create']({ project_id, title: 'Secret' })
  await w.gathered()
  await store.write((tx) => tx.delete(projectMembers))
  expect(await w.due()).toEqual([])
  expect(await polled(w)).toEqual(['Before'])
  expect(await store.read((tx) => tx.select().from(messages))).toMatchObject([
    { state: 'polling' },
    { state: 'polling', next_attempt_at: null },
  ])
  expect((await refused(bot['tasks.list']({ project_id }))).code).toBe('not_found')
})
