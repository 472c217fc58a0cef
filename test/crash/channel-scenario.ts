import { Webhook } from 'standardwebhooks'
import { initDataFolder, type RunningServer, sendRequest, startServer } from '../binary/cork.ts'
import { waitUntil } from '../support/wait.ts'
import { type DirectDatabase, openDirectly } from './direct-database.ts'
import type { Random } from './random.ts'

const env = { CORK_ALLOW_HOSTS: '127.0.0.1' }
const WRITERS = 3
/** One message in so many is refused at its first attempt, and is sent again. */
const REFUSED = 8

/** A service that is sent the messages of one channel. */
class Service {
  /** How often each message was accepted, by the ticket number of its task and by its id. */
  readonly accepted = new Map<string, Map<string, number>>()
  readonly problems: string[] = []
  readonly sent = new Set<string>()
  secret = ''
  private readonly server: ReturnType<typeof Bun.serve>

  constructor(private readonly random: Random) {
    this.server = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1', idleTimeout: 60 },
      fetch: (request) => this.respond(request),
    })
  }

  get url() {
    return `http://127.0.0.1:${this.server.port}/notify`
  }

  close() {
    void this.server.stop(true)
  }

  private async respond(request: Request): Promise<Response> {
    const text = await request.text()
    const headers = Object.fromEntries(request.headers)
    const id = headers['webhook-id']!
    try {
      new Webhook(this.secret).verify(text, headers)
    } catch (error) {
      this.problems.push(`${id}: ${(error as Error).message}`)
    }
    const isFirst = !this.sent.has(id)
    this.sent.add(id)
    // While it takes its time, the server may be killed.
    await Bun.sleep(this.random.below(60))
    if (isFirst && this.random.onceIn(REFUSED)) return new Response(null, { status: 500 })
    const { url } = (JSON.parse(text) as { data: { url: string } }).data
    const ticket = new URL(url).pathname.split('/').at(-1)!
    const ids = this.accepted.get(ticket) ?? new Map<string, number>()
    this.accepted.set(ticket, ids.set(id, (ids.get(id) ?? 0) + 1))
    return new Response(null, { status: 204 })
  }
}

/** Agents that assign tasks to a person with channels, and a server that is killed meanwhile. */
export class ChannelScenario {
  kills = 0
  private readonly tickets: string[] = []
  private isEnding = false
  private written = 0

  private constructor(
    private readonly data: string,
    private readonly agent: { token: string; task: object },
    private readonly services: Readonly<Record<'personal' | 'shared', Service>>,
    private readonly random: Random,
    private readonly database: DirectDatabase,
    private server: RunningServer,
  ) {}

  static async open(random: Random): Promise<ChannelScenario> {
    const setup = await initDataFolder()
    const { data, api_key, team_id, user_id } = setup
    const server = await startServer(data, { env })
    const post = async (path: string, body: object) => {
      const answer = await sendRequest(server.url, api_key, 'POST', `/api/v1${path}`, body)
      if (answer.status > 299) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
      return answer.body.data
    }
    const board = { team_id, title: 'Alpha', sections: [{ title: 'Open' }, { title: 'Done' }] }
    const { project_id } = await post('/projects', board)
    const { token } = await post('/agents', { team_id, name: 'Lantern' })
    const services = { personal: new Service(random), shared: new Service(random) }
    for (const [name, fields] of [
      ['personal', { events: ['assignments'] }],
      ['shared', { events: ['task_created'], project_id }],
    ] as const) {
      const { url } = services[name]
      services[name].secret = (await post('/channels', { kind: 'webhook', url, ...fields })).secret
    }
    const agent = { token, task: { project_id, assignee_ids: [user_id] } }
    const database = await openDirectly(data)
    return new ChannelScenario(data, agent, services, random, database, server)
  }

  /** Writes, and kills the server so many times: after a few writes, at a random moment. */
  async run(kills: number) {
    const writers = Array.from({ length: WRITERS }, () => this.write())
    while (this.kills < kills) {
      const written = this.tickets.length + this.random.between(4, 16)
      await waitUntil(() => this.tickets.length >= written)
      await Bun.sleep(this.random.below(400))
      await this.server.end('SIGKILL')
      this.kills++
      await this.database.waitUntilIdle()
      this.server = await startServer(this.data, { env })
    }
    this.isEnding = true
    await Promise.all(writers)
  }

  private async write() {
    while (!this.isEnding) {
      await this.create(`Task ${this.written++}`)
      await Bun.sleep(this.random.below(60))
    }
  }

  /** A write that was not answered is repeated with its idempotency key. */
  private async create(title: string) {
    for (;;) {
      const ticket = await this.post(title).catch(() => undefined)
      if (ticket) return void this.tickets.push(ticket)
      await Bun.sleep(20)
    }
  }

  private async post(title: string): Promise<string | undefined> {
    const response = await fetch(`${this.server.url}/api/v1/tasks`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.agent.token}`,
        'content-type': 'application/json',
        'idempotency-key': title,
      },
      body: JSON.stringify({ ...this.agent.task, title }),
    })
    const { data } = (await response.json()) as { data?: { ticket_number: string } }
    return data?.ticket_number
  }

  /** Resolves once each task was delivered to both services, and nothing is left to be sent. */
  async waitUntilDelivered() {
    const services = Object.values(this.services)
    await waitUntil(() =>
      services.every(({ accepted }) => this.tickets.every((ticket) => accepted.has(ticket))),
    )
    const pending = 'select count(*) as count from channel_deliveries'
    await waitUntil(
      async () => Number((await this.database.query<{ count: number }>(pending))[0]!.count) === 0,
    )
  }

  audit() {
    const services = Object.values(this.services)
    const delivered = services.flatMap(({ accepted }) => [...accepted])
    const counts = delivered.flatMap(([, ids]) => [...ids.values()])
    return {
      written: this.tickets.length,
      messages: services.reduce((sum, { sent }) => sum + sent.size, 0),
      /** The tasks of each service, which must be those that were written. */
      tickets: services.map(({ accepted }) => [...accepted.keys()].toSorted()),
      expected: this.tickets.toSorted(),
      severalIds: delivered.flatMap(([ticket, ids]) =>
        ids.size > 1 ? [ticket, ...ids.keys()] : [],
      ),
      repeats: counts.reduce((sum, count) => sum + count - 1, 0),
      problems: services.flatMap(({ problems }) => problems),
    }
  }

  async close(): Promise<number> {
    const code = await this.server.end()
    for (const service of Object.values(this.services)) service.close()
    await this.database.close()
    return code
  }
}
