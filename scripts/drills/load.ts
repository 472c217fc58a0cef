/** Clients that create and claim tasks during failovers, and the answers that they got. */
import { agentOf, type Owner } from '../../test/binary/rest-callers.ts'
import { parseJson } from '../../test/support/json.ts'

const CREATORS = 24
const AGENTS = 8
/** Between two requests of a client, so that the clients do not use the whole machine. */
const PAUSE_MS = 100
const RETRY_MS = 250
const REQUEST_TIMEOUT_MS = 30_000
/** A request that is still refused then, long after the database is back, is a problem. */
const GIVE_UP_MS = 90_000
/** How many of the newest tasks the agents compete for. */
const CONTENDED = 100
/** A label that each board must have. */
export const LABEL = 'bug'
const LEASE_MS = 4 * 60 * 60_000

export interface Claim {
  task_id: number
  agent: string
  lease_id: string
  fencing_token: number
  claimedAt: number
  /** When the agent sent the release; until then no other agent may get the task. */
  releasedAt?: number
}

interface Client {
  name: string
  /** The number of its server. */
  server: number
  secret: string
}

interface Answer {
  status: number
  body: { message?: string; data?: Record<string, unknown> }
}

export class Load {
  /** Titles of the tasks whose creation or last change was acknowledged. */
  readonly titles = new Map<number, string>()
  readonly claims = new Map<string, Claim>()
  /** When writes were acknowledged in this round, by server. */
  acknowledgements: number[][] = []
  /** How many failed answers of each kind there were in this round. */
  failures = new Map<string, number>()
  slowestMs = 0
  problems: string[] = []
  writes = 0
  private newest: number[] = []
  private running: Promise<unknown> | undefined
  private isStopping = false
  private counter = 0

  private constructor(
    private readonly urls: string[],
    private readonly creators: readonly Client[],
    private readonly agents: readonly Client[],
    private readonly boards: readonly number[],
  ) {}

  static async open(urls: readonly string[], owner: Owner, boards: readonly number[]) {
    const creators = Array.from({ length: CREATORS }, (_, at) => ({
      ...{ name: `creator ${at}`, server: at % urls.length, secret: owner.api_key },
    }))
    const agents: Client[] = []
    for (let at = 0; at < AGENTS; at++) {
      const name = `Agent ${at}`
      const secret = await agentOf(urls[0]!, owner, name)
      agents.push({ name, server: at % urls.length, secret })
    }
    return new Load([...urls], creators, agents, boards)
  }

  start(): void {
    this.isStopping = false
    this.acknowledgements = this.urls.map(() => [])
    this.failures = new Map()
    this.problems = []
    this.slowestMs = 0
    this.writes = 0
    this.running = Promise.all([
      ...this.creators.map((client) => this.repeat(() => this.create(client))),
      ...this.agents.map((client) => this.repeat(() => this.work(client))),
    ])
  }

  /** From now on, the clients of a server send their requests to another address. */
  redirect(server: number, url: string): void {
    this.urls[server] = url
  }

  /** Resolves once every request is answered. */
  async stop(): Promise<void> {
    this.isStopping = true
    await this.running
  }

  private async repeat(step: () => Promise<void>): Promise<void> {
    while (!this.isStopping) {
      await step()
      await Bun.sleep(PAUSE_MS * (0.5 + Math.random()))
    }
  }

  private async create(client: Client): Promise<void> {
    const number = ++this.counter
    const title = `${client.name}, task ${number}`
    const project_id = this.boards[number % this.boards.length]
    const headers = { 'idempotency-key': `key of ${title}` }
    const body = { project_id, title, labels: [LABEL] }
    const answer = await this.send(client, 'POST', '/api/v1/tasks', body, headers)
    if (!answer) return
    // A repeated request gets the stored answer of the first one.
    if (answer.status !== 201) return this.report(client, `create ${title}`, answer)
    const task_id = Number(answer.body.data!.task_id)
    this.titles.set(task_id, title)
    this.newest = [...this.newest.slice(1 - CONTENDED), task_id]
  }

  /** Claims a task, changes it as its holder, and often releases it. */
  private async work(agent: Client): Promise<void> {
    const task_id = this.pickTask()
    if (task_id === undefined) return
    const path = '/api/mcp/tasks/lease/claim'
    const answer = await this.send(agent, 'POST', path, { task_id, ttl: LEASE_MS })
    if (!answer || answer.status === 409) return
    if (answer.status !== 200) return this.report(agent, `claim ${task_id}`, answer)
    const claim = this.remember(agent, task_id, answer.body.data!)
    await this.changeTitle(agent, claim)
    if (Math.random() < 0.6) await this.release(agent, claim)
  }

