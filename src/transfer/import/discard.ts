import { and, eq, getTableColumns, inArray, lt, ne, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { actors } from '../../features/identity/people/model/index.ts'
import { teams } from '../../features/identity/teams/model/index.ts'
import { tasks } from '../../features/tasks/tasks/model/index.ts'
import type { Clock, Tx } from '../../kernel/caller.ts'
import { removeTexts } from '../../store/fulltext.ts'
import { primaryKeyOf } from '../../store/scan.ts'
import type { OpenStore } from '../../store/store.ts'
import { importedActors, imports } from '../../store/tables.ts'
import { stagedTables } from '../tables.ts'
import { announceTasks } from './announce.ts'

type Store = Pick<OpenStore, 'read' | 'write'>

/** Rows per transaction. The size adapts so that a transaction takes about `TARGET_MS`. */
const BATCH = { initial: 50, min: 40, max: 1000 }
const TARGET_MS = 4
const MAX_PAUSE_MS = 15

/**
 * Finishes imports whose lease has expired: discards unpublished ones and writes the remaining tasks
 * of published ones to the change log.
 */
export async function endExpiredImports(
  store: Store,
  clock: Clock,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const expired = await store.read((tx) =>
    tx.select().from(imports).where(lt(imports.expires_at, clock())),
  )
  for (const { team_id, state } of expired)
    if (state !== 'published') await discard(store, team_id, isStopped)
    else while (!isStopped() && (await store.write((tx) => announceTasks(tx, team_id, clock()))));
}

/** Deletes all rows of an import that was not published, in short transactions. */
export async function discard(
  store: Store,
  team_id: number,
  isStopped: () => boolean = () => false,
): Promise<void> {
  // From here on the importing process can no longer renew its lease, so it writes nothing more.
  const claimed = await store.write((tx) =>
    tx
      .update(imports)
      .set({ state: 'discarded' })
      .where(and(eq(imports.team_id, team_id), ne(imports.state, 'published')))
      .returning({ team_id: imports.team_id }),
  )
  if (!claimed.length) return
  for (const table of stagedTables.toReversed()) {
    let batch = BATCH.initial
    for (let deleted = batch; deleted === batch && !isStopped(); ) {
      const startedAt = performance.now()
      const limit = batch
      deleted = await store.write((tx) => deleteBatch(tx, table, team_id, limit))
      const duration = performance.now() - startedAt
      if (deleted === limit) deleted = batch = nextBatch(batch, duration)
      await Bun.sleep(Math.min(duration, MAX_PAUSE_MS))
    }
  }
  if (!isStopped()) await store.write((tx) => deleteTeam(tx, team_id))
}

const nextBatch = (batch: number, duration: number) =>
  duration > TARGET_MS
    ? Math.max(BATCH.min, Math.floor(batch / 2))
    : Math.min(BATCH.max, Math.ceil(batch * 1.2))

/** Returns the number of deleted rows. */
async function deleteBatch(
  tx: Tx,
  table: PgTable,
  team_id: number,
  limit: number,
): Promise<number> {
  const key = primaryKeyOf(table)
  const batch = tx
    .select(Object.fromEntries(key.map((column) => [column.name, column])))
    .from(table)
    .where(eq(getTableColumns(table).team_id as PgColumn, team_id))
    .limit(limit)
  const deleted = await tx
    .delete(table)
    .where(sql`(${sql.join(key, sql`, `)}) in ${batch}`)
    .returning({ id: key[0]! })
  if (table === tasks)
    await removeTexts(
      tx,
      deleted.map(({ id }) => Number(id)),
    )
  return deleted.length
}

/** Deletes the rows that all others referred to: the actors, the team and the import itself. */
async function deleteTeam(tx: Tx, team_id: number): Promise<void> {
  const actorRows = await tx
    .select()
    .from(importedActors)
    .where(eq(importedActors.team_id, team_id))
  await tx.delete(importedActors).where(eq(importedActors.team_id, team_id))
  for (let from = 0; from < actorRows.length; from += BATCH.max) {
    const ids = actorRows.slice(from, from + BATCH.max).map(({ actor_id }) => actor_id)
    await tx.delete(actors).where(inArray(actors.actor_id, ids))
  }
  await tx.delete(teams).where(eq(teams.team_id, team_id))
  await tx.delete(imports).where(eq(imports.team_id, team_id))
}
