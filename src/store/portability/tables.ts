import type { PgTable } from 'drizzle-orm/pg-core'

/** Why something does not apply to a table, for readers of its declaration. */
export type Reason = string

/** What happens to the rows of a table outside its own database. Each table declares it. */
export interface Portability {
  /** Whether the lines of a team export carry its rows. `PortableRows` says which field is what. */
  exported: true | Reason
  /** Why backups leave it out. Without a reason they hold its rows. */
  unsaved?: Reason
  /**
   * Why no import holds rows of it before it is published. Without a reason, a table with a
   * `team_id` may have such rows: backups leave them out, and a discarded import deletes them.
   */
  unstaged?: Reason
}

const declarations = new Map<PgTable, Portability>()

export const declarePortability = (table: PgTable, portability: Portability): void =>
  void declarations.set(table, portability)

export const portabilityOf = (table: PgTable): Portability => declarations.get(table)!

/** The tables of all modules that are loaded. */
export const declaredTables = (): PgTable[] => [...declarations.keys()]