  /** Mostly a new task, but also one that somebody holds, so that a lost lease is noticed. */
  private pickTask(): number | undefined {
    const held = [...this.claims.values()].slice(-CONTENDED)
    const candidates = Math.random() < 0.3 ? held.map(({ task_id }) => task_id) : this.newest
    return candidates[Math.floor(Math.random() * candidates.length)]
  }

  /** A holder that claims again gets the same lease. */
  private remember(agent: Client, task_id: number, data: Record<string, unknown>): Claim {
    const { lease_id, fencing_token } = data as { lease_id: string; fencing_token: number }
    const before = this.claims.get(lease_id)
    if (before) return before
    const claimedAt = performance.now()
    const claim = { task_id, agent: agent.name, lease_id, fencing_token, claimedAt }
    this.claims.set(lease_id, claim)
    return claim
  }

  private async changeTitle(agent: Client, { task_id, lease_id, fencing_token }: Claim) {
    const title = `${agent.name} with token ${fencing_token}, change ${++this.counter}`
    const path = `/api/v1/tasks/${task_id}`
    const answer = await this.send(agent, 'PATCH', path, { title, lease_id })
    if (!answer) return
    if (answer.status !== 200) return this.report(agent, `change ${task_id} as holder`, answer)
    this.titles.set(task_id, title)
  }

  private async release(agent: Client, claim: Claim): Promise<void> {
    claim.releasedAt = performance.now()
    const path = '/api/mcp/tasks/lease/release'
    const answer = await this.send(agent, 'POST', path, { lease_id: claim.lease_id })
    // Not found: an earlier attempt released it, and somebody else has claimed the task since.
    if (answer && ![200, 404].includes(answer.status))
      this.report(agent, `release ${claim.task_id}`, answer)
  }

  private report({ name }: Client, what: string, { status, body }: Answer): void {
    this.problems.push(`${name}: ${what}: ${status} ${body?.message ?? ''}`)
  }

  /** Repeats a request as long as there is no answer or an answer of the class 5xx. */
  private async send(
    client: Client,
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer | undefined> {
    const deadline = performance.now() + GIVE_UP_MS
    while (performance.now() < deadline) {
      const startedAt = performance.now()
      const answer = await this.sendOnce(client, method, path, body, headers)
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt)
      if (typeof answer === 'object' && answer.status < 500) {
        if (answer.status < 300) this.acknowledgements[client.server]!.push(performance.now())
        this.writes += answer.status < 300 ? 1 : 0
        return answer
      }
      const kind = typeof answer === 'string' ? answer : `${answer.status} ${answer.body?.message}`
      this.failures.set(kind, (this.failures.get(kind) ?? 0) + 1)
      await Bun.sleep(RETRY_MS * (0.5 + Math.random()))
    }
    this.problems.push(`${client.name}: ${method} ${path} was refused for ${GIVE_UP_MS / 1000} s`)
    return undefined
  }

  private async sendOnce(
    { server, secret }: Client,
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer | string> {
    try {
      const response = await fetch(this.urls[server] + path, {
        ...{ method, body: JSON.stringify(body), signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) },
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          ...headers,
        },
      })
      return { status: response.status, body: parseJson(await response.text()) }
    } catch (error) {
      return `no answer (${(error as Error).name})`
    }
  }
}

/** Tasks that one agent claimed before the former holder released them. */
export function findDoubleClaims(claims: Iterable<Claim>): string[] {
  const byTask = Map.groupBy(claims, ({ task_id }) => task_id)
  return [...byTask].flatMap(([task_id, all]) => {
    const sorted = all.toSorted((a, b) => a.fencing_token - b.fencing_token)
    return sorted.flatMap((claim, at) => {
      const before = sorted[at - 1]
      if (!before) return []
      const isAfterRelease = before.releasedAt !== undefined && before.releasedAt < claim.claimedAt
      if (isAfterRelease && before.fencing_token < claim.fencing_token) return []
      return [
        `task ${task_id}: ${claim.agent} got token ${claim.fencing_token} while ${before.agent} held token ${before.fencing_token}`,
      ]
    })
  })
}
