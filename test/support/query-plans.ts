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
  if (!/^\s*(select|with|insert|update|delete)/i.test(sql)) return []
  const rows = database.prepare(`explain query plan ${sql}`).all() as { detail: string }[]
  return rows.map(({ detail }) => detail)
}

/** Tables with at least one row for each task. */
const LARGE = 'tasks|other|child|t|task_labels|task_assignees|task_fields|relations|leases|changes'

const SCAN = new RegExp(`^SCAN (${LARGE})\\b`)
const WHOLE_TEAM = new RegExp(`^SEARCH (${LARGE}) .*\\(team_id=\\?( AND status=\\?)?\\)$`)

/** Steps that visit every row of a large table, or every row of a team. */
export function unboundedSteps({ sql, steps }: Plan): string[] {
  // A query that only checks whether a row exists ends at the first one.
  if (/ limit \+?\?$/.test(sql) && !/ order by | count\(| join /.test(sql)) return []
  return steps.filter((step) => SCAN.test(step) || WHOLE_TEAM.test(step))
}
