import { expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { comments } from '../../../../src/features/conversation/comments/model/index.ts'
import { pagePieces, pages } from '../../../../src/features/pages/pages/model/index.ts'
import { IndexSync } from '../../../../src/features/search/search/model/feed/index-sync.ts'
import { attachments } from '../../../../src/features/tasks/files/model/index.ts'
import { tasks as table } from '../../../../src/features/tasks/tasks/model/index.ts'
import type {
  IndexUpdate,
  LogPosition,
  SearchableText,
} from '../../../../src/search/passage-index/index.ts'
import { onPostgres } from '../../../support/postgres.ts'
import { waitForIndex } from '../../../support/search-index.ts'
import { type World, world } from '../../../support/world.ts'

/** An index that stores texts unchanged, and on demand refuses an update or loses everything. */
class InMemoryIndex {
  texts = new Map<string, SearchableText>()
  deliveries: { length: number; many: number }[] = []
  clearCount = 0
  isFailing = () => false
  isDamaged = () => false
  at: LogPosition | undefined
  readonly position = async () => this.at
  async apply({ put, deleted, from: after, position: place }: IndexUpdate) {
    if (this.isDamaged()) this.empty()
    if (this.isFailing() || !Bun.deepEquals(after, this.at)) throw new Error('Refused')
    const length = put.reduce((sum, { text = '' }) => sum + text.length, 0)
    this.deliveries.push({ length, many: put.length })
    for (const { kind, id } of deleted) this.texts.delete(`${kind} ${id}`)
    for (const one of put) this.texts.set(`${one.kind} ${one.id}`, structuredClone(one))
    this.at = place ?? this.at
  }
  async clear() {
    this.clearCount++
    this.empty()
  }
  private empty() {
    this.texts.clear()
    this.at = undefined
  }
}

const silentLog = { info: () => {}, warn: () => {} }

/** The texts that the search index must contain, read straight from the database. */
async function textsInDatabase({ store }: World): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  const put = (kind: string, id: number, ...rest: unknown[]) =>
    texts.set(`${kind} ${id}`, JSON.stringify(rest))
  await store.read(async (tx) => {
    const live = new Map(
      (await tx.select().from(table))
        .filter(({ status }) => status !== 'Deleted')
        .map((task) => [task.task_id, task]),
    )
    for (const { task_id, project_id, title, description, content_type } of live.values())
      put('description', task_id, task_id, project_id, title, description ?? '', content_type)
    for (const { comment_id, task_id, text, content_type } of await tx.select().from(comments)) {
      const task = live.get(task_id)
      if (task) put('comment', comment_id, task_id, task.project_id, task.title, text, content_type)
    }
    for (const { attachment_id, task_id, filename } of await tx.select().from(attachments)) {
      const task = live.get(task_id)
      if (task) put('file', attachment_id, task_id, task.project_id, filename, undefined, 'html')
    }
    for (const { page_id, task_id, title, content_type, archived_at } of await tx
      .select()
      .from(pages)) {
      const task = live.get(task_id)
      if (!task || archived_at) continue
      const pieces = await tx
        .select()
        .from(pagePieces)
        .where(eq(pagePieces.page_id, page_id))
        .orderBy(asc(pagePieces.place))
      const text = pieces.map(({ content }) => content).join('')
      put('page', page_id, task_id, task.project_id, title, text, content_type)
    }
  })
  return texts
}

const textsInIndex = (index: InMemoryIndex) =>
  new Map(
    [...index.texts].map(([name, { task_id, project_id, title, text, format }]) => [
      name,
      JSON.stringify([task_id, project_id, title, text, format]),
    ]),
  )

const sorted = (texts: Map<string, string>) => [...texts].sort(([a], [b]) => (a < b ? -1 : 1))

