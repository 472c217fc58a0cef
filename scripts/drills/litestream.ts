/**
 * Rehearses the loss of the machine. Litestream replicates the database to a bucket while 64
 * clients create tasks; server and Litestream are killed, the data folder is deleted, the database
 * is restored from the bucket and inspected, and the next round goes on with it.
 *
 *   npm run drill -- litestream [--rounds 50]
 */
import { Database } from 'bun:sqlite'
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  cleanUp,
  createFolder,
  initDataFolder,
  sendRequest,
  startServer,
} from '../../test/binary/cork.ts'
import { findInconsistencies } from '../../test/crash/audit.ts'
import { bucket } from '../../test/files/bucket.ts'
import { build, isStale } from '../build.ts'

const VERSION = 'v0.5.18'
const WRITERS = 64
/** Without the machine's own settings for AWS. */
const ENVIRONMENT = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }
const root = join(import.meta.dir, '../..')

/** A task whose creation was acknowledged. */
interface Acknowledged {
  task_id: number
  title: string
  /** Milliseconds since this process started. */
  at: number
}

interface Round {
  acknowledged: number
  /** Acknowledged tasks that are missing, all of them later than every restored task. */
  lost: number
  /** The time from the first lost task to the kill. */
  lostMs: number
  restoreMs: number
  problems: string[]
}

/** Downloads and compiles Litestream, unless it is installed. */
async function litestream(): Promise<string> {
  const installed = Bun.which('litestream')
  if (installed) return installed
  const bin = join(root, '.tools', `litestream-${VERSION}`)
  if (existsSync(join(bin, 'litestream'))) return join(bin, 'litestream')
  if (!Bun.which('go')) throw new Error('Install Litestream, or Go to compile it')
  console.error(`Compiling Litestream ${VERSION} …`)
  await run(['go', 'install', `github.com/benbjohnson/litestream/cmd/litestream@${VERSION}`], {
    ...process.env,
    GOBIN: bin,
  })
  return join(bin, 'litestream')
}

async function run(command: string[], env: Record<string, string | undefined>): Promise<void> {
  const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'pipe' })
  const output = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0)
    throw new Error(`${command.join(' ')} failed:\n${(await output).join('\n')}`)
}

class LitestreamDrill {
  private readonly bucket = bucket()
  private readonly folder = createFolder()
  private readonly settings = join(this.folder, 'litestream.yml')
  private readonly signingKey = join(this.folder, 'signing.key')
  /** The tasks that were restored in an earlier round. They must never be lost. */
  private readonly safe = new Map<number, string>()
  private rounds = 0

  private constructor(
    private readonly program: string,
    private readonly data: string,
    private readonly key: string,
    private readonly project_id: number,
  ) {
    const { where } = this.bucket
    copyFileSync(join(data, 'signing.key'), this.signingKey)
    writeFileSync(
      this.settings,
      JSON.stringify({
        dbs: [
          {
            path: this.database,
            replica: {
              ...{ type: 's3', path: 'corkboard', 'force-path-style': true },
              ...{ endpoint: where.endpoint, bucket: where.bucket, region: where.region },
              'access-key-id': where.accessKeyId,
              'secret-access-key': where.secretAccessKey,
            },
          },
        ],
      }),
    )
  }

  static async open(program: string): Promise<LitestreamDrill> {
    const { data, api_key, team_id } = await initDataFolder()
    const server = await startServer(data)
    const board = { team_id, title: 'Harbour', sections: [{ title: 'To do' }] }
    const { body } = await sendRequest(server.url, api_key, 'POST', '/api/v1/projects', board)
    await server.end()
    return new LitestreamDrill(program, data, api_key, body.data.project_id)
  }

  private get database(): string {
    return join(this.data, 'corkboard.db')
  }

