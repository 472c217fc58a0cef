import {
  type InitResult,
  initDataFolder,
  type RunningServer,
  sendRequest,
  startServer,
} from '../binary/cork.ts'
import { seed } from '../support/scale.ts'
import { Random } from './random.ts'

interface Load {
  agents: number
  writes: number
  everyMs: number
  /** How long a hanging endpoint waits before it responds; undefined means for ever. */
  hangMs: number | undefined
}

/** A message as one agent received it. */
interface ReceivedMessage {
  id: string
  delivered: boolean
  /** From the write to the first request, in milliseconds. */
  delayMs: number
  /** How often it was sent again after a successful response. */
  repeats: number
}

const env = { CORK_ALLOW_HOSTS: '127.0.0.1' }

/** The webhook endpoint of one agent, which fails, hangs or succeeds at random. */
class Endpoint {
  /** The messages by the ticket number of their task. */
  readonly messages = new Map<string, ReceivedMessage>()
  readonly changedIds: string[] = []
  requests = 0
  private readonly random = new Random(seed)
  private readonly server: ReturnType<typeof Bun.serve>

  constructor(
    readonly token: string,
    private readonly hangMs: number | undefined,
  ) {
    this.server = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1', idleTimeout: 60 },
      fetch: (request) => this.respond(request),
    })
  }

  get url() {
    return `http://127.0.0.1:${this.server.port}/hook`
  }

  close() {
    void this.server.stop(true)
  }

  private async respond(request: Request): Promise<Response> {
    const at = Date.now()
    const id = request.headers.get('webhook-id')!
    const { created_at, data } = (await request.json()) as {
      created_at: string
      data: { ticket_number: string }
    }
    this.requests++
    const delayMs = at - Date.parse(created_at)
    const message = this.messages.get(data.ticket_number) ?? {
      id,
      delivered: false,
      delayMs,
      repeats: 0,
    }
    this.messages.set(data.ticket_number, message)
    if (message.id !== id) this.changedIds.push(`${data.ticket_number}: ${message.id}, then ${id}`)
    if (message.delivered) message.repeats++
    const draw = this.random.next()
    if (draw < 0.1) return this.hang()
    if (draw < 0.4) return new Response('no', { status: 500 })
    message.delivered = true
    return new Response('yes')
  }

  private async hang(): Promise<Response> {
    await (this.hangMs === undefined ? new Promise(() => {}) : Bun.sleep(this.hangMs))
    return new Response('too late', { status: 504 })
  }
}

/** A person who creates tasks, agents with webhooks, and a server that is killed meanwhile. */
export class WebhookScenario {
  private readonly ticketNumbers: string[] = []

  private constructor(
    private readonly load: Load,
    private readonly setup: InitResult & { data: string },
    private readonly project_id: number,
    private readonly endpoints: readonly Endpoint[],
    private server: RunningServer,
  ) {}

  static async open(load: Load): Promise<WebhookScenario> {
    const setup = await initDataFolder()
    const server = await startServer(setup.data, { env })
    const { api_key, team_id } = setup
    const call = async (secret: string, method: string, path: string, body: object) => {
      const response = await sendRequest(server.url, secret, method, `/api/v1${path}`, body)
      if (response.status > 299) throw new Error(`${path}: ${JSON.stringify(response.body)}`)
      return response.body.data
    }
    const sections = [{ title: 'Open' }, { title: 'Done' }]
    const board = { team_id, title: 'Alpha', sections }
    const { project_id } = await call(api_key, 'POST', '/projects', board)
    const endpoints: Endpoint[] = []
    for (let index = 1; index <= load.agents; index++) {
      const { token } = await call(api_key, 'POST', '/agents', { team_id, name: `Agent ${index}` })
      const endpoint = new Endpoint(token, load.hangMs)
      const webhook = { url: endpoint.url, events: ['task.created'] }
      await call(token, 'PUT', '/agents/self/webhook', webhook)
      endpoints.push(endpoint)
    }
    return new WebhookScenario(load, setup, project_id, endpoints, server)
  }

