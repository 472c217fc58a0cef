import type { Report } from '../../source.ts'
import { BoardColumns } from '../shared/board-columns.ts'

/** The statuses that a new project has, from left to right, and those that its board hides. */
const STATUSES = ['Backlog', 'To do', 'In progress', 'In review', 'Done', 'Cancelled']
const HIDDEN = new Set(['Backlog', 'Cancelled'])

/** A project in an export has no list of its statuses, only those of its issues. */
export function columnsOf(used: ReadonlySet<string>, report: Report): BoardColumns {
  const others = [...used].filter((status) => !STATUSES.includes(status))
  const known = STATUSES.filter(
    (status) => used.has(status) || (!others.length && !HIDDEN.has(status)),
  )
  const last = known.findIndex((status) => status === 'Done' || status === 'Cancelled')
  const middle = last < 0 ? known.length : last
  const names = [...known.slice(0, middle), ...others, ...known.slice(middle)]
  return new BoardColumns(
    names.map((name) => ({ id: name, name, isHidden: HIDDEN.has(name) })),
    report,
  )
}
