import { binary } from '../../scripts/build.ts'
import { ask, initiated, type Serving, serving, surroundings } from '../binary/cork.ts'
import { type Found, found, halves, type Rows } from './audit.ts'
import { type Books, open } from './books.ts'
import type { Chance } from './chance.ts'
import { type Board, type Known, LABELS, type State, type Target, Writer } from './writer.ts'

const WRITERS = 64

export interface Tally {
  kills: number
  /** Kills before the server had printed its address. */
  starting: number
  acknowledged: number
  refused: number
  /** Sent, but cut off before a response. */
  unanswered: number
  /** Unanswered writes that were done nevertheless. */
  done: number
  /** Responses with `connection: close`. */
  farewells: number
  lost: string[]
  wrong: string[]
}

export const nothingYet = (): Tally => ({
  ...{ kills: 0, starting: 0, acknowledged: 0, refused: 0, unanswered: 0, done: 0, farewells: 0 },
  lost: [],
  wrong: [],
})

/** A data folder with concurrent writers, whose server is ended and restarted repeatedly. */
export class House {
  private constructor(
    private readonly made: Awaited<ReturnType<typeof initiated>>,
    private readonly writers: readonly Writer[],
    private readonly chance: Chance,
    private readonly tally: Tally,
    private readonly books: Books,
    private server: Serving,
  ) {}

  static async open(chance: Chance, tally: Tally): Promise<House> {
    const made = await initiated()
    const server = await serving(made.data)
    const boards = [await board(server, made, 'Alpha'), await board(server, made, 'Beta')]
    const writers = Array.from(
      { length: WRITERS },
      (_, nth) => new Writer(`writer ${nth}`, chance, boards),
    )
    return new House(made, writers, chance, tally, await open(made.data), server)
  }

  /** Lets all writers write, ends and restarts the server, and audits the data. */
  async round(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL') {
    const target = this.target()
    const work = this.writers.map((writer) => writer.work(target))
    // PostgreSQL takes longer to warm up.
    await Bun.sleep(this.chance.between(20, this.books.embedded ? 450 : 900))
    const began = performance.now()
    target.killed = signal === 'SIGKILL'
    const ending = this.server.end(signal)
    // After SIGTERM the server accepts requests for a moment, so that no client is cut off.
    if (signal === 'SIGTERM') await Bun.sleep(40)
    target.killed = true
    const code = await ending
    const ms = performance.now() - began
    await Promise.all(work)
    if (signal === 'SIGKILL') this.tally.kills++
    while (signal === 'SIGKILL' && this.chance.onceIn(6)) await this.killStarting()
    await this.books.settle()
    this.server = await serving(this.made.data)
    await this.audit()
    return { code, ms }
  }

  async close(): Promise<number> {
    await this.books.close()
    return this.server.end()
  }

  private target(): Target {
    const { api_key: secret, team_id } = this.made
    return { url: this.server.url, secret, team_id, killed: false }
  }

  private async killStarting() {
    const args = ['serve', '--data', this.made.data, '--port', '0']
    const run = Bun.spawn([binary, ...args], {
      env: await surroundings(args),
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    await Bun.sleep(this.chance.below(100))
    run.kill('SIGKILL')
    await run.exited
    this.tally.kills++
    this.tally.starting++
  }

  private async audit() {
    const { rows, embedded } = this.books
    this.tally.wrong.push(...(await halves(rows, embedded)))
    await this.compare(rows)
    await this.look()
    await this.retry(rows)
  }

  /** Each task must match what was acknowledged, with or without its unanswered write. */
  private async compare(rows: Rows) {
    const touched = this.writers.flatMap((writer) => [...writer.touched])
    const kept = await found(
      rows,
      touched.map(({ task_id }) => task_id),
    )
    for (const writer of this.writers) {
      for (const task of writer.touched) this.judge(writer, task, kept.get(task.task_id))
      this.tally.acknowledged += writer.acknowledged
      this.tally.refused += writer.refused
      this.tally.wrong.push(...writer.wrong.splice(0))
      writer.touched.clear()
      this.tally.farewells += writer.farewells
      writer.farewells = 0
      writer.acknowledged = 0
      writer.refused = 0
    }
  }

  private judge(writer: Writer, task: Known, kept: Found | undefined) {
    const { task_id, ticket_number, state, writes, pending } = task
    if (pending) this.tally.unanswered++
    if (!kept) {
      this.tally.lost.push(`task ${task_id} (${ticket_number}) is gone`)
      return
    }
    const isDone = pending !== undefined && kept.writes === writes + 1
    const expected = isDone ? { ...state, ...pending } : state
    const told = isDone && pending.project_id !== undefined ? kept.ticket_number : ticket_number
    if (isDone) this.tally.done++
    if (!Bun.deepEquals(kept.state, expected) || kept.ticket_number !== told)
      this.tally.lost.push(
        `task ${task_id} is ${differing(kept.state, expected)} after ${kept.writes} of ${writes} writes`,
      )
    else if (kept.writes !== writes + Number(isDone))
      this.tally.lost.push(`task ${task_id} has ${kept.writes} log entries for ${writes} writes`)
    writer.settle(task, kept.state, kept.writes)
    task.ticket_number = kept.ticket_number
  }

  /** Each writer reads one of its tasks from the server and compares it. */
  private async look() {
    const target = this.target()
    await Promise.all(this.writers.map((writer) => writer.lookAtOne(target)))
  }

  /** Retries unanswered creates with their idempotency keys: each must exist exactly once. */
  private async retry(rows: Rows) {
    const target = this.target()
    const [before] = await rows<{ n: number }>('select count(*) n from tasks')
    const again = this.writers.map(async (writer) => {
      this.tally.unanswered += writer.unborn.length
      return writer.retry(target)
    })
    const known = (await Promise.all(again)).flat()
    const titles = known.map(({ state }) => `'${state.title}'`).join() || 'null'
    const [born] = await rows<{ n: number; of: number }>(
      `select count(*) n, count(distinct title) of from tasks where title in (${titles})`,
    )
    const [after] = await rows<{ n: number }>('select count(*) n from tasks')
    this.tally.done += known.length - (Number(after!.n) - Number(before!.n))
    if (Number(born!.n) !== known.length || Number(born!.of) !== known.length)
      this.tally.wrong.push(`${known.length} creates sent again made ${born!.n} tasks`)
  }
}

const differing = (kept: State, expected: State) =>
  JSON.stringify(
    Object.fromEntries(
      (Object.keys(expected) as (keyof State)[])
        .filter((field) => kept[field] !== expected[field])
        .map((field) => [field, [kept[field], expected[field]]]),
    ),
  )

async function board(
  { url }: Serving,
  { api_key, team_id }: { api_key: string; team_id: number },
  title: string,
): Promise<Board> {
  const sections = [{ title: 'To do' }, { title: 'Doing' }, { title: 'Done' }]
  const labels = LABELS.map((name) => ({ name }))
  const body = { team_id, title, sections, labels }
  const made = await ask(url, api_key, 'POST', '/api/v1/projects', body)
  if (made.status !== 201) throw new Error(`No board was made: ${JSON.stringify(made.body)}`)
  const { project_id } = made.body.data
  const ids = made.body.data.sections.map((one: { section_id: number }) => one.section_id)
  return { project_id, sections: ids }
}
