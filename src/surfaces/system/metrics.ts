import type { Registry } from 'prom-client'
import type { Served } from '../door.ts'
import { type IndexState, indexText } from './passages.ts'

/** What is read when somebody asks. */
export interface Readings {
  /** Writes that wait for the next commit. */
  waiting(): number
  /** Groups of writes committed since the process began. */
  commits(): number
  /** The place of the newest change in the log. */
  newest(): Promise<number>
  /** Live streams that are open. */
  streams(): number
  /** Messages that webhooks have yet to bring. */
  undelivered(): Promise<number>
  /** Of what searches by meaning find, where there is such an index. */
  index?(): Promise<IndexState>
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What was answered on one route in one way. */
interface Answered {
  labels: string
  byStatus: Map<number, number>
  /** How many took no longer than each of SECONDS, and no longer than the one before. */
  within: number[]
  count: number
  seconds: number
}

/**
 * Figures for Prometheus. What happens with every request is counted here; the library that knows
 * the process is loaded when somebody asks for the first time.
 */
export class Metrics {
  /** By route, and by method within. */
  private readonly routes = new Map<string, Map<string, Answered>>()
  private loading: Promise<Registry> | undefined

  constructor(private readonly readings: Readings) {}

  heard({ route, method, status, ms }: Served): void {
    const answered = this.answered(route, method)
    answered.byStatus.set(status, (answered.byStatus.get(status) ?? 0) + 1)
    const bucket = SECONDS.findIndex((most) => ms <= most * 1000)
    if (bucket >= 0) answered.within[bucket]!++
    answered.count++
    answered.seconds += ms / 1000
  }

  async text(): Promise<Response> {
    this.loading ??= load(this.readings)
    const registry = await this.loading
    const headers = { 'content-type': registry.contentType }
    const parts = [await registry.metrics(), this.requests(), await indexText(this.readings)]
    return new Response(parts.join(''), { headers })
  }

  private answered(route: string, method: string): Answered {
    const methods = this.routes.get(route) ?? new Map<string, Answered>()
    const before = methods.get(method)
    if (before) return before
    const labels = `route="${route}",method="${method}"`
    const within = SECONDS.map(() => 0)
    const made = { labels, byStatus: new Map(), within, count: 0, seconds: 0 }
    this.routes.set(route, methods.set(method, made))
    return made
  }

  private requests(): string {
    const routes = [...this.routes.values()].flatMap((methods) => [...methods.values()])
    const lines = [
      '# HELP cork_http_requests_total Requests answered',
      '# TYPE cork_http_requests_total counter',
      ...routes.flatMap(({ labels, byStatus }) =>
        [...byStatus].map(
          ([status, n]) => `cork_http_requests_total{${labels},status="${status}"} ${n}`,
        ),
      ),
      '# HELP cork_http_seconds Seconds until a request was answered',
      '# TYPE cork_http_seconds histogram',
      ...routes.flatMap(histogram),
    ]
    return `${lines.join('\n')}\n`
  }
}

function histogram({ labels, within, count, seconds }: Answered): string[] {
  let so = 0
  return [
    ...SECONDS.map((most, at) => {
      so += within[at]!
      return `cork_http_seconds_bucket{${labels},le="${most}"} ${so}`
    }),
    `cork_http_seconds_bucket{${labels},le="+Inf"} ${count}`,
    `cork_http_seconds_sum{${labels}} ${seconds}`,
    `cork_http_seconds_count{${labels}} ${count}`,
  ]
}

async function load({
  waiting,
  commits,
  newest,
  streams,
  undelivered,
}: Readings): Promise<Registry> {
  const prom = await import('prom-client')
  const registry = new prom.Registry()
  const registers = [registry]
  prom.collectDefaultMetrics({ register: registry })
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new prom.Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read())
      },
    })
  gauge('cork_write_queue_waiting', 'Writes that wait for the next commit', waiting)
  gauge('cork_changes_seq', 'Place of the newest change in the log', newest)
  gauge('cork_webhook_messages', 'Messages that webhooks have yet to bring', undelivered)
  gauge('cork_streams', 'Live streams that are open', streams)
  new prom.Counter({
    name: 'cork_commits_total',
    help: 'Groups of writes committed',
    registers,
    collect() {
      this.reset()
      this.inc(commits())
    },
  })
  return registry
}
