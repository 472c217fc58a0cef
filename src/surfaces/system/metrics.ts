import type { Registry } from 'prom-client'
import type { ServedRequest } from '../gateway.ts'
import { type IndexState, indexMetrics } from './index-metrics.ts'

/** Values that are read when metrics are requested. */
export interface Readings {
  /** Writes that wait for the next commit. */
  waiting(): number
  /** Groups of writes committed since the process began. */
  commits(): number
  /** The place of the newest change in the log. */
  newest(): Promise<number>
  /** Replicas of the database, and the bytes that each lacks; undefined if it cannot be used. */
  replicas?(): Promise<{ name: string; lagBytes: number | undefined }[]>
  /** Live streams that are open. */
  streams(): number
  /** Messages that webhooks have yet to bring. */
  undelivered(): Promise<number>
  /** Seconds since the last backup; NaN if there is none. */
  backupAge?(): number
  /** The state of the search index, if there is one. */
  index?(): Promise<IndexState>
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The request counts and durations of one route and method. */
interface RouteStats {
  labels: string
  byStatus: Map<number, number>
  /** For each bound in SECONDS, the requests up to it that are above the bound before. */
  buckets: number[]
  count: number
  seconds: number
}

/**
 * Metrics for Prometheus. Requests are counted here. The library with the process metrics is loaded
 * when metrics are requested for the first time.
 */
export class Metrics {
  /** By route, then by method. */
  private readonly routes = new Map<string, Map<string, RouteStats>>()
  private loading: Promise<Registry> | undefined

  constructor(private readonly readings: Readings) {}

  record({ route, method, status, ms }: ServedRequest): void {
    const stats = this.statsFor(route, method)
    stats.byStatus.set(status, (stats.byStatus.get(status) ?? 0) + 1)
    const bucket = SECONDS.findIndex((limit) => ms <= limit * 1000)
    if (bucket >= 0) stats.buckets[bucket]!++
    stats.count++
    stats.seconds += ms / 1000
  }

  async text(): Promise<Response> {
    this.loading ??= load(this.readings)
    const registry = await this.loading
    const headers = { 'content-type': registry.contentType }
    const parts = [await registry.metrics(), this.requests(), await indexMetrics(this.readings)]
    return new Response(parts.join(''), { headers })
  }

  private statsFor(route: string, method: string): RouteStats {
    const methods = this.routes.get(route) ?? new Map<string, RouteStats>()
    const existing = methods.get(method)
    if (existing) return existing
    const labels = `route="${route}",method="${method}"`
    const buckets = SECONDS.map(() => 0)
    const stats = { labels, byStatus: new Map(), buckets, count: 0, seconds: 0 }
    this.routes.set(route, methods.set(method, stats))
    return stats
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
      '# HELP cork_http_seconds Seconds that requests took',
      '# TYPE cork_http_seconds histogram',
      ...routes.flatMap(histogram),
    ]
    return `${lines.join('\n')}\n`
  }
}

function histogram({ labels, buckets: within, count, seconds }: RouteStats): string[] {
  let cumulative = 0
  return [
    ...SECONDS.map((limit, index) => {
      cumulative += within[index]!
      return `cork_http_seconds_bucket{${labels},le="${limit}"} ${cumulative}`
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
  replicas,
  backupAge,
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
  gauge('cork_write_queue_waiting', 'Writes waiting for the next commit', waiting)
  gauge('cork_changes_seq', 'Position of the newest change in the log', newest)
  gauge('cork_webhook_messages', 'Webhook messages not delivered yet', undelivered)
  gauge('cork_streams', 'Open live streams', streams)
  if (backupAge)
    gauge('cork_backup_age_seconds', 'Time since the last backup; NaN if none is known', backupAge)
  if (replicas)
    new prom.Gauge({
      name: 'cork_replica_lag_bytes',
      help: 'Bytes of the write-ahead log that a replica lacks; NaN if it cannot be used',
      labelNames: ['replica'],
      registers,
      async collect() {
        for (const { name, lagBytes = Number.NaN } of await replicas())
          this.set({ replica: name }, lagBytes)
      },
    })
  new prom.Counter({
    name: 'cork_commits_total',
    help: 'Committed groups of writes',
    registers,
    collect() {
      this.reset()
      this.inc(commits())
    },
  })
  return registry
}
