import { ask, initiated, type Made, type Serving, serving } from '../binary/cork.ts'
import { seed } from '../extent.ts'
import { Chance } from './chance.ts'

interface Size {
  agents: number
  writes: number
  everyMs: number
  /** How long a hanging endpoint waits before it responds; undefined means for ever. */
  hangMs: number | undefined
}

/** A message as one agent received it. */
interface Known {
  id: string
  delivered: boolean
  /** From the write to the first request, in milliseconds. */
  wait: number
  /** How often it was sent again after a successful response. */
  again: number
}

const env = { CORK_ALLOW_HOSTS: '127.0.0.1' }

/** The webhook endpoint of one agent, which fails, hangs or succeeds at random. */
class Endpoint {
  /** The messages by the ticket number of their task. */
  readonly known = new Map<string, Known>()
  readonly renamed: string[] = []
  letters = 0
  private readonly chance = new Chance(seed)
  private readonly server: ReturnType<typeof Bun.serve>

  constructor(
    readonly token: string,
    private readonly hangMs: number | undefined,
  ) {
    this.server = Bun.serve({
      ...{ port: 0, hostname: '127.0.0.1', idleTimeout: 60 },
      fetch: (request) => this.answer(request),
    })
  }

  get url() {
    return `http://127.0.0.1:${this.server.port}/hook`
  }

  close() {
    void this.server.stop(true)
  }

  private async answer(request: Request): Promise<Response> {
    const at = Date.now()
    const id = request.headers.get('webhook-id')!
    const { created_at, data } = (await request.json()) as {
      created_at: string
      data: { ticket_number: string }
    }
    this.letters++
    const wait = at - Date.parse(created_at)
    const known = this.known.get(data.ticket_number) ?? { id, delivered: false, wait, again: 0 }
    this.known.set(data.ticket_number, known)
    if (known.id !== id) this.renamed.push(`${data.ticket_number}: ${known.id}, then ${id}`)
    if (known.delivered) known.again++
    const chance = this.chance.next()
    if (chance < 0.1) return this.hang()
    if (chance < 0.4) return new Response('no', { status: 500 })
    known.delivered = true
    return new Response('yes')
  }

  private async hang(): Promise<Response> {
    await (this.hangMs === undefined ? new Promise(() => {}) : Bun.sleep(this.hangMs))
    return new Response('too late', { status: 504 })
  }
}

/** A person who creates tasks, agents with webhooks, and a server that is killed meanwhile. */
export class Rounds {
  private readonly keys: string[] = []

  private constructor(
    private readonly size: Size,
    private readonly made: Made & { data: string },
    private readonly project_id: number,
    private readonly endpoints: readonly Endpoint[],
    private server: Serving,
  ) {}

  static async open(size: Size): Promise<Rounds> {
    const made = await initiated()
    const server = await serving(made.data, { env })
    const { api_key, team_id } = made
    const call = async (secret: string, method: string, path: string, body: object) => {
      const answer = await ask(server.url, secret, method, `/api/v1${path}`, body)
      if (answer.status > 299) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
      return answer.body.data
    }
    const sections = [{ title: 'Open' }, { title: 'Done' }]
    const board = { team_id, title: 'Alpha', sections }
    const { project_id } = await call(api_key, 'POST', '/projects', board)
    const endpoints: Endpoint[] = []
    for (let nth = 1; nth <= size.agents; nth++) {
      const { token } = await call(api_key, 'POST', '/agents', { team_id, name: `Agent ${nth}` })
      const endpoint = new Endpoint(token, size.hangMs)
      const webhook = { url: endpoint.url, events: ['task.created'] }
      await call(token, 'PUT', '/agents/self/webhook', webhook)
      endpoints.push(endpoint)
    }
    return new Rounds(size, made, project_id, endpoints, server)
  }

  /** Creates tasks at an even pace, kills the server halfway and retries unanswered creates. */
  async write() {
    const { writes, everyMs } = this.size
    const began = performance.now()
    const running: Promise<void>[] = []
    for (let nth = 0; nth < writes; nth++) {
      await Bun.sleep(Math.max(0, began + nth * everyMs - performance.now()))
      if (nth === writes >> 1) await this.kill()
      running.push(this.create(`Task ${nth}`))
    }
    await Promise.all(running)
  }

  private async kill() {
    await this.server.end('SIGKILL')
    this.server = await serving(this.made.data, { env })
  }

  private async create(title: string) {
    for (;;) {
      const key = await this.post(title).catch(() => undefined)
      if (key) return void this.keys.push(key)
      await Bun.sleep(50)
    }
  }

  private async post(title: string): Promise<string | undefined> {
    const { url } = this.server
    const response = await fetch(`${url}/api/v1/tasks`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.made.api_key}`,
        'content-type': 'application/json',
        'idempotency-key': title,
      },
      body: JSON.stringify({ project_id: this.project_id, title }),
    })
    const { data } = (await response.json()) as { data?: { ticket_number: string } }
    return data?.ticket_number
  }

  /** Waits until each message was sent at least once, none is lost and some were retried. */
  async rest() {
    const end = performance.now() + 120_000
    const isTold = ({ known }: Endpoint) => this.keys.every((key) => known.has(key))
    while (!this.endpoints.every(isTold) && performance.now() < end) await Bun.sleep(100)
    const isThrough = async () => {
      const { lost, letters, messages } = await this.audit()
      // More requests than messages show that some were retried.
      return !lost.length && letters > messages * 1.2
    }
    while (!(await isThrough()) && performance.now() < end) await Bun.sleep(500)
  }

  waits(): number[] {
    return this.endpoints.flatMap(({ known }) => [...known.values()].map(({ wait }) => wait))
  }

  async audit() {
    const told = { messages: 0, letters: 0, delivered: 0, polled: 0, again: 0 }
    const wrong = { lost: [] as string[], renamed: [] as string[], twice: [] as string[] }
    for (const endpoint of this.endpoints) {
      const { known, letters, renamed } = endpoint
      const polled = await this.polled(endpoint)
      told.letters += letters
      wrong.renamed.push(...renamed)
      for (const key of this.keys) {
        const one = known.get(key)
        told.messages++
        told.again += one?.again ?? 0
        if (one?.delivered) told.delivered++
        else if (polled.has(key)) told.polled++
        else wrong.lost.push(`${key}, known as ${one?.id}`)
        const id = polled.get(key)
        if (one && id && id !== one.id) wrong.twice.push(`${key}: ${one.id} and ${id}`)
      }
      const ids = [...known.values()].map(({ id }) => id)
      if (new Set(ids).size < ids.length) wrong.twice.push('one id for two messages')
    }
    return { ...told, ...wrong }
  }

  /** The ids of the messages that an agent can poll, by ticket number. */
  private async polled({ token }: Endpoint): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    let cursor: string | null = null
    do {
      const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
      const path = `/api/v1/agents/self/messages?limit=50${query}`
      const { body } = await ask(this.server.url, token, 'GET', path)
      for (const { id, data } of body.data) found.set(data.ticket_number, id)
      cursor = body.page.next_cursor
    } while (cursor)
    return found
  }

  async close(): Promise<number> {
    const code = await this.server.end()
    for (const endpoint of this.endpoints) endpoint.close()
    return code
  }
}
