import { ne, notInArray, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '../kernel/caller.ts'
import { importedActors, imports } from './tables.ts'

/** Excludes rows of teams whose import is not published. */
export const isPublished = (tx: Tx, team_id: PgColumn): SQL =>
  notInArray(
    team_id,
    tx.select({ team_id: imports.team_id }).from(imports).where(ne(imports.state, 'published')),
  )

/** Excludes people and agents of imports that are not published. */
export const isPublishedActor = (tx: Tx, actor_id: PgColumn): SQL =>
  notInArray(actor_id, tx.select({ actor_id: importedActors.actor_id }).from(importedActors))
