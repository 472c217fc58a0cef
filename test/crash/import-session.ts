import { binary } from '../../scripts/build.ts'
import { executableEnv, type InitResult, type RunningServer, runCommand } from '../binary/cork.ts'
import type { Installation } from '../binary/installation.ts'
import { type DirectDatabase, openDirectly } from './direct-database.ts'

/** What `cork import --json` prints. */
interface Summary {
  import: { import_id: number; tasks: number }
  outcomes: Record<'created' | 'updated' | 'unchanged' | 'kept', number>
  problems: unknown[]
  unresolved: number
  boards: { key: string }[]
}

interface ExportedBoard {
  tasks: { ticket_number: string }[]
}

/** A server, and a person who imports a file to it on the command line. */
export class ImportSession {
  private constructor(
    private readonly installation: Installation,
    private readonly owner: InitResult,
    private readonly file: string,
    readonly database: DirectDatabase,
    private server: RunningServer,
  ) {}

  static async open(installation: Installation, file: string): Promise<ImportSession> {
    const owner = await installation.init()
    const server = await installation.serve()
    const { data, env } = installation
    const database = await openDirectly(data, env.DATABASE_URL)
    return new ImportSession(installation, owner, file, database, server)
  }

  /** Starts an import that may be killed. */
  async startImport(): Promise<Bun.Subprocess> {
    const env = await executableEnv([], this.env)
    const command = [binary, 'import', this.file, '--yes', '--json']
    return Bun.spawn(command, { env, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
  }

  import = () => this.run<Summary>('import', this.file, '--yes', '--json')

  undo = (import_id: number) =>
    this.run<{ deleted_tasks: number }>('imports', 'undo', `${import_id}`, '--json')

  /** The tasks of the board as JSON, without what differs between two databases. */
  async export(board: string): Promise<ExportedBoard> {
    const exported = await this.run('export', '--format', 'json', '--project', board)
    const isOwn = (name: string, value: unknown) =>
      /(_id|_at|^url)$/.test(name) || (typeof value === 'string' && UUID.test(value))
    const text = JSON.stringify(exported, (name, value) => (isOwn(name, value) ? undefined : value))
    return JSON.parse(text)
  }

  /** Kills the server. Its database is idle afterwards. */
  async killServer(): Promise<void> {
    await this.server.end('SIGKILL')
    await this.database.waitUntilIdle()
  }

  /** Starts the server again at the same address. */
  async restart(): Promise<void> {
    const { port } = new URL(this.server.url)
    this.server = await this.installation.serve(['--port', port])
  }

  /** Resolves once the server has finished the request of a client that was killed. */
  async waitUntilSettled(): Promise<void> {
    const lastChange = async () => JSON.stringify(await this.database.query(LAST_CHANGE))
    for (let before = await lastChange(); ; ) {
      await Bun.sleep(150)
      const now = await lastChange()
      if (now === before) return
      before = now
    }
  }

  async close(): Promise<number> {
    await this.database.close()
    return this.server.end()
  }

  private get env() {
    return { CORK_URL: this.server.url, CORK_TOKEN: this.owner.api_key }
  }

  private async run<T>(...args: string[]): Promise<T> {
    const { out, err, code } = await runCommand([binary, ...args], { env: this.env })
    if (code !== 0) throw new Error(`cork ${args.join(' ')} ended with ${code}: ${out}${err}`)
    return JSON.parse(out)
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const LAST_CHANGE = 'select max(seq) as seq from changes'
