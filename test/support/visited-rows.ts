import { Client } from 'pg'

/** A query as the driver sends it. */
export interface Query {
  sql: string
  values: unknown[]
}

export interface Visits {
  /** The number of rows that the query visits in each table; infinite if it does not end. */
  visited: Map<string, number>
  /** The number of rows that it returns. */
  returned: number
}

type Config = { text: string; values?: unknown[]; rowMode?: string }

/**
 * Returns the distinct queries that are sent to PostgreSQL while the job runs, each with the first
 * values. A query that is sent again with the same values gets the same answer, unless something
 * was written in between: calls of one operation repeat most of their queries.
 */
export async function queriesOf(job: () => Promise<unknown>): Promise<Query[]> {
  const query = Client.prototype.query
  const sent = new Map<string, Query>()
  const answers = new Map<string, unknown>()
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const [first, second] = args as [Config | string, unknown]
    const config: Config = typeof first === 'string' ? { text: first } : first
    const values = Array.isArray(second) ? second : (config.values ?? [])
    const send = () => query.apply(this, args as never) as unknown
    const isQuery = /^\s*(select|with)\b/i.test(config.text)
    if (isQuery && !sent.has(config.text)) sent.set(config.text, { sql: config.text, values })
    if (!isQuery || LOCKS_ROWS.test(config.text)) {
      answers.clear()
      return send()
    }
    // The pool passes a callback, which nobody would call.
    if (typeof args.at(-1) === 'function') return send()
    const key = JSON.stringify([config.text, config.rowMode, values])
    const answer = answers.get(key) ?? send()
    answers.set(key, answer)
    return answer
  } as typeof query
  try {
    await job()
  } finally {
    Client.prototype.query = query
  }
  return [...sent.values()]
}

const LOCKS_ROWS = /\bfor (no key )?update\b/i
const CANCELLED = '57014'

/** Sends a query again, and counts the rows that it visits. */
export async function visitsOf(client: Client, query: Query): Promise<Visits> {
  try {
    const plan = await explain(client, 'analyze, timing off, format json', query)
    return { visited: visitedRows(plan), returned: plan['Actual Rows'] ?? 0 }
  } catch (error) {
    if ((error as { code?: string }).code !== CANCELLED) throw error
    const tables = [...visitedRows(await explain(client, 'format json', query)).keys()]
    return { visited: new Map(tables.map((table) => [table, Infinity])), returned: 0 }
  }
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  /** The mean of all loops. */
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

async function explain(client: Client, options: string, { sql, values }: Query) {
  const { rows } = await client.query(`explain (${options}) ${sql}`, values)
  return rows[0]['QUERY PLAN'][0].Plan as PlanNode
}

/** Adds the rows that the steps of a plan visit to those of their tables. */
function visitedRows(node: PlanNode, visited = new Map<string, number>()): Map<string, number> {
  const table = node['Relation Name']
  // A limit may end the scan early, but not the scan of the index before it.
  const rows = Math.max(rowsOf(node), bitmapRows(node))
  if (table) visited.set(table, (visited.get(table) ?? 0) + Math.round(rows))
  for (const child of node.Plans ?? []) visitedRows(child, visited)
  return visited
}

/** The index entries that were read for the bitmap of a scan. */
function bitmapRows({ Plans = [] }: PlanNode): number {
  const bitmaps = Plans.filter((child) => child['Node Type'].startsWith('Bitmap'))
  return bitmaps.reduce((total, child) => total + rowsOf(child) + bitmapRows(child), 0)
}

const rowsOf = (node: PlanNode): number =>
  (node['Actual Loops'] ?? 0) *
  ((node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0))
