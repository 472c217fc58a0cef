import { and, desc, eq } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { actorsOf, asActor } from '../../../identity/people/model/index.ts'
import type { Entry } from './schema.ts'
import type { Run } from './store.ts'
import { runEntries } from './tables.ts'

export type EntryRow = typeof runEntries.$inferSelect

const lastEntriesQuery = prepared((tx) =>
  tx
    .select()
    .from(runEntries)
    .where(and(eq(runEntries.team_id, param('team_id')), eq(runEntries.run_id, param('run_id'))))
    .orderBy(desc(runEntries.number))
    .limit(param('most'))
    .prepare('run_entries_tail'),
)

/** The last entries of a run, oldest first. */
export const lastEntries = async (tx: Tx, { team_id, run_id }: Run, limit: number) =>
  (await lastEntriesQuery(tx).execute({ team_id, run_id, most: limit })).reverse()

export async function entryRecords({ tx }: Context, rows: readonly EntryRow[]): Promise<Entry[]> {
  const authors = await actorsOf(
    tx,
    rows.map(({ author_id }) => author_id),
  )
  return rows.map(({ number, kind, text, author_id, at }) => ({
    number,
    kind,
    text,
    author: asActor(authors.get(author_id)!),
    at: at.toISOString(),
  }))
}
