import { and, eq, getTableColumns, inArray, lt, ne, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { actors } from '../features/people/index.ts'
import { tasks } from '../features/tasks/index.ts'
import { teams } from '../features/teams/index.ts'
import type { Clock, Tx } from '../kernel/caller.ts'
import { dropTexts } from '../store/fulltext.ts'
import type { OpenStore } from '../store/store.ts'
import { importedActors, imports } from '../store/tables.ts'
import { keyOf } from '../store/walk.ts'
import { followUp } from './follow-up.ts'
import { ofTeams } from './inventory.ts'

type Writing = Pick<OpenStore, 'read' | 'write'>

/** Rows of one transaction: as many as take about so many milliseconds. */
const BATCH = { first: 50, least: 40, most: 1000 }
const HOLD_MS = 4
const MOST_REST_MS = 15

/** Ends what imports left behind that nobody works on any more. */
export async function endImports(
  store: Writing,
  clock: Clock,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const left = await store.read((tx) =>
    tx.select().from(imports).where(lt(imports.expires_at, clock())),
  )
  for (const { team_id, state } of left)
    if (state !== 'published') await discard(store, team_id, isStopped)
    else while (!isStopped() && (await store.write((tx) => followUp(tx, team_id, clock()))));
}

/** Deletes all rows of an import that was not published, in short transactions. */
export async function discard(
  store: Writing,
  team_id: number,
  isStopped: () => boolean = () => false,
): Promise<void> {
  // From now on whoever imports is refused to write more.
  const mine = await store.write((tx) =>
    tx
      .update(imports)
      .set({ state: 'discarded' })
      .where(and(eq(imports.team_id, team_id), ne(imports.state, 'published')))
      .returning({ team_id: imports.team_id }),
  )
  if (!mine.length) return
  for (const table of ofTeams.toReversed()) {
    let batch = BATCH.first
    for (let gone = batch; gone === batch && !isStopped(); ) {
      const began = performance.now()
      const most = batch
      gone = await store.write((tx) => deleteSome(tx, table, team_id, most))
      const took = performance.now() - began
      if (gone === most) gone = batch = nextBatch(batch, took)
      await Bun.sleep(Math.min(took, MOST_REST_MS))
    }
  }
  if (!isStopped()) await store.write((tx) => deleteRest(tx, team_id))
}

const nextBatch = (batch: number, took: number) =>
  took > HOLD_MS
    ? Math.max(BATCH.least, Math.floor(batch / 2))
    : Math.min(BATCH.most, Math.ceil(batch * 1.2))

/** Answers how many rows it deleted. */
async function deleteSome(tx: Tx, table: PgTable, team_id: number, most: number): Promise<number> {
  const key = keyOf(table)
  const some = tx
    .select(Object.fromEntries(key.map((column) => [column.name, column])))
    .from(table)
    .where(eq(getTableColumns(table).team_id as PgColumn, team_id))
    .limit(most)
  const gone = await tx
    .delete(table)
    .where(sql`(${sql.join(key, sql`, `)}) in ${some}`)
    .returning({ id: key[0]! })
  if (table === tasks)
    await dropTexts(
      tx,
      gone.map(({ id }) => Number(id)),
    )
  return gone.length
}

/** What everything else referred to. */
async function deleteRest(tx: Tx, team_id: number): Promise<void> {
  const came = await tx.select().from(importedActors).where(eq(importedActors.team_id, team_id))
  await tx.delete(importedActors).where(eq(importedActors.team_id, team_id))
  for (let from = 0; from < came.length; from += BATCH.most) {
    const ids = came.slice(from, from + BATCH.most).map(({ actor_id }) => actor_id)
    await tx.delete(actors).where(inArray(actors.actor_id, ids))
  }
  await tx.delete(teams).where(eq(teams.team_id, team_id))
  await tx.delete(imports).where(eq(imports.team_id, team_id))
}
