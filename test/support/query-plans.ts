import { Database } from 'bun:sqlite'

export interface Plan {
  sql: string
  /** The steps, as SQLite describes them. */
  steps: string[]
}

/** Returns the query plans of all statements that SQLite prepares while the job runs. */
export async function queryPlans(job: () => Promise<unknown>): Promise<Plan[]> {
  const prepare = Database.prototype.prepare
  const statements = new Map<string, Database>()
  Database.prototype.prepare = function (this: Database, sql: string, ...rest: never[]) {
    statements.set(sql, this)
    return prepare.call(this, sql, ...rest)
  } as typeof prepare
  try {
    await job()
  } finally {
    Database.prototype.prepare = prepare
  }
  return [...statements].map(([sql, database]) => ({ sql, steps: stepsOf(database, sql) }))
}

export function stepsOf(database: Database, sql: string): string[] {
  if (!/^\s*(select|with)/i.test(sql)) return []
  // An open statement can keep its connection at an old state, in which later reads see no writes.
  using statement = database.prepare(`explain query plan ${sql}`)
  return (statement.all() as { detail: string }[]).map(({ detail }) => detail)
}

/** Tables with few rows for each team or board. */
const FEW_ROWS = new Set(
  (
    'agents board_webhooks channels code_hosts custom_fields labels members my_views project_members ' +
    'projects repositories rules sections skills task_templates templates views webhooks'
  ).split(' '),
)
/** A row without a table, functions that list the ids they are given, and an index of words. */
const LISTS = ['CONSTANT', 'json_each', 'task_texts']

/** The columns of a search that do not narrow it to a few rows of a board. */
const WIDE_KEYS: string[] = ['team_id', 'project_id', 'status']

/**
 * The tables of a query plan from which more rows are visited, the larger a team or a board is: all
 * rows of a table or a team, or of a board if they are sorted or counted.
 */
export function growingTables({ sql, steps }: Plan): string[] {
  // Such a query has no rows, or ends at the first one.
  if (/ where false( |$)|^select max\([^()]*\) from "\w+"$/.test(sql)) return []
  if (/ limit \+?\?$/.test(sql) && !/ order by | count\(| join /.test(sql)) return []
  const subqueries = new Set([...sql.matchAll(/\) "(\w+)"/g)].map(([, name]) => name!))
  const visitsAll =
    /\bcount\(\*\)/.test(sql) ||
    steps.some((step) => /^USE TEMP B-TREE FOR (ORDER|GROUP)/.test(step))
  return steps.flatMap((step) => {
    const [, table, keys] = /^(?:SCAN|SEARCH) (\w+)(?:.*? \(([^)]*)\))?/.exec(step) ?? []
    if (!table || subqueries.has(table) || LISTS.includes(table)) return []
    const columns: string[] = keys?.match(/\w+(?=[<>=])/g) ?? []
    if (columns.length && FEW_ROWS.has(table)) return []
    if (columns.some((column) => !WIDE_KEYS.includes(column))) return []
    return columns.includes('project_id') && !visitsAll ? [] : [table]
  })
}