  async round(): Promise<Round> {
    const server = await startServer(this.data)
    const replication = Bun.spawn([this.program, 'replicate', '-config', this.settings], {
      ...{ env: ENVIRONMENT, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
    })
    const acknowledged: Acknowledged[] = []
    this.rounds++
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      this.write(server.url, `${this.rounds} ${writer}`, acknowledged),
    )
    while (!this.bucket.objects.size && replication.exitCode === null) await Bun.sleep(50)
    await Bun.sleep(1000 + Math.random() * 3000)
    if (replication.exitCode !== null)
      throw new Error(`Litestream ended: ${await new Response(replication.stderr).text()}`)
    const killedAt = performance.now()
    replication.kill('SIGKILL')
    await Promise.all([server.end('SIGKILL'), replication.exited, ...writers])
    const restoreMs = await this.restore()
    const inspected = await this.inspect(acknowledged, killedAt).catch((cause) => {
      const copy = join(root, 'dist/damaged-replica')
      cpSync(this.data, copy, { recursive: true })
      throw new Error(`The restored database is damaged; a copy is in ${copy}`, { cause })
    })
    return { ...inspected, restoreMs }
  }

  /** Creates tasks, one after the other, until the server is gone. */
  private async write(url: string, name: string, acknowledged: Acknowledged[]): Promise<void> {
    for (let count = 0; ; count++) {
      const title = `${name} ${count}`
      const task = { project_id: this.project_id, title }
      const response = await sendRequest(url, this.key, 'POST', '/api/v1/tasks', task).catch(
        () => {},
      )
      if (!response) return
      if (response.status !== 201) throw new Error(JSON.stringify(response.body))
      acknowledged.push({ task_id: response.body.data.task_id, title, at: performance.now() })
    }
  }

  /** Loses the machine, and restores the data folder on a new one. */
  private async restore(): Promise<number> {
    rmSync(this.data, { recursive: true })
    mkdirSync(this.data, { mode: 0o700 })
    copyFileSync(this.signingKey, join(this.data, 'signing.key'))
    const startedAt = performance.now()
    await run([this.program, 'restore', '-config', this.settings, this.database], ENVIRONMENT)
    return performance.now() - startedAt
  }

  private async inspect(acknowledged: readonly Acknowledged[], killedAt: number) {
    const database = new Database(this.database, { readonly: true })
    const query = async <T>(sql: string) => database.query(sql).all() as T[]
    const problems = await findInconsistencies(query, true)
    const restored = new Map(
      (await query<{ task_id: number; title: string }>('select task_id, title from tasks')).map(
        ({ task_id, title }) => [task_id, title],
      ),
    )
    database.close()
    const newest = Math.max(0, ...restored.keys())
    const expected = [...this.safe].map(([task_id, title]) => ({ task_id, title }))
    for (const { task_id, title } of [...expected, ...acknowledged])
      if (task_id <= newest && restored.get(task_id) !== title)
        problems.push(`task ${task_id} "${title}" is missing, although task ${newest} was restored`)
    for (const [task_id, title] of restored) this.safe.set(task_id, title)
    const lost = acknowledged.filter(({ task_id }) => task_id > newest)
    const lostMs = lost.length ? killedAt - Math.min(...lost.map(({ at }) => at)) : 0
    return { acknowledged: acknowledged.length, lost: lost.length, lostMs, problems }
  }

  close(): void {
    this.bucket.stop()
  }
}

/** Runs the drill and prints its result. Returns whether everything that was replicated is intact. */
export async function drill(rounds: number): Promise<boolean> {
  if (isStale()) await build()
  const rehearsal = await LitestreamDrill.open(await litestream())
  const done: Round[] = []
  try {
    while (done.length < rounds) {
      const round = await rehearsal.round()
      done.push(round)
      console.log(
        `round ${done.length}: ${round.acknowledged} tasks, the last ${round.lost} (${round.lostMs.toFixed(0)} ms) not replicated, restored in ${round.restoreMs.toFixed(0)} ms`,
      )
      for (const problem of round.problems) console.log(`  ${problem}`)
    }
  } finally {
    rehearsal.close()
    cleanUp()
  }
  const sum = (value: (round: Round) => number) => done.reduce((all, one) => all + value(one), 0)
  const most = (value: (round: Round) => number) => Math.max(...done.map(value)).toFixed(0)
  const problems = sum((round) => round.problems.length)
  console.log(
    `${rounds} machines lost: ${sum((round) => round.acknowledged)} tasks acknowledged, ${sum((round) => round.lost)} not yet replicated (the last ${most((round) => round.lostMs)} ms at most), restored in ${most((round) => round.restoreMs)} ms at most, ${problems} problems`,
  )
  return problems === 0
}
