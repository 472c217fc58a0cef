import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { catalog } from '../../../../src/catalog.ts'
import {
  gather,
  messagePlaces,
  messages,
} from '../../../../src/features/agents/messages/model/index.ts'
import { dispatcher } from '../../../../src/kernel/dispatch.ts'
import { append } from '../../../../src/store/log.ts'
import { changes } from '../../../../src/store/tables.ts'
import { onPostgres } from '../../../support/postgres.ts'
import { type World, world } from '../../../support/world.ts'

const list = catalog.find(({ name }) => name === 'messages.list')!
type Message = Awaited<ReturnType<World['bot']['messages.list']>>['items'][number]

/** A dispatcher whose writes fail, like a server that crashes after each response. */
const crashingDispatcher = ({ store, clock }: World) =>
  dispatcher({
    store: { ...store, read: store.read, write: () => Promise.reject(new Error('died')) },
    ...{ clock: clock.read, server: {} as never, guards: {} },
  })

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ action: fc.constantFrom('create', 'own', 'hidden', 'comment') }),
  },
  { weight: 2, arbitrary: fc.record({ action: fc.constant('ack'), of: fc.array(fc.nat(12)) }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('gather'), upTo: fc.nat(30) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      action: fc.constantFrom('poll', 'crash'),
      most: fc.integer({ min: 1, max: 6 }),
    }),
  },
)
type Step = { action: string; of?: number[]; upTo?: number; most?: number }

/** A model of the messages that the agent has not acknowledged yet. */
class Model {
  open: string[] = []
  private written = 0

  constructor(
    private readonly w: World,
    private readonly hidden: number,
  ) {}

  async perform({ action, ...args }: Step) {
    const { ada, bot, board, tasks } = this.w
    const title = `${action} ${++this.written}`
    if (action === 'create') await ada['tasks.create']({ project_id: board.project_id, title })
    if (action === 'own') await bot['tasks.create']({ project_id: board.project_id, title })
    if (action === 'hidden') await ada['tasks.create']({ project_id: this.hidden, title })
    if (action === 'comment') await ada['comments.add']({ ...tasks.copy, text: title })
    if (action === 'create' || action === 'comment') this.open.push(title)
    if (action === 'ack') await this.ack(args.of!)
    if (action === 'gather') await this.gather(args.upTo!)
    if (action === 'poll') await this.check(await bot['messages.list']({ limit: args.most! }))
    if (action === 'crash') await this.crash(args.most!)
  }

  async ack(of: readonly number[]) {
    const { items } = await this.w.bot['messages.list']({ limit: 50 })
    const acknowledged = items.filter((_, at) => of.includes(at))
    if (!acknowledged.length) return
    const ids = acknowledged.map(({ id }) => id)
    const receipt = await this.w.bot['messages.ack']({ ids })
    expect(receipt).toEqual({ acknowledged: ids.length, unknown: [] })
    const titles = acknowledged.map(titleOf)
    this.open = this.open.filter((title) => !titles.includes(title))
  }

  private async gather(upTo: number) {
    const { bot, store, clock } = this.w
    const [position] = await store.read((tx) => tx.select().from(messagePlaces))
    const target = (position?.seq ?? 0) + upTo
    await store.write((tx) => gather(tx, bot.caller, { now: clock.now, upTo: target }))
  }

  private async crash(limit: number) {
    const { data, page } = await crashingDispatcher(this.w)(this.w.bot.caller, list, { limit })
    this.check({ items: data as Message[], page: page! })
  }

  check({ items, page }: { items: Message[]; page: { has_more: boolean; limit: number } }) {
    expect(items.map(titleOf)).toEqual(this.open.slice(0, page.limit))
    expect(page.has_more).toBe(this.open.length > page.limit)
  }
}

const titleOf = ({ type, data }: Message) =>
  String(type === 'comment.created' ? data.text : data.title)

