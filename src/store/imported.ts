import { ne, notInArray, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '../kernel/caller.ts'
import { importedActors, imports } from './tables.ts'

/** Rows of teams that are there for everybody, and not only being imported. */
export const published = (tx: Tx, team_id: PgColumn): SQL =>
  notInArray(
    team_id,
    tx.select({ team_id: imports.team_id }).from(imports).where(ne(imports.state, 'published')),
  )

/** The same of people and agents. */
export const publishedActors = (tx: Tx, actor_id: PgColumn): SQL =>
  notInArray(actor_id, tx.select({ actor_id: importedActors.actor_id }).from(importedActors))
