import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../../kernel/caller.ts'
import { digest } from '../../../../../kernel/dispatch.ts'
import type { PassageKind } from '../../../../../kernel/services.ts'
import type { LogPosition } from '../../../../../search/passage-index/types.ts'
import { lastSeq } from '../../../../../store/log.ts'
import { param, prepared } from '../../../../../store/prepared.ts'
import { changes } from '../../../../../store/tables.ts'

/** The last text that the initial scan has indexed. */
export interface ScanProgress {
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

/** A digest of the log entry at a position, which differs between databases. */
async function markOf(tx: Tx, seq: number): Promise<string> {
  if (!seq) return 'beginning'
  const [row] = await statement(tx).execute({ seq })
  return row ? digest(row) : 'nothing'
}

export const positionAt = async (tx: Tx, seq: number): Promise<LogPosition> => ({
  seq,
  mark: await markOf(tx, seq),
})

export const positionInScan = (
  { seq, mark }: LogPosition,
  { kind, id }: ScanProgress,
): LogPosition => ({
  seq,
  mark: `${mark} ${kind} ${id}`,
})

/** The current end of the log, from which changes are followed after a scan. */
export const newestPosition = async (tx: Tx): Promise<LogPosition> =>
  positionAt(tx, await lastSeq(tx))

/** Whether a position belongs to this database. */
export const isOfThisDatabase = async (tx: Tx, { seq, mark }: LogPosition): Promise<boolean> =>
  mark.split(' ')[0] === (await markOf(tx, seq))

/** The progress of an unfinished scan; undefined if the scan is complete. */
export function scanProgressOf({ mark }: LogPosition): ScanProgress | undefined {
  const [, kind, id] = mark.split(' ')
  return kind === undefined ? undefined : { kind: kind as PassageKind, id: Number(id) }
}
