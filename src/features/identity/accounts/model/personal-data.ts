import { and, asc, eq, gt, lte, max } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { SOURCES, type Source } from './personal-sources.ts'

/** Ids of a long table that one page looks at, so that no page takes long. */
const WINDOW = 500

/** Where the next page begins: in which table, and after which id. */
export interface Position {
  source: number
  after: number
}

export interface PersonalRecord {
  kind: string
  data: Record<string, unknown>
}

/** Reads the next records about a person. `next` is null after the last page. */
export async function readPersonalData(tx: Tx, actor_id: number, from: Position) {
  const records: PersonalRecord[] = []
  for (let at = from.source, { after } = from; at < SOURCES.length; at++, after = 0) {
    const source = SOURCES[at]!
    const { rows, isLast } = await readWindow(tx, source, actor_id, after)
    for (const row of rows) records.push({ kind: source.kind, data: withTimes(row) })
    if (!isLast) return { records, next: { source: at, after: after + WINDOW } }
  }
  return { records, next: null }
}

async function readWindow(
  tx: Tx,
  { person, id, fields }: Source,
  actor_id: number,
  after: number,
): Promise<{ rows: Record<string, unknown>[]; isLast: boolean }> {
  const { table } = person
  const ofPerson = eq(person, actor_id)
  if (!id) return { rows: await tx.select(fields).from(table).where(ofPerson), isLast: true }
  const isInside = and(gt(id, after), lte(id, after + WINDOW))
  const rows = await tx.select(fields).from(table).where(and(isInside, ofPerson)).orderBy(asc(id))
  const [newest] = await tx.select({ id: max(id) }).from(table)
  return { rows, isLast: Number(newest?.id ?? 0) <= after + WINDOW }
}

const withTimes = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]),
  )