test('messages are listed once and in order through any polls, acknowledgements and crashes', async () => {
  const runs = { numRuns: onPostgres ? 4 : 15 }
  const steps = fc.array(step, { minLength: 5, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const w = await world()
      await w.bot['messages.list']({})
      const { project_id } = await w.ada['projects.create']({
        ...{ team_id: w.team_id, title: 'Hidden', access: 'invited' },
        sections: [{ title: 'To do' }],
      })
      const model = new Model(w, project_id)
      for (const entry of sequence) await model.perform(entry as Step)
      model.check(await w.bot['messages.list']({ limit: 50 }))
      await model.ack([...Array(50).keys()])
      model.check(await w.bot['messages.list']({ limit: 50 }))
      const remaining = await w.store.read((tx) => tx.select().from(messages))
      expect(remaining).toEqual([])
    }),
    runs,
  )
})

test('concurrent polling, gathering and acknowledging loses and duplicates no message', async () => {
  const { ada, bot, board, store, clock } = await world()
  await bot['messages.list']({})
  const createdTitles: string[] = []
  const createTasks = async () => {
    for (let n = 0; n < 40; n++) {
      const title = `T${n}`
      await ada['tasks.create']({ project_id: board.project_id, title })
      createdTitles.push(title)
    }
  }
  const receivedTitles = new Map<string, string>()
  const poll = async () => {
    for (let emptyPolls = 0; emptyPolls < 20; emptyPolls++) {
      const { items } = await bot['messages.list']({ limit: 7 })
      for (const { id, data } of items) receivedTitles.set(id, String(data.title))
      const ids = items.filter((_, at) => at % 2 === 0).map(({ id }) => id)
      if (ids.length) await bot['messages.ack']({ ids })
      if (items.length) emptyPolls = 0
      else await Bun.sleep(20)
    }
  }
  const gatherRepeatedly = async () => {
    for (let n = 0; n < 30; n++) {
      await store.write((tx) => gather(tx, bot.caller, { now: clock.now }))
      await Bun.sleep(5)
    }
  }
  await Promise.all([createTasks(), poll(), poll(), gatherRepeatedly(), gatherRepeatedly()])
  expect([...receivedTitles.values()].sort()).toEqual(createdTitles.sort())
  expect(await store.read((tx) => tx.select().from(messages))).toEqual([])
})

test('an agent that returns after many changes catches up in steps', async () => {
  const { ada, bot, board, team_id, store, clock } = await world()
  await bot['messages.list']({})
  const other = { type: 'task.updated', place: { team_id: team_id + 1, project_id: 999 }, data: {} }
  const hidden = { ...other, place: { team_id, project_id: 999, task_id: 1 } }
  const appendMany = async (change: typeof other, count: number) => {
    for (let n = 0; n < count; n += 1000)
      await store.write((tx) => append(tx, ada.caller, clock.now, Array(1000).fill(change)))
  }
  const readPosition = async () =>
    (await store.read((tx) => tx.select().from(messagePlaces)))[0]!.seq
  await appendMany(other, 12_000)
  await ada['tasks.create']({ project_id: board.project_id, title: 'One' })
  const { items, page } = await bot['messages.list']({})
  expect(items.map(({ data }) => data.title)).toEqual(['One'])
  expect(page.has_more).toBe(false)
  const [createdChange] = await store.read((tx) =>
    tx.select().from(changes).where(eq(changes.type, 'task.created')).limit(100),
  )
  expect(await readPosition()).toBeGreaterThan(createdChange!.seq + 12_000)
  await bot['messages.ack']({ ids: [items[0]!.id] })
  await appendMany(hidden, 6000)
  await ada['tasks.create']({ project_id: board.project_id, title: 'Two' })
  // One call does not read all of these changes: it returns has_more, and the next continues.
  const first = await bot['messages.list']({})
  expect(first.items).toEqual([])
  expect(first.page.has_more).toBe(true)
  const next = await bot['messages.list']({ cursor: first.page.next_cursor! })
  expect(next.items.map(({ data }) => data.title)).toEqual(['Two'])
  expect((await bot['messages.list']({})).items.map(({ data }) => data.title)).toEqual(['Two'])
})
