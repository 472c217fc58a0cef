/** A Citus cluster on this machine, and the distribution of Corkboard's tables over its workers. */
import { Client, type DatabaseError } from 'pg'
import type { Statement } from '../bench/statement-recorder.ts'
import { type Cluster, startPostgres } from '../postgres.ts'

const WORKERS = 2
const SETTINGS = [
  'shared_preload_libraries=citus',
  // All nodes are on this machine, so their connections need no encryption.
  'citus.node_conninfo=sslmode=disable',
]

/** Runs a job on a connection of its own. */
export async function withClient<T>(url: string, job: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url)
  await client.connect()
  return job(client).finally(() => client.end())
}

export class CitusCluster {
  private constructor(private readonly nodes: readonly Cluster[]) {}

  static async start(): Promise<CitusCluster> {
    const nodes: Cluster[] = []
    while (nodes.length <= WORKERS)
      nodes.push(await startPostgres({ durable: true, settings: SETTINGS }))
    return new CitusCluster(nodes)
  }

  /** Creates a database on every node. Returns its address on the coordinator. */
  async createDatabase(name: string): Promise<string> {
    const urls: string[] = []
    for (const { url } of this.nodes) {
      await withClient(url, (client) => client.query(`create database ${name}`))
      const database = Object.assign(new URL(url), { pathname: name }).href
      await withClient(database, (client) => client.query('create extension citus'))
      urls.push(database)
    }
    const [coordinator, ...workers] = urls.map((url) => new URL(url).port)
    await withClient(urls[0]!, async (client) => {
      await client.query(`select citus_set_coordinator_host('127.0.0.1', ${coordinator})`)
      for (const port of workers) await client.query(`select citus_add_node('127.0.0.1', ${port})`)
    })
    return urls[0]!
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()))
  }
}

/** All tables. Those with a team in every row are to be distributed, except the list of teams. */
const TABLES = `select relname as name, relname <> 'teams' and exists (
    select from pg_attribute where attrelid = c.oid and attname = 'team_id' and attnotnull
  ) as "hasTeam"
  from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`

interface Table {
  name: string
  hasTeam: boolean
}

interface ForeignKey {
  name: string
  child: string
  parent: string
  def: string
}

/** Unique keys without the team. `def` defines the constraint, or the index if there is none. */
const KEYS = `select indrelid::regclass::text as table, indexrelid::regclass::text as name,
    conname is not null as "isConstraint",
    coalesce(pg_get_constraintdef(k.oid), pg_get_indexdef(indexrelid)) as def
  from pg_index left join pg_constraint k on conindid = indexrelid and contype in ('p', 'u')
  where indisunique and indrelid::regclass::text = any ($1) and not exists (
    select from pg_attribute
    where attrelid = indrelid and attname = 'team_id' and attnum = any (indkey))`

const FOREIGN_KEYS = `select conname as name, conrelid::regclass::text as child,
    confrelid::regclass::text as parent, pg_get_constraintdef(oid) as def
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1`

/** What Citus refused, by its message without the names of tables and columns. */
export type Refusals = Map<string, string[]>

function addRefusal(refusals: Refusals, name: string, error: unknown): void {
  const { message, detail } = error as DatabaseError
  const reason = [message, detail]
    .filter(Boolean)
    .join(': ')
    .replace(/"[^"]+"/g, '…')
  refusals.set(reason, [...(refusals.get(reason) ?? []), name])
}

/** Tries to distribute each table. Returns the refusals. */
async function tryEach(client: Client, tables: Iterable<string>): Promise<Refusals> {
  const refusals: Refusals = new Map()
  for (const name of tables) {
    await client.query('begin')
    const sql = `select create_distributed_table('${name}', 'team_id')`
    await client.query(sql).catch((error) => addRefusal(refusals, name, error))
    await client.query('rollback')
  }
  return refusals
}

/**
 * Adds the team to every unique and foreign key of the tables of a team, distributes these by team,
 * and makes the others reference tables. Reports what Citus refuses before and after each step.
 */
export const distribute = (
  url: string,
  report?: (step: string, refusals: Refusals) => void,
): Promise<void> =>
  withClient(url, async (client) => {
    const { rows: tables } = await client.query<Table>(TABLES)
    const ofTeam = new Set(tables.filter(({ hasTeam }) => hasTeam).map(({ name }) => name))
    const reportRefusals = async (step: string) =>
      report?.(`${ofTeam.size} tables of a team, ${step}`, await tryEach(client, ofTeam))
    await reportRefusals('as they are')
    const { rows: foreignKeys } = await client.query<ForeignKey>(FOREIGN_KEYS)
    for (const { child, name } of foreignKeys)
      await client.query(`alter table ${child} drop constraint ${name}`)
    await reportRefusals('without foreign keys')
    await addTeamToKeys(client, [...ofTeam])
    const refusals: Refusals = new Map()
    const attempt = (name: string, sql: string) =>
      client.query(sql).catch((error) => addRefusal(refusals, name, error))
    for (const { name } of tables)
      if (ofTeam.has(name))
        await attempt(name, `select create_distributed_table('${name}', 'team_id')`)
      else await attempt(name, `select create_reference_table('${name}')`)
    for (const { name, child, parent, def } of foreignKeys) {
      const hasTeam = ofTeam.has(child) && ofTeam.has(parent)
      const key = hasTeam ? def.replaceAll('(', '(team_id, ') : def
      await attempt(name, `alter table ${child} add constraint ${name} ${key}`)
    }
    const others = tables.length - ofTeam.size
    const all = `${ofTeam.size} tables of a team, ${others} others and ${foreignKeys.length} foreign keys`
    report?.(`${all}, with the team in every key`, refusals)
  })

async function addTeamToKeys(client: Client, tables: readonly string[]): Promise<void> {
  const { rows } = await client.query(KEYS, [tables])
  for (const { table, name, isConstraint, def } of rows) {
    const key = def.replace('(', '(team_id, ')
    await client.query(
      isConstraint
        ? `alter table ${table} drop constraint ${name}, add constraint ${name} ${key}`
        : `drop index ${name}; ${key}`,
    )
  }
}

export interface Plans {
  total: number
  /** Those that Citus sends to more than one shard. */
  toSeveralShards: number
  refusals: Refusals
}

/** Lets Citus plan each statement, with the values of its last use, without running it. */
export const planStatements = (url: string, statements: readonly Statement[]): Promise<Plans> =>
  withClient(url, async (client) => {
    const distinct = new Map(statements.map(({ text, values }) => [text, values ?? []]))
    const plans: Plans = { total: 0, toSeveralShards: 0, refusals: new Map() }
    for (const [text, values] of distinct) {
      if (!/^\s*(select|insert|update|delete|with)\b/i.test(text)) continue
      plans.total++
      try {
        const { rows } = await client.query(`explain (format json) ${text}`, values)
        const counts = JSON.stringify(rows).matchAll(/"Task Count":(\d+)/g)
        if ([...counts].some(([, count]) => Number(count) > 1)) plans.toSeveralShards++
      } catch (error) {
        addRefusal(plans.refusals, text, error)
      }
    }
    return plans
  })