/** Random numbers that are the same for the same seed. */
function randomSource(seed: number) {
  let state = seed * 2_654_435_761
  const below = (limit: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  return { below, pick: <T>(items: readonly T[]): T | undefined => items[below(items.length)] }
}

interface Known {
  tasks: number[]
  comments: number[]
  pages: number[]
  files: number[]
  boards: number[]
}

/** Makes one random change. Faults are ignored, because the target may be deleted already. */
async function changeSomething(
  { ada }: World,
  known: Known,
  { below, pick }: ReturnType<typeof randomSource>,
) {
  const task_id = pick(known.tasks)!
  const comment_id = pick(known.comments)
  const page_id = pick(known.pages)
  const attachment_id = pick(known.files)
  const text = `text ${below(1e6)} ${'words of a long text '.repeat(below(2) ? 2 : 8000)}`
  const project_id = pick(known.boards)!
  const changes: (() => Promise<unknown>)[] = [
    async () => {
      const created = await ada['tasks.create']({ project_id, title: text.slice(0, 20) })
      known.tasks.push(created.task_id)
    },
    () => ada['tasks.update']({ task_id, description: text, content_type: 'markdown' }),
    () => ada['tasks.update']({ task_id, title: `Title ${below(1000)}`, priority: 'Low' }),
    () =>
      ada['tasks.update']({ task_id, status: pick(['Deleted', 'Normal', 'Archive'] as const)! }),
    () => ada['tasks.move']({ task_id, target_project_id: project_id }),
    async () => known.comments.push((await ada['comments.add']({ task_id, text })).comment_id),
    async () => comment_id && ada['comments.update']({ comment_id, text }),
    async () => comment_id && ada['comments.delete']({ comment_id }),
    async () => known.pages.push((await ada['pages.create']({ task_id, content: text })).page_id),
    async () => page_id && ada['pages.update']({ page_id, content: text, mode: 'append' }),
    async () => page_id && ada['pages.archive']({ page_id }),
    async () => {
      const file = { filename: `${below(1000)}.txt`, content_type: 'text/plain', text }
      const { attachments: added } = await ada['attachments.create']({ task_id, files: [file] })
      known.files.push(added[0]!.attachment_id)
    },
    async () => attachment_id && ada['attachments.delete']({ attachment_id }),
    async () => {
      if (!page_id) return
      const { items } = await ada['pages.versions']({ page_id })
      await ada['pages.restore']({ page_id, version_id: items.at(-1)!.version_id })
    },
  ]
  await pick(changes)!().catch((error) => {
    if (!('code' in error)) throw error
  })
}

async function knownRecords(w: World): Promise<Known> {
  const { ada, team_id, tasks, board } = w
  const { project_id } = await ada['projects.create']({
    team_id,
    title: 'Another',
    sections: [{ title: 'Now' }],
  })
  const ids = Object.values(tasks).map(({ task_id }) => task_id)
  return { tasks: ids, comments: [], pages: [], files: [], boards: [board.project_id, project_id] }
}

const SEEDS = onPostgres ? 3 : 8

test('after random writes, interruptions and failures the search index matches the database', async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const w = await world()
    const { store } = w
    const random = randomSource(seed)
    const known = await knownRecords(w)
    for (let at = 0; at < random.below(60); at++) await changeSomething(w, known, random)
    const index = new InMemoryIndex()
    for (let round = 0; round < 12; round++) {
      const lastCheck = random.below(12)
      let checks = 0
      index.isFailing = () => random.below(4) === 0
      // A query clears the index like this when it finds that the file is damaged.
      index.isDamaged = () => random.below(12) === 0
      const sync = new IndexSync({ store, index, log: silentLog }, () => checks++ > lastCheck)
      await sync.step().catch(({ message }) => expect(message).toBe('Refused'))
      for (let at = 0; at < random.below(24); at++) await changeSomething(w, known, random)
    }
    index.isFailing = index.isDamaged = () => false
    await waitForIndex(store, new IndexSync({ store, index, log: silentLog }), index)
    expect(sorted(textsInIndex(index))).toEqual(sorted(await textsInDatabase(w)))
    expect(index.clearCount).toBeGreaterThan(0)
  }
})

