import { ChangeSet } from '@codemirror/state'
import { and, asc, desc, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import type { TextRef } from './schema.ts'
import { textChanges } from './tables.ts'

export type TextChange = typeof textChanges.$inferSelect

const ofText = and(
  eq(textChanges.team_id, param('team_id')),
  eq(textChanges.kind, param('kind')),
  eq(textChanges.text_id, param('text_id')),
)

const statements = prepared((tx) => ({
  last: tx
    .select()
    .from(textChanges)
    .where(ofText)
    .orderBy(desc(textChanges.number))
    .limit(1)
    .prepare('text_changes_last'),
  since: tx
    .select()
    .from(textChanges)
    .where(and(ofText, gt(textChanges.number, param('number'))))
    .orderBy(asc(textChanges.number))
    .prepare('text_changes_since'),
  unsaved: tx
    .select()
    .from(textChanges)
    .where(and(ofText, isNotNull(textChanges.unsaved)))
    .orderBy(asc(textChanges.number))
    .prepare('text_changes_unsaved'),
}))

const keyOf = ({ team_id, kind, text_id }: TextRef) => ({ team_id, kind, text_id })

/** The last change of a text; undefined if nobody ever edited it together with others. */
export const lastChange = async (tx: Tx, ref: TextRef): Promise<TextChange | undefined> =>
  (await statements(tx).last.execute(keyOf(ref)))[0]

/** The changes after a number. */
export const changesAfter = (tx: Tx, ref: TextRef, number: number): Promise<TextChange[]> =>
  statements(tx).since.execute({ ...keyOf(ref), number })

export const unsavedChanges = (tx: Tx, ref: TextRef): Promise<TextChange[]> =>
  statements(tx).unsaved.execute(keyOf(ref))

export const parseUnsaved = ({ author_id, unsaved }: TextChange) => ({
  author_id,
  changes: ChangeSet.fromJSON(unsaved),
})

export const insertChanges = (tx: Tx, rows: TextChange[]) => tx.insert(textChanges).values(rows)

export const setUnsaved = (tx: Tx, row: TextChange, unsaved: ChangeSet | null) =>
  tx
    .update(textChanges)
    .set({ unsaved: unsaved?.toJSON() ?? null })
    .where(and(rowsOf(row), eq(textChanges.number, row.number)))

const rowsOf = ({ team_id, kind, text_id }: TextRef) =>
  and(
    eq(textChanges.team_id, team_id),
    eq(textChanges.kind, kind),
    eq(textChanges.text_id, text_id),
  )

/** How long saved changes stay, for clients that were offline. */
const KEEP_MS = 10 * 60_000

/** Deletes old saved changes of a text. The last one stays, because its number goes on. */
export async function pruneChanges(tx: Tx, ref: TextRef, now: Date): Promise<void> {
  const last = await lastChange(tx, ref)
  const before = new Date(now.getTime() - KEEP_MS)
  if (!last) return
  await tx
    .delete(textChanges)
    .where(
      and(
        rowsOf(ref),
        isNull(textChanges.unsaved),
        lt(textChanges.number, last.number),
        lt(textChanges.created_at, before),
      ),
    )
}

/** The texts with unsaved changes, with the times of the first and the last of them. */
export function unsavedTexts(tx: Tx) {
  const { team_id, kind, text_id, created_at } = textChanges
  return tx
    .select({
      ...{ team_id, kind, text_id },
      first: sql<Date>`min(${created_at})`.mapWith(created_at),
      last: sql<Date>`max(${created_at})`.mapWith(created_at),
    })
    .from(textChanges)
    .where(isNotNull(textChanges.unsaved))
    .groupBy(team_id, kind, text_id)
}
