/**
 * Rehearses failovers of PostgreSQL. Two servers use a cluster of three nodes (Patroni with
 * synchronous replication, etcd, HAProxy) while 32 clients create, claim and change tasks. In each
 * round something fails: the primary is killed, frozen or replaced, or etcd or HAProxy is killed.
 * No acknowledged write may be lost, and no task may have two holders.
 *
 *   npm run drill -- failover [--rounds 50]
 */
import { join } from 'node:path'
import { cork, type RunningServer, startServer } from '../../test/binary/cork.ts'
import type { Owner } from '../../test/binary/rest-callers.ts'
import { findInconsistencies, type Query } from '../../test/crash/audit.ts'
import { build, isStale } from '../build.ts'
import { Cluster, succeedsWithin, TIMINGS } from './failover-cluster.ts'
import { EventStream, findMissedEvents } from './failover-events.ts'
import { Processes } from './failover-processes.ts'
import { findDoubleClaims, Load } from './load.ts'
import {
  connect,
  createBoards,
  findDuplicates,
  findLostClaims,
  findLostTasks,
  longestPause,
} from './load-audit.ts'

const SERVERS = 2
/** How long the clients work before the failure, and again after its repair. */
const LOAD_MS = 2000
const MAX_PAUSE_MS = 15_000

/** Each causes a failure, waits until the others have taken over, and repairs it. */
const FAULTS: Record<string, (cluster: Cluster, primary: string) => Promise<void>> = {
  async 'primary killed'(cluster, primary) {
    await cluster.killNode(primary)
    await cluster.waitForPrimaryOtherThan(primary)
    cluster.startNode(primary)
  },
  /** As if the network of the primary was cut: when it goes on, it believes that it leads. */
  async 'primary frozen'(cluster, primary) {
    await cluster.freezeNode(primary)
    await Bun.sleep((TIMINGS.ttl + 5) * 1000)
    await cluster.waitForPrimaryOtherThan(primary)
    await cluster.continueNode(primary)
  },
  switchover: (cluster, primary) => cluster.switchover(primary),
  async 'etcd leader killed'(cluster) {
    const member = await cluster.killEtcdLeader()
    await Bun.sleep(5000)
    cluster.startEtcd(member)
  },
  'HAProxy restarted': (cluster) => cluster.restartProxy(),
}

interface Round {
  fault: string
  writes: number
  lost: number
  doubleClaims: number
  /** The longest time without an acknowledged write on either server. */
  pauseMs: number
  slowestMs: number
  failures: Map<string, number>
  problems: string[]
}

class FailoverDrill {
  private rounds = 0

  private constructor(
    private readonly cluster: Cluster,
    private readonly servers: readonly RunningServer[],
    private readonly load: Load,
    private readonly streams: readonly EventStream[],
  ) {}

  static async open(processes: Processes): Promise<FailoverDrill> {
    const cluster = await Cluster.start(processes)
    await createDatabase(cluster)
    const env = serverEnv(cluster)
    const owner = await createOwner(processes, env)
    const servers: RunningServer[] = []
    for (let at = 1; at <= SERVERS; at++) {
      const launcher = processes.launcher(`cork${at}`)
      const data = join(processes.folderOf(`cork${at}`), 'data')
      servers.push(await startServer(data, { env, launcher }))
    }
    const urls = servers.map(({ url }) => url)
    const boards = await createBoards(urls[0]!, owner)
    const streams = await Promise.all(urls.map((url) => EventStream.open(url, owner.api_key)))
    const load = await Load.open(urls, owner, boards)
    return new FailoverDrill(cluster, servers, load, streams)
  }

  async round(): Promise<Round> {
    const names = Object.keys(FAULTS)
    const fault = names[this.rounds++ % names.length]!
    this.load.start()
    await Bun.sleep(LOAD_MS)
    const primary = await this.cluster.primary()
    const failedAt = performance.now()
    await FAULTS[fault]!(this.cluster, primary)
    await this.cluster.waitUntilHealthy()
    await Bun.sleep(LOAD_MS)
    const endedAt = performance.now()
    await this.load.stop()
    const { acknowledgements, writes, slowestMs, failures } = this.load
    const pauses = acknowledgements.map((times) => longestPause(times, failedAt, endedAt))
    const result = await this.inspect()
    return {
      ...{ fault, writes, slowestMs, failures: new Map(failures) },
      ...{ pauseMs: Math.max(...pauses), ...result },
    }
  }

  private async inspect(): Promise<Pick<Round, 'lost' | 'doubleClaims' | 'problems'>> {
    const { load, cluster } = this
    const { query, close } = await connect(cluster.urlOf('cork', 'corkboard'))
    const lost = [...(await findLostTasks(query, load)), ...(await findLostClaims(query, load))]
    const doubled = findDoubleClaims(load.claims.values())
    const problems = [
      ...[...load.problems, ...lost, ...doubled, ...(await findDuplicates(query))],
      ...(await this.findDifferentNodes(query)),
      ...(await findMissedEvents(query, this.streams)),
      ...(await this.findUnreadyServers()),
    ]
    await close()
    return { lost: lost.length, doubleClaims: doubled.length, problems }
  }

