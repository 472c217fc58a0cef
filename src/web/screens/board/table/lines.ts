import type { Group } from './grouping.ts'
import type { Row } from './types.ts'

/** A line of the table: a row, the head of a group, or the field for a new task. */
export type Line =
  | { type: 'row'; key: string; row: Row; group: Group | undefined }
  | { type: 'group'; key: string; group: Group }
  | { type: 'field'; key: string; group: Group | undefined }

interface Options {
  collapsed: ReadonlySet<string>
  /** The path of the group with the field for a new task; '' without groups. */
  adding: string | undefined
}

const rowLine = (row: Row, group: Group | undefined): Line => ({
  type: 'row',
  // A task with two labels is in two groups.
  key: `${group?.path ?? ''}#${row.card.task_id}`,
  row,
  group,
})

const fieldLine = (group: Group | undefined): Line => ({
  type: 'field',
  key: `${group?.path ?? ''}+`,
  group,
})

/** The lines below each other, without those in collapsed groups. */
export function linesOf(
  rows: readonly Row[],
  groups: readonly Group[] | undefined,
  options: Options,
): Line[] {
  if (groups) return groups.flatMap((group) => groupLines(group, options))
  const lines = rows.map((row) => rowLine(row, undefined))
  return options.adding === '' ? [...lines, fieldLine(undefined)] : lines
}

function groupLines(group: Group, options: Options): Line[] {
  const head: Line = { type: 'group', key: group.path, group }
  const field = options.adding === group.path ? [fieldLine(group)] : []
  if (options.collapsed.has(group.path)) return [head, ...field]
  const inside = group.groups.length
    ? group.groups.flatMap((part) => groupLines(part, options))
    : group.rows.map((row) => rowLine(row, group))
  return [head, ...inside, ...field]
}
