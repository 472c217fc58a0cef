/**
 * A highly available PostgreSQL on this machine: three nodes with Patroni and synchronous
 * replication, three members of etcd, and HAProxy in front of the primary.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aptInstall } from '../apt.ts'
import { freePorts, type Processes } from './failover-processes.ts'

/** Patroni's timings in seconds. Newer versions of Patroni use a `ttl` of at least 20. */
export const TIMINGS = { ttl: 9, loop_wait: 2, retry_timeout: 3 }
/**
 * Both standbys confirm every commit. If only one did, the other could be ahead of it when it
 * becomes the primary, and writes would wait until the other is rewound.
 */
const SYNCHRONOUS = {
  ...{ synchronous_mode: true, synchronous_mode_strict: true, synchronous_node_count: 2 },
}
/**
 * Writes on a new primary wait until a standby follows it. A standby whose first attempt fails
 * tries again after this interval, 5 s by default.
 */
const PARAMETERS = { wal_keep_size: '512MB', wal_retrieve_retry_interval: '500ms' }
const REJOIN_TIMEOUT_MS = 120_000
const REQUEST_TIMEOUT_MS = 5000
const NODES = ['node1', 'node2', 'node3'] as const
const ETCD = ['etcd1', 'etcd2', 'etcd3'] as const

interface Member {
  name: string
  role: string
  state: string
  timeline?: number
  lag?: number | string
}

interface EtcdPorts {
  client: number
  peer: number
}

interface NodePorts {
  postgres: number
  rest: number
}

export class Cluster {
  private readonly etcd = new Map<string, EtcdPorts>()
  private readonly nodes = new Map<string, NodePorts>()
  private readonly proxyPort: number
  private readonly bin = postgresFolder()!

  private constructor(private readonly processes: Processes) {
    const ports = freePorts(2 * ETCD.length + 2 * NODES.length + 1)
    const next = () => ports.pop()!
    for (const name of ETCD) this.etcd.set(name, { client: next(), peer: next() })
    for (const name of NODES) this.nodes.set(name, { postgres: next(), rest: next() })
    this.proxyPort = next()
  }

  static async start(processes: Processes): Promise<Cluster> {
    await installPrograms()
    const cluster = new Cluster(processes)
    for (const name of ETCD) cluster.startEtcd(name)
    for (const name of NODES) cluster.startNode(name)
    cluster.startProxy()
    await cluster.waitUntilHealthy()
    return cluster
  }

  /** The address of a database on the primary, through HAProxy. */
  urlOf = (user: string, database: string): string =>
    `postgres://${user}@127.0.0.1:${this.proxyPort}/${database}`

  /** The address of a database on each node. */
  nodeUrls = (user: string, database: string): [string, string][] =>
    [...this.nodes].map(([name, { postgres }]) => [
      name,
      `postgres://${user}@127.0.0.1:${postgres}/${database}`,
    ])

  async primary(): Promise<string> {
    const leader = (await this.members()).find(({ role }) => role === 'leader')
    if (!leader) throw new Error('The cluster has no primary')
    return leader.name
  }

  /** Waits until one node leads and both others replicate from it synchronously. */
  async waitUntilHealthy(): Promise<void> {
    const isHealthy = async () => isComplete(await this.members())
    if (await succeedsWithin(REJOIN_TIMEOUT_MS, isHealthy)) return
    const logs = NODES.map((name) => `${name}:\n${this.processes.logOf(name).slice(-3000)}`)
    throw new Error(`The cluster did not become healthy.\n${logs.join('\n')}`)
  }

  async waitForPrimaryOtherThan(name: string): Promise<void> {
    const hasOther = async () => {
      const leader = (await this.members()).find(({ role }) => role === 'leader')
      return leader?.state === 'running' && leader.name !== name
    }
    if (!(await succeedsWithin(REJOIN_TIMEOUT_MS, hasOther)))
      throw new Error(`No other node replaced ${name}`)
  }

  killNode = (name: string): Promise<void> => this.processes.signal(name, 'SIGKILL')
  freezeNode = (name: string): Promise<void> => this.processes.signal(name, 'SIGSTOP')
  continueNode = (name: string): Promise<void> => this.processes.signal(name, 'SIGCONT')

  async switchover(leader: string): Promise<void> {
    const { rest } = this.nodes.get(leader)!
    const response = await fetch(`http://127.0.0.1:${rest}/switchover`, {
      ...{ method: 'POST', body: JSON.stringify({ leader }), signal: AbortSignal.timeout(60_000) },
    })
    if (!response.ok) throw new Error(`No switchover: ${await response.text()}`)
  }

  /** Returns the name of the member that was killed. */
  async killEtcdLeader(): Promise<string> {
    for (const [name, { client }] of this.etcd) {
      const status = await request(`http://127.0.0.1:${client}/v3/maintenance/status`, '{}')
      if (status?.leader !== status?.header.member_id) continue
      await this.processes.signal(name, 'SIGKILL')
      return name
    }
    throw new Error('etcd has no leader')
  }

