import { changeText } from './activity-words.ts'
import type { Row } from './comments.ts'

/** Activity that is shown as one line: what one actor did in one go, or a run of an agent. */
export interface Activity {
  kind: 'activity'
  /** Oldest first. */
  rows: readonly Row[]
}
/** Consecutive activity that is folded into a button. */
export interface Fold {
  kind: 'fold'
  entries: readonly Activity[]
}
export type Entry = { kind: 'comment'; row: Row } | Activity | Fold

/** Changes of one actor within this time are one line. */
const SAME_OCCASION_MS = 30 * 60_000
/** Of consecutive lines, these many stay visible. */
const VISIBLE = 3

const timeOf = ({ created_at }: Row) => Date.parse(created_at)

const nameOf = ({ actor }: Row) => actor?.agent_id ?? actor?.user_id

function isSameOccasion({ rows: [first, ...others] }: Activity, row: Row): boolean {
  const last = others.at(-1) ?? first!
  if (first!.run_id || row.run_id || nameOf(first!) !== nameOf(row)) return false
  if (first!.rule !== row.rule) return false
  return timeOf(row) - timeOf(last) <= SAME_OCCASION_MS
}

/** Puts the events of a run where its latest one is. */
function addToRun(entries: Entry[], row: Row): boolean {
  const index = entries.findIndex(
    (entry) => entry.kind === 'activity' && entry.rows[0]!.run_id === row.run_id,
  )
  if (index < 0) return false
  const [run] = entries.splice(index, 1) as [Activity]
  entries.push({ kind: 'activity', rows: [...run.rows, row] })
  return true
}

/** Groups comments and activity, oldest first, into what the list of a task shows. */
export function foldActivity(rows: readonly Row[]): Entry[] {
  const entries: Entry[] = []
  for (const row of rows) {
    const last = entries.at(-1)
    if (row.kind !== 'activity') entries.push({ kind: 'comment', row })
    else if (row.run_id && addToRun(entries, row)) continue
    else if (last?.kind === 'activity' && isSameOccasion(last, row))
      entries[entries.length - 1] = { kind: 'activity', rows: [...last.rows, row] }
    else entries.push({ kind: 'activity', rows: [row] })
  }
  return entries.flatMap((entry, index) => foldAt(entries, entry, index))
}

/** Replaces all but the last lines of consecutive activity by a fold at the first of them. */
function foldAt(entries: readonly Entry[], entry: Entry, index: number): Entry[] {
  if (entry.kind !== 'activity') return [entry]
  const isComment = ({ kind }: Entry) => kind === 'comment'
  const start = entries.findLastIndex((one, at) => at < index && isComment(one)) + 1
  const next = entries.findIndex((one, at) => at > index && isComment(one))
  const foldedEnd = (next < 0 ? entries.length : next) - VISIBLE
  // A fold of one line would take as much space as the line.
  if (index >= foldedEnd || foldedEnd - start < 2) return [entry]
  return index > start
    ? []
    : [{ kind: 'fold', entries: entries.slice(start, foldedEnd) as Activity[] }]
}

export const textOf = ({ type, summary = '' }: Row) => changeText(type, summary)

/**
 * What a line of activity says: each kind of change once, in its latest words, with the number of
 * times. A changed position alone does not matter when something else changed, too.
 */
export function summariesOf({ rows }: Activity): { text: string; times: number }[] {
  if (rows[0]!.run_id) return [{ text: textOf(rows.at(-1)!), times: 1 }]
  const byKind = Map.groupBy(rows, ({ type, changed, summary }) =>
    changed?.length ? `${type} ${changed}` : `${type} ${summary}`,
  )
  const kinds = [...byKind.entries()]
  const isPosition = ([kind]: (typeof kinds)[number]) => kind === 'task.updated rank'
  const important = kinds.filter((kind) => !isPosition(kind))
  return (important.length ? important : kinds).map(([, same]) => ({
    text: textOf(same.at(-1)!),
    times: same.length,
  }))
}
