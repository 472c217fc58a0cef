import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { catalog } from '../../src/catalog.ts'
import { gather, messagePlaces, messages } from '../../src/features/messages/index.ts'
import { dispatcher } from '../../src/kernel/dispatch.ts'
import { append } from '../../src/store/log.ts'
import { changes } from '../../src/store/tables.ts'
import { onPostgres } from '../server.ts'
import { type World, world } from '../world.ts'

const list = catalog.find(({ name }) => name === 'messages.list')!
type Message = Awaited<ReturnType<World['bot']['messages.list']>>['items'][number]

/** A dispatcher whose writes fail, like a server that crashes after each response. */
const dying = ({ store, clock }: World) =>
  dispatcher({
    store: { ...store, read: store.read, write: () => Promise.reject(new Error('died')) },
    ...{ clock: clock.read, server: {} as never, guards: {} },
  })

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('create', 'own', 'hidden', 'comment') }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ack'), of: fc.array(fc.nat(12)) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('gather'), upTo: fc.nat(30) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('poll', 'die'),
      most: fc.integer({ min: 1, max: 6 }),
    }),
  },
)
type Step = { do: string; of?: number[]; upTo?: number; most?: number }

/** A model of the messages that the agent has not acknowledged yet. */
class Model {
  open: string[] = []
  private written = 0

  constructor(
    private readonly w: World,
    private readonly hidden: number,
  ) {}

  async play({ do: what, ...given }: Step) {
    const { ada, bot, board, tasks } = this.w
    const title = `${what} ${++this.written}`
    if (what === 'create') await ada['tasks.create']({ project_id: board.project_id, title })
    if (what === 'own') await bot['tasks.create']({ project_id: board.project_id, title })
    if (what === 'hidden') await ada['tasks.create']({ project_id: this.hidden, title })
    if (what === 'comment') await ada['comments.add']({ ...tasks.copy, text: title })
    if (what === 'create' || what === 'comment') this.open.push(title)
    if (what === 'ack') await this.ack(given.of!)
    if (what === 'gather') await this.gather(given.upTo!)
    if (what === 'poll') await this.check(await bot['messages.list']({ limit: given.most! }))
    if (what === 'die') await this.die(given.most!)
  }

  async ack(of: readonly number[]) {
    const { items } = await this.w.bot['messages.list']({ limit: 50 })
    const some = items.filter((_, at) => of.includes(at))
    if (!some.length) return
    const ids = some.map(({ id }) => id)
    const done = await this.w.bot['messages.ack']({ ids })
    expect(done).toEqual({ acknowledged: ids.length, unknown: [] })
    const gone = some.map(saidBy)
    this.open = this.open.filter((title) => !gone.includes(title))
  }

  private async gather(upTo: number) {
    const { bot, store, clock } = this.w
    const [place] = await store.read((tx) => tx.select().from(messagePlaces))
    const goal = (place?.seq ?? 0) + upTo
    await store.write((tx) => gather(tx, bot.caller, { now: clock.now, upTo: goal }))
  }

  private async die(limit: number) {
    const { data, page } = await dying(this.w)(this.w.bot.caller, list, { limit })
    this.check({ items: data as Message[], page: page! })
  }

  check({ items, page }: { items: Message[]; page: { has_more: boolean; limit: number } }) {
    expect(items.map(saidBy)).toEqual(this.open.slice(0, page.limit))
    expect(page.has_more).toBe(this.open.length > page.limit)
  }
}

const saidBy = ({ type, data }: Message) =>
  String(type === 'comment.created' ? data.text : data.title)

test('messages are listed once and in order through any polls, acknowledgements and crashes', async () => {
  const runs = { numRuns: onPostgres ? 4 : 15 }
  const steps = fc.array(step, { minLength: 5, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(steps, async (some) => {
      const w = await world()
      await w.bot['messages.list']({})
      const { project_id } = await w.ada['projects.create']({
        ...{ team_id: w.team_id, title: 'Hidden', access: 'invited' },
        sections: [{ title: 'To do' }],
      })
      const model = new Model(w, project_id)
      for (const one of some) await model.play(one as Step)
      model.check(await w.bot['messages.list']({ limit: 50 }))
      await model.ack([...Array(50).keys()])
      model.check(await w.bot['messages.list']({ limit: 50 }))
      const left = await w.store.read((tx) => tx.select().from(messages))
      expect(left).toEqual([])
    }),
    runs,
  )
}, 60_000)

test('concurrent polling, gathering and acknowledging loses and duplicates no message', async () => {
  const { ada, bot, board, store, clock } = await world()
  await bot['messages.list']({})
  const said: string[] = []
  const writing = async () => {
    for (let n = 0; n < 40; n++) {
      const title = `T${n}`
      await ada['tasks.create']({ project_id: board.project_id, title })
      said.push(title)
    }
  }
  const heard = new Map<string, string>()
  const polling = async () => {
    for (let quiet = 0; quiet < 20; quiet++) {
      const { items } = await bot['messages.list']({ limit: 7 })
      for (const { id, data } of items) heard.set(id, String(data.title))
      const ids = items.filter((_, at) => at % 2 === 0).map(({ id }) => id)
      if (ids.length) await bot['messages.ack']({ ids })
      if (items.length) quiet = 0
      else await Bun.sleep(20)
    }
  }
  const gathering = async () => {
    for (let n = 0; n < 30; n++) {
      await store.write((tx) => gather(tx, bot.caller, { now: clock.now }))
      await Bun.sleep(5)
    }
  }
  await Promise.all([writing(), polling(), polling(), gathering(), gathering()])
  expect([...heard.values()].sort()).toEqual(said.sort())
  expect(await store.read((tx) => tx.select().from(messages))).toEqual([])
}, 60_000)

test('an agent that returns after many changes catches up in steps', async () => {
  const { ada, bot, board, team_id, store, clock } = await world()
  await bot['messages.list']({})
  const other = { type: 'task.updated', place: { team_id: team_id + 1, project_id: 999 }, data: {} }
  const hidden = { ...other, place: { team_id, project_id: 999, task_id: 1 } }
  const flood = async (change: typeof other, many: number) => {
    for (let n = 0; n < many; n += 1000)
      await store.write((tx) => append(tx, ada.caller, clock.now, Array(1000).fill(change)))
  }
  const placed = async () => (await store.read((tx) => tx.select().from(messagePlaces)))[0]!.seq
  await flood(other, 12_000)
  await ada['tasks.create']({ project_id: board.project_id, title: 'One' })
  const { items, page } = await bot['messages.list']({})
  expect(items.map(({ data }) => data.title)).toEqual(['One'])
  expect(page.has_more).toBe(false)
  const [made] = await store.read((tx) =>
    tx.select().from(changes).where(eq(changes.type, 'task.created')).limit(100),
  )
  expect(await placed()).toBeGreaterThan(made!.seq + 12_000)
  await bot['messages.ack']({ ids: [items[0]!.id] })
  await flood(hidden, 6000)
  await ada['tasks.create']({ project_id: board.project_id, title: 'Two' })
  // There is more than one call reads. It returns has_more, and the next call continues.
  const first = await bot['messages.list']({})
  expect(first.items).toEqual([])
  expect(first.page.has_more).toBe(true)
  const next = await bot['messages.list']({ cursor: first.page.next_cursor! })
  expect(next.items.map(({ data }) => data.title)).toEqual(['Two'])
  expect((await bot['messages.list']({})).items.map(({ data }) => data.title)).toEqual(['Two'])
}, 60_000)
