import { binary } from '../../scripts/build.ts'
import {
  executableEnv,
  initDataFolder,
  type RunningServer,
  sendRequest,
  startServer,
} from '../binary/cork.ts'
import { findInconsistencies, type Query, readTasks, type StoredTask } from './audit.ts'
import { type DirectDatabase, openDirectly } from './direct-database.ts'
import type { Random } from './random.ts'
import { type Board, type KnownTask, LABELS, type State, type Target, Writer } from './writer.ts'

const WRITERS = 64

export interface Totals {
  kills: number
  /** Kills before the server had printed its address. */
  killsWhileStarting: number
  acknowledged: number
  refusals: number
  /** Sent, but cut off before a response. */
  unanswered: number
  /** Unanswered writes that were done nevertheless. */
  doneUnanswered: number
  /** Responses with `connection: close`. */
  closeHeaders: number
  lost: string[]
  errors: string[]
}

export const emptyTotals = (): Totals => ({
  ...{
    kills: 0,
    killsWhileStarting: 0,
    acknowledged: 0,
    refusals: 0,
    unanswered: 0,
    doneUnanswered: 0,
    closeHeaders: 0,
  },
  lost: [],
  errors: [],
})

/** A data folder with concurrent writers, whose server is ended and restarted repeatedly. */
export class WriterScenario {
  private constructor(
    private readonly setup: Awaited<ReturnType<typeof initDataFolder>>,
    private readonly writers: readonly Writer[],
    private readonly random: Random,
    private readonly totals: Totals,
    private readonly database: DirectDatabase,
    private server: RunningServer,
  ) {}

  static async open(random: Random, totals: Totals): Promise<WriterScenario> {
    const setup = await initDataFolder()
    const server = await startServer(setup.data)
    const boards = [
      await createBoard(server, setup, 'Alpha'),
      await createBoard(server, setup, 'Beta'),
    ]
    const writers = Array.from(
      { length: WRITERS },
      (_, index) => new Writer(`writer ${index}`, random, boards),
    )
    return new WriterScenario(
      setup,
      writers,
      random,
      totals,
      await openDirectly(setup.data),
      server,
    )
  }

  /** Lets all writers write, ends and restarts the server, and audits the data. */
  async round(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL') {
    const target = this.target()
    const writing = this.writers.map((writer) => writer.run(target))
    // PostgreSQL takes longer to warm up.
    await Bun.sleep(this.random.between(20, this.database.isSqlite ? 450 : 900))
    const startedAt = performance.now()
    target.isEnding = signal === 'SIGKILL'
    const ending = this.server.end(signal)
    // After SIGTERM the server accepts requests for a moment, so that no client is cut off.
    if (signal === 'SIGTERM') await Bun.sleep(40)
    target.isEnding = true
    const code = await ending
    const ms = performance.now() - startedAt
    await Promise.all(writing)
    if (signal === 'SIGKILL') this.totals.kills++
    while (signal === 'SIGKILL' && this.random.onceIn(6)) await this.killWhileStarting()
    await this.database.waitUntilIdle()
    this.server = await startServer(this.setup.data)
    await this.audit()
    return { code, ms }
  }

  async close(): Promise<number> {
    await this.database.close()
    return this.server.end()
  }

  private target(): Target {
    const { api_key: secret, team_id } = this.setup
    return { url: this.server.url, secret, team_id, isEnding: false }
  }