  startEtcd(name: string): void {
    const { client, peer } = this.etcd.get(name)!
    const urlOf = (port: number) => `http://127.0.0.1:${port}`
    const all = [...this.etcd].map(([name, { peer }]) => `${name}=${urlOf(peer)}`)
    const options = {
      ...{ name, 'data-dir': 'data', 'initial-cluster': all.join() },
      ...{ 'listen-client-urls': urlOf(client), 'advertise-client-urls': urlOf(client) },
      ...{ 'listen-peer-urls': urlOf(peer), 'initial-advertise-peer-urls': urlOf(peer) },
      ...{ 'initial-cluster-state': 'new', 'enable-v2': true },
      ...{ logger: 'zap', 'log-level': 'error' },
    }
    this.processes.start(name, [
      'etcd',
      ...Object.entries(options).map(([option, value]) => `--${option}=${value}`),
    ])
  }

  /** Starts Patroni, which starts PostgreSQL and makes it follow the primary again. */
  startNode(name: string): void {
    const file = join(this.processes.folderOf(name), 'patroni.yml')
    writeFileSync(file, JSON.stringify(this.patroniSettings(name), null, 2))
    this.processes.start(name, ['patroni', file])
  }

  async restartProxy(): Promise<void> {
    await this.processes.signal('haproxy', 'SIGKILL')
    this.startProxy()
  }

  private startProxy(): void {
    const file = join(this.processes.folderOf('haproxy'), 'haproxy.cfg')
    const servers = [...this.nodes].map(
      ([name, { postgres, rest }]) =>
        `  server ${name} 127.0.0.1:${postgres} maxconn 100 check port ${rest}`,
    )
    writeFileSync(file, [PROXY_SETTINGS(this.proxyPort), ...servers, ''].join('\n'))
    this.processes.start('haproxy', ['haproxy', '-db', '-f', file])
  }

  private patroniSettings(name: string) {
    const { postgres, rest } = this.nodes.get(name)!
    const folder = this.processes.folderOf(name)
    const restAddress = `127.0.0.1:${rest}`
    const address = `127.0.0.1:${postgres}`
    return {
      ...{ scope: 'corkboard', name },
      restapi: { listen: restAddress, connect_address: restAddress },
      // A frozen Patroni 3.0.2 that goes on takes the lead back if it uses etcd3.
      etcd: { hosts: [...this.etcd.values()].map(({ client }) => `127.0.0.1:${client}`) },
      bootstrap: {
        dcs: {
          ...TIMINGS,
          ...SYNCHRONOUS,
          postgresql: { use_pg_rewind: true, parameters: PARAMETERS },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }, 'data-checksums'],
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
      postgresql: {
        ...{ listen: address, connect_address: address, bin_dir: this.bin },
        ...{ data_dir: join(folder, 'data'), pgpass: join(folder, 'pgpass') },
        authentication: {
          superuser: { username: 'postgres' },
          replication: { username: 'replicator' },
        },
        parameters: { unix_socket_directories: folder },
      },
    }
  }

  /** The members as the first node that answers sees them; none if no node answers. */
  private async members(): Promise<Member[]> {
    for (const { rest } of this.nodes.values()) {
      const answer = await request(`http://127.0.0.1:${rest}/cluster`)
      if (answer) return answer.members ?? []
    }
    return []
  }
}

const PROXY_SETTINGS = (port: number) => `defaults
  mode tcp
  timeout connect 3s
  timeout client 30m
  timeout server 30m
  timeout check 2s

listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms fall 3 rise 2 on-marked-down shutdown-sessions`

function isComplete(members: readonly Member[]): boolean {
  const roles = members.map(({ role }) => role).toSorted()
  const isOnePrimary = roles.join() === 'leader,sync_standby,sync_standby'
  const states = members.every(({ state }) => state === 'running' || state === 'streaming')
  const timelines = new Set(members.map(({ timeline }) => timeline))
  const haveCaughtUp = members.every(({ lag = 0 }) => Number(lag) < 1_000_000)
  return isOnePrimary && states && timelines.size === 1 && haveCaughtUp
}

/** The parsed answer; undefined if there is none. */
async function request(url: string, body?: string) {
  try {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    const response = await fetch(url, { signal, ...(body && { method: 'POST', body }) })
    return JSON.parse(await response.text())
  } catch {
    return undefined
  }
}

export async function succeedsWithin(
  limitMs: number,
  attempt: () => Promise<boolean>,
): Promise<boolean> {
  const deadline = performance.now() + limitMs
  for (;;) {
    if (await attempt()) return true
    if (performance.now() > deadline) return false
    await Bun.sleep(250)
  }
}

/** The folder with the newest server programs of Debian's packages. */
function postgresFolder(): string | undefined {
  const parent = '/usr/lib/postgresql'
  const versions = existsSync(parent) ? readdirSync(parent) : []
  return versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(parent, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'postgres')))
}

async function installPrograms(): Promise<void> {
  const isInstalled = () =>
    ['patroni', 'etcd', 'haproxy'].every((name) => Bun.which(name)) && postgresFolder()
  const packages = ['patroni', 'etcd-server', 'haproxy', 'postgresql']
  if (!isInstalled()) await aptInstall(...packages)
  if (!isInstalled()) throw new Error(`Install the packages ${packages.join(', ')} of Debian`)
}