  /** Creates tasks at an even pace, kills the server halfway and retries unanswered creates. */
  async write() {
    const { writes, everyMs } = this.load
    const startedAt = performance.now()
    const running: Promise<void>[] = []
    for (let index = 0; index < writes; index++) {
      await Bun.sleep(Math.max(0, startedAt + index * everyMs - performance.now()))
      if (index === writes >> 1) await this.killAndRestart()
      running.push(this.create(`Task ${index}`))
    }
    await Promise.all(running)
  }

  private async killAndRestart() {
    await this.server.end('SIGKILL')
    this.server = await startServer(this.setup.data, { env })
  }

  private async create(title: string) {
    for (;;) {
      const ticket = await this.post(title).catch(() => undefined)
      if (ticket) return void this.ticketNumbers.push(ticket)
      await Bun.sleep(50)
    }
  }

  private async post(title: string): Promise<string | undefined> {
    const { url } = this.server
    const response = await fetch(`${url}/api/v1/tasks`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.setup.api_key}`,
        'content-type': 'application/json',
        'idempotency-key': title,
      },
      body: JSON.stringify({ project_id: this.project_id, title }),
    })
    const { data } = (await response.json()) as { data?: { ticket_number: string } }
    return data?.ticket_number
  }

  /** Waits until each message was sent at least once, none is lost and some were retried. */
  async waitUntilDelivered() {
    const end = performance.now() + 120_000
    const hasAllMessages = ({ messages }: Endpoint) =>
      this.ticketNumbers.every((ticket) => messages.has(ticket))
    while (!this.endpoints.every(hasAllMessages) && performance.now() < end) await Bun.sleep(100)
    const isComplete = async () => {
      const { lost, requests, messages } = await this.audit()
      // More requests than messages show that some were retried.
      return !lost.length && requests > messages * 1.2
    }
    while (!(await isComplete()) && performance.now() < end) await Bun.sleep(500)
  }

  delays(): number[] {
    return this.endpoints.flatMap(({ messages }) =>
      [...messages.values()].map(({ delayMs }) => delayMs),
    )
  }

  async audit() {
    const totals = { messages: 0, requests: 0, delivered: 0, polled: 0, repeats: 0 }
    const errors = { lost: [] as string[], changedIds: [] as string[], idConflicts: [] as string[] }
    for (const endpoint of this.endpoints) {
      const { messages, requests, changedIds } = endpoint
      const polled = await this.pollMessages(endpoint)
      totals.requests += requests
      errors.changedIds.push(...changedIds)
      for (const ticket of this.ticketNumbers) {
        const message = messages.get(ticket)
        totals.messages++
        totals.repeats += message?.repeats ?? 0
        if (message?.delivered) totals.delivered++
        else if (polled.has(ticket)) totals.polled++
        else errors.lost.push(`${ticket}, known as ${message?.id}`)
        const id = polled.get(ticket)
        if (message && id && id !== message.id)
          errors.idConflicts.push(`${ticket}: ${message.id} and ${id}`)
      }
      const ids = [...messages.values()].map(({ id }) => id)
      if (new Set(ids).size < ids.length) errors.idConflicts.push('one id for two messages')
    }
    return { ...totals, ...errors }
  }

  /** The ids of the messages that an agent can poll, by ticket number. */
  private async pollMessages({ token }: Endpoint): Promise<Map<string, string>> {
    const messageIds = new Map<string, string>()
    let cursor: string | null = null
    do {
      const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
      const path = `/api/v1/agents/self/messages?limit=50${query}`
      const { body } = await sendRequest(this.server.url, token, 'GET', path)
      for (const { id, data } of body.data) messageIds.set(data.ticket_number, id)
      cursor = body.page.next_cursor
    } while (cursor)
    return messageIds
  }

  async close(): Promise<number> {
    const code = await this.server.end()
    for (const endpoint of this.endpoints) endpoint.close()
    return code
  }
}
