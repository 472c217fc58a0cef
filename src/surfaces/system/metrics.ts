import type { Counter, Histogram, Registry } from 'prom-client'
import type { Served } from '../door.ts'

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
}

interface Loaded {
  registry: Registry
  requests: Counter
  seconds: Histogram
}

/** Figures for Prometheus. The library is loaded by the first request, not at the start. */
export class Metrics {
  private loading: Promise<Loaded> | undefined

  constructor(private readonly readings: Readings) {}

  heard({ route, method, status, ms }: Served): void {
    void this.load().then(({ requests, seconds }) => {
      requests.inc({ route, method, status })
      seconds.observe({ route, method }, ms / 1000)
    })
  }

  async text(): Promise<Response> {
    const { registry } = await this.load()
    const headers = { 'content-type': registry.contentType }
    return new Response(await registry.metrics(), { headers })
  }

  private load(): Promise<Loaded> {
    this.loading ??= load(this.readings)
    return this.loading
  }
}

async function load({ waiting, commits, newest, streams }: Readings): Promise<Loaded> {
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
  return {
    registry,
    requests: new prom.Counter({
      name: 'cork_http_requests_total',
      help: 'Requests answered',
      labelNames: ['route', 'method', 'status'],
      registers,
    }),
    seconds: new prom.Histogram({
      name: 'cork_http_seconds',
      help: 'Seconds until a request was answered',
      labelNames: ['route', 'method'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
  }
}
