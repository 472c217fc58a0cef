import { expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { sectionCounts } from '../../src/features/tasks/tasks/model/index.ts'
import { Random } from '../crash/random.ts'
import { onPostgres } from '../support/postgres.ts'
import { seed as firstSeed, scaleCount } from '../support/scale.ts'
import type { Actor } from '../support/world.ts'
import { worldWithReaders } from './readers-world.ts'

const scheduleCount = scaleCount(300, 10_000)

/** A number that one writer raises. A read must not return one from before its beginning. */
class Register {
  private started = 0
  private answered = 0

  async write(store: (value: number) => Promise<unknown>): Promise<void> {
    const value = ++this.started
    await store(value)
    this.answered = value
  }

  /** Call it before a read; the returned function checks the value that was read. */
  beginRead(): (value: number) => string | undefined {
    const { answered: least } = this
    return (value) => {
      if (value < least) return `${value} was read after ${least} was answered`
      if (value > this.started) return `${value} was read, but ${this.started} is the last write`
    }
  }
}

/** A task that only its owner changes. */
interface Watched {
  owner: Actor
  task_id: number
  title: Register
  comments: Register
}

interface SeenTask {
  task_id: number
  title: string
  comment_count?: number
}

/** Every task in an answer, at any depth. */
function tasksIn(value: unknown): SeenTask[] {
  if (Array.isArray(value)) return value.flatMap(tasksIn)
  if (typeof value !== 'object' || value === null) return []
  const own = 'task_id' in value && 'title' in value ? [value as SeenTask] : []
  return [...own, ...Object.values(value).flatMap(tasksIn)]
}

async function createSchedules() {
  const w = await worldWithReaders(2)
  const { ada, ben, cleo, board, store, threadDispatch } = w
  const { project_id } = board
  const assignee_ids = [cleo.caller.actor_id]
  const watched: Watched[] = []
  for (const owner of [ada, ben, cleo]) {
    const task = { project_id, title: '0', assignee_ids, labels: ['bug'] }
    const { task_id } = await owner['tasks.create'](task)
    watched.push({ owner, task_id, title: new Register(), comments: new Register() })
  }
  // A filter of a board with so many tasks is read on a thread.
  await store.write((tx) => tx.update(sectionCounts).set({ tasks: 25_001 }))
  w.readers.isReady()
  const reads: [name: string, input: object][] = [
    ['tasks.get', { task_id: watched.map(({ task_id }) => task_id) }],
    ['tasks.list', { project_id }],
    ['tasks.list', { project_id, sort: 'updatedAt:desc', labels: 'bug' }],
    ['tasks.list', { assigned_to: 'Cleo' }],
    ['projects.board', { project_id }],
    ['my_tasks.list', {}],
  ]
  const outcomes = new Set<string>()

  async function write({ owner, task_id, title, comments }: Watched, random: Random) {
    if (random.onceIn(8))
      await comments.write((value) => owner['comments.add']({ task_id, text: `${value}` }))
    else await title.write((value) => owner['tasks.update']({ task_id, title: `${value}` }))
  }

  async function read(random: Random): Promise<string[]> {
    const [name, input] = random.pick(reads)
    const op = catalog.find((candidate) => candidate.name === name)!
    const checks = new Map(
      watched.map((task) => [
        task.task_id,
        { title: task.title.beginRead(), comments: task.comments.beginRead() },
      ]),
    )
    const answer = await threadDispatch(cleo.caller, op, input)
    const seen = tasksIn(answer.data).filter(({ task_id }) => checks.has(task_id))
    outcomes.add(`${name} ${answer.dataText ? 'on a thread' : 'on the main thread'}`)
    if (seen.length < watched.length) return [`${name} returned ${seen.length} tasks`]
    return seen.flatMap(({ task_id, title, comment_count }) => {
      const check = checks.get(task_id)!
      const count = comment_count ?? (name === 'projects.board' ? 0 : undefined)
      const faults = [check.title(Number(title)), count !== undefined && check.comments(count)]
      return faults.filter((fault) => typeof fault === 'string').map((fault) => `${name}: ${fault}`)
    })
  }

  /** Each owner writes, and readers read, one request after another. */
  async function run(seed: number): Promise<string[]> {
    const random = new Random(seed)
    const pause = () => (random.onceIn(3) ? Bun.sleep(0) : undefined)
    const writers = watched.map(async (task) => {
      for (let left = random.below(3); left > 0; left--) {
        await pause()
        await write(task, random)
      }
    })
    const readers = Array.from({ length: 3 }, async () => {
      const faults: string[] = []
      for (let left = random.between(1, 3); left > 0; left--) {
        await pause()
        faults.push(...(await read(random)))
      }
      return faults
    })
    await Promise.all(writers)
    return (await Promise.all(readers)).flat()
  }
  return { run, outcomes }
}

test.skipIf(onPostgres)(
  `in ${scheduleCount} schedules of writes and reads no read is older than an answered write, from ${firstSeed} on`,
  async () => {
    const { run, outcomes } = await createSchedules()
    for (let seed = firstSeed; seed < firstSeed + scheduleCount; seed++)
      expect([seed, await run(seed)]).toEqual([seed, []])
    expect([...outcomes].sort()).toEqual([
      'my_tasks.list on the main thread',
      'projects.board on a thread',
      'tasks.get on the main thread',
      'tasks.list on a thread',
      'tasks.list on the main thread',
    ])
  },
)
