import { eq } from 'drizzle-orm'
import type { Tx } from '../../../kernel/caller.ts'
import { digest } from '../../../kernel/dispatch.ts'
import type { PassageKind } from '../../../kernel/outside.ts'
import type { Place } from '../../../search/library/shelves.ts'
import { lastSeq } from '../../../store/log.ts'
import { param, prepared } from '../../../store/prepared.ts'
import { changes } from '../../../store/tables.ts'

/** How far the first walk through all texts has come. */
export interface Walked {
  kind: PassageKind
  id: number
}

const statement = prepared((tx) =>
  tx
    .select()
    .from(changes)
    .where(eq(changes.seq, param('seq')))
    .prepare('change_by_seq'),
)

/** What the log holds there, in short: another database holds something else. */
async function markAt(tx: Tx, seq: number): Promise<string> {
  if (!seq) return 'beginning'
  const [row] = await statement(tx).execute({ seq })
  return row ? digest(row) : 'nothing'
}

export const placeAt = async (tx: Tx, seq: number): Promise<Place> => ({
  seq,
  mark: await markAt(tx, seq),
})

export const inWalk = ({ seq, mark }: Place, { kind, id }: Walked): Place => ({
  seq,
  mark: `${mark} ${kind} ${id}`,
})

/** The end of the log as it is now, from which a walk through all texts is followed. */
export const newestPlace = async (tx: Tx): Promise<Place> => placeAt(tx, await lastSeq(tx))

/** Whether a place is one of this database. */
export const isHere = async (tx: Tx, { seq, mark }: Place): Promise<boolean> =>
  mark.split(' ')[0] === (await markAt(tx, seq))

/** Where the walk was; nothing where it has come to its end. */
export function walkedTo({ mark }: Place): Walked | undefined {
  const [, kind, id] = mark.split(' ')
  return kind === undefined ? undefined : { kind: kind as PassageKind, id: Number(id) }
}