test('an interrupted scan resumes where it stopped and transfers no text twice', async () => {
  const w = await world()
  const { store, ada, tasks } = w
  const { task_id } = tasks.copy
  for (let at = 0; at < 5; at++)
    await ada['comments.add']({ task_id, text: 'long '.repeat(40_000), content_type: 'markdown' })
  const index = new InMemoryIndex()
  let stepCount = 0
  while (!index.at || index.at.mark.includes(' ')) {
    let checks = 0
    await new IndexSync({ store, index, log: silentLog }, () => checks++ > 1).step()
    stepCount++
  }
  expect(stepCount).toBeGreaterThan(2)
  expect(index.clearCount).toBe(1)
  expect(index.deliveries.reduce((sum, { many }) => sum + many, 0)).toBe(index.texts.size)
  expect(sorted(textsInIndex(index))).toEqual(sorted(await textsInDatabase(w)))
})

test('a batch is at most 256 KB or one longer text, in a first scan and after a task moves', async () => {
  const w = await world()
  const { store, ada, tasks } = w
  const { task_id } = tasks.copy
  const lengths = [100_000, 100_000, 100_000, 700_000, 100, 200_000]
  for (const length of lengths)
    await ada['pages.create']({ task_id, content: 'page '.repeat(length / 5) })
  const index = new InMemoryIndex()
  await waitForIndex(store, new IndexSync({ store, index, log: silentLog }), index)
  const { project_id } = await ada['projects.create']({
    team_id: w.team_id,
    title: 'Another',
    sections: [{ title: 'Now' }],
  })
  await ada['tasks.move']({ task_id, target_project_id: project_id })
  await waitForIndex(store, new IndexSync({ store, index, log: silentLog }), index)
  const oversized = index.deliveries.filter(({ length }) => length > 256 * 1024)
  expect(oversized.map(({ many }) => many)).toEqual([1, 1])
  expect(index.texts.get(`description ${task_id}`)?.project_id).toBe(project_id)
  expect([...index.texts.values()].filter((one) => one.project_id === project_id)).toHaveLength(
    lengths.length + 1,
  )
})

test('an imported task is indexed with its comments, though only task.created is logged', async () => {
  const w = await world()
  const { store, ada, clock, team_id, tasks } = w
  const index = new InMemoryIndex()
  const sync = new IndexSync({ store, index, log: silentLog })
  await waitForIndex(store, sync, index)
  const { task_id } = tasks.copy
  const { actor_id } = ada.caller
  await store.write(async (tx) => {
    const text = { text: 'From elsewhere', content_type: 'markdown' as const }
    const row = { team_id, task_id, author_id: actor_id, created_at: clock.now, ...text }
    await tx.insert(comments).values(row)
    await tx.update(table).set({ comment_count: 1 }).where(eq(table.task_id, task_id))
    const place = { team_id, project_id: w.board.project_id, task_id }
    await store.append(tx, { actor_id }, clock.now, [{ type: 'task.created', place, data: {} }])
  })
  await waitForIndex(store, sync, index)
  expect(index.texts.size).toBe(5)
  expect(sorted(textsInIndex(index))).toEqual(sorted(await textsInDatabase(w)))
})

test('the index of another database is cleared and rebuilt with a warning', async () => {
  const one = await world()
  const other = await world({ hasBoard: false })
  const index = new InMemoryIndex()
  const warned: string[] = []
  const log = { ...silentLog, warn: (_: object, text?: string) => void warned.push(text ?? '') }
  await waitForIndex(one.store, new IndexSync({ store: one.store, index, log }), index)
  expect(index.texts.size).toBe(4)
  await waitForIndex(other.store, new IndexSync({ store: other.store, index, log }), index)
  expect([index.texts.size, index.clearCount]).toEqual([0, 2])
  expect(warned).toEqual(['The search index belongs to another database; rebuilding it'])
})