  /** All traces of half-done writes. */
  async audit(): Promise<string[]> {
    const { query, close } = await connect(this.cluster.urlOf('cork', 'corkboard'))
    const problems = await findInconsistencies(query, false)
    await close()
    return problems
  }

  /** The replicas must have the same tasks as the primary, also the node that failed. */
  private async findDifferentNodes(query: Query): Promise<string[]> {
    const sql = 'select count(*), sum(task_id), sum(length(title)) from tasks'
    const [expected] = await query(sql)
    const problems: string[] = []
    for (const [name, url] of this.cluster.nodeUrls('cork', 'corkboard')) {
      const node = await connect(url)
      const isEqual = async () => Bun.deepEquals((await node.query(sql))[0], expected)
      if (!(await succeedsWithin(20_000, isEqual))) problems.push(`${name} has other tasks`)
      await node.close()
    }
    return problems
  }

  private async findUnreadyServers(): Promise<string[]> {
    const problems: string[] = []
    for (const [at, { url }] of this.servers.entries()) {
      const isReady = async () => (await fetch(`${url}/readyz`)).ok
      if (!(await succeedsWithin(20_000, () => isReady().catch(() => false))))
        problems.push(`server ${at + 1} is not ready`)
    }
    return problems
  }

  async close(): Promise<void> {
    for (const stream of this.streams) stream.stop()
    await Promise.all(this.servers.map((server) => server.end()))
  }
}

const serverEnv = (cluster: Cluster) => ({
  DATABASE_URL: cluster.urlOf('cork', 'corkboard'),
  CORK_SECRET: 'a secret that only this drill knows',
  // High limits instead of none, so that the servers count requests in the database.
  CORK_RATE_LIMIT_BASE: '1000000',
  CORK_RATE_LIMIT_AGENT: '1000000',
})

async function createDatabase(cluster: Cluster): Promise<void> {
  const { query, close } = await connect(cluster.urlOf('postgres', 'postgres'))
  await query('create role cork login')
  await query("create database corkboard owner cork encoding 'UTF8' template template0")
  await close()
}

async function createOwner(processes: Processes, env: Record<string, string>): Promise<Owner> {
  const flags = ['--email', 'ada@example.com', '--name', 'Ada', '--team', 'Harbour', '--json']
  const data = join(processes.folderOf('init'), 'data')
  const { out, err, code } = await cork(['init', ...flags, '--data', data], { env })
  if (code !== 0) throw new Error(`cork init failed: ${err}`)
  return JSON.parse(out)
}

function formatRound(number: number, round: Round): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const failures = [...round.failures.values()].reduce((sum, count) => sum + count, 0)
  return [
    `round ${number}, ${round.fault}: ${round.writes} writes`,
    `${round.lost} lost, ${round.doubleClaims} double claims`,
    `${failures} requests failed, the slowest after ${seconds(round.slowestMs)}`,
    `writes paused for ${seconds(round.pauseMs)}`,
  ].join(', ')
}

async function runRounds(rehearsal: FailoverDrill, rounds: number): Promise<Round[]> {
  const done: Round[] = []
  while (done.length < rounds) {
    const round = await rehearsal.round()
    done.push(round)
    console.log(formatRound(done.length, round))
    for (const problem of round.problems.slice(0, 20)) console.log(`  ${problem}`)
  }
  return done
}

function printFailures(rounds: readonly Round[]): void {
  const sums = new Map<string, number>()
  for (const { failures } of rounds)
    for (const [kind, count] of failures) sums.set(kind, (sums.get(kind) ?? 0) + count)
  for (const [kind, count] of [...sums].toSorted(([, a], [, b]) => b - a))
    console.log(`${count} × ${kind}`)
}

/** Runs the drill and prints its result. Returns whether nothing was lost, doubled or too slow. */
export async function drill(rounds: number): Promise<boolean> {
  if (isStale()) await build()
  const processes = new Processes()
  try {
    const rehearsal = await FailoverDrill.open(processes)
    const done = await runRounds(rehearsal, rounds)
    const traces = await rehearsal.audit()
    await rehearsal.close()
    for (const trace of traces) console.log(`  ${trace}`)
    printFailures(done)
    const sum = (value: (round: Round) => number) => done.reduce((all, one) => all + value(one), 0)
    const pauseMs = Math.max(...done.map((round) => round.pauseMs))
    const problems = sum((round) => round.problems.length) + traces.length
    console.log(
      `${rounds} failures: ${sum((round) => round.writes)} writes acknowledged, ${sum((round) => round.lost)} lost, ${sum((round) => round.doubleClaims)} double claims, writes resumed after ${(pauseMs / 1000).toFixed(1)} s at most, ${problems} problems`,
    )
    return problems === 0 && pauseMs <= MAX_PAUSE_MS
  } finally {
    await processes.stop()
  }
}