  private async killWhileStarting() {
    const args = ['serve', '--data', this.setup.data, '--port', '0']
    const run = Bun.spawn([binary, ...args], {
      env: await executableEnv(args),
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    await Bun.sleep(this.random.below(100))
    run.kill('SIGKILL')
    await run.exited
    this.totals.kills++
    this.totals.killsWhileStarting++
  }

  private async audit() {
    const { query, isSqlite } = this.database
    this.totals.errors.push(...(await findInconsistencies(query, isSqlite)))
    await this.compareTasks(query)
    await this.readBack()
    await this.retry(query)
  }

  /** Each task must match what was acknowledged, with or without its unanswered write. */
  private async compareTasks(query: Query) {
    const changedTasks = this.writers.flatMap((writer) => [...writer.changedTasks])
    const stored = await readTasks(
      query,
      changedTasks.map(({ task_id }) => task_id),
    )
    for (const writer of this.writers) {
      for (const task of writer.changedTasks)
        this.compareTask(writer, task, stored.get(task.task_id))
      this.totals.acknowledged += writer.acknowledged
      this.totals.refusals += writer.refusals
      this.totals.errors.push(...writer.errors.splice(0))
      writer.changedTasks.clear()
      this.totals.closeHeaders += writer.closeHeaders
      writer.closeHeaders = 0
      writer.acknowledged = 0
      writer.refusals = 0
    }
  }

  private compareTask(writer: Writer, task: KnownTask, stored: StoredTask | undefined) {
    const { task_id, ticket_number, state, writes, pending } = task
    if (pending) this.totals.unanswered++
    if (!stored) {
      this.totals.lost.push(`task ${task_id} (${ticket_number}) is gone`)
      return
    }
    const wasDone = pending !== undefined && stored.writes === writes + 1
    const expected = wasDone ? { ...state, ...pending } : state
    const expectedTicket =
      wasDone && pending.project_id !== undefined ? stored.ticket_number : ticket_number
    if (wasDone) this.totals.doneUnanswered++
    if (!Bun.deepEquals(stored.state, expected) || stored.ticket_number !== expectedTicket)
      this.totals.lost.push(
        `task ${task_id} is ${differences(stored.state, expected)} after ${stored.writes} of ${writes} writes`,
      )
    else if (stored.writes !== writes + Number(wasDone))
      this.totals.lost.push(`task ${task_id} has ${stored.writes} log entries for ${writes} writes`)
    writer.acceptState(task, stored.state, stored.writes)
    task.ticket_number = stored.ticket_number
  }

  /** Each writer reads one of its tasks from the server and compares it. */
  private async readBack() {
    const target = this.target()
    await Promise.all(this.writers.map((writer) => writer.readBackOne(target)))
  }

  /** Retries unanswered creates with their idempotency keys: each must exist exactly once. */
  private async retry(query: Query) {
    const target = this.target()
    const [before] = await query<{ n: number }>('select count(*) n from tasks')
    const retries = this.writers.map(async (writer) => {
      this.totals.unanswered += writer.unansweredCreates.length
      return writer.retry(target)
    })
    const retried = (await Promise.all(retries)).flat()
    const titles = retried.map(({ state }) => `'${state.title}'`).join() || 'null'
    const [created] = await query<{ n: number; of: number }>(
      `select count(*) n, count(distinct title) of from tasks where title in (${titles})`,
    )
    const [after] = await query<{ n: number }>('select count(*) n from tasks')
    this.totals.doneUnanswered += retried.length - (Number(after!.n) - Number(before!.n))
    if (Number(created!.n) !== retried.length || Number(created!.of) !== retried.length)
      this.totals.errors.push(`${retried.length} creates sent again made ${created!.n} tasks`)
  }
}

const differences = (stored: State, expected: State) =>
  JSON.stringify(
    Object.fromEntries(
      (Object.keys(expected) as (keyof State)[])
        .filter((field) => stored[field] !== expected[field])
        .map((field) => [field, [stored[field], expected[field]]]),
    ),
  )

async function createBoard(
  { url }: RunningServer,
  { api_key, team_id }: { api_key: string; team_id: number },
  title: string,
): Promise<Board> {
  const sections = [{ title: 'To do' }, { title: 'Doing' }, { title: 'Done' }]
  const labels = LABELS.map((name) => ({ name }))
  const body = { team_id, title, sections, labels }
  const response = await sendRequest(url, api_key, 'POST', '/api/v1/projects', body)
  if (response.status !== 201)
    throw new Error(`No board was made: ${JSON.stringify(response.body)}`)
  const { project_id } = response.body.data
  const sectionIds = response.body.data.sections.map(
    (one: { section_id: number }) => one.section_id,
  )
  return { project_id, sections: sectionIds }
}
