import type { ColumnRole } from './roles.ts'

/** A mapping in which a column has another role. A role of a task has one column. */
export function chooseRole(
  mapping: Readonly<Record<string, string>>,
  column: string,
  role: ColumnRole,
): Record<string, string> {
  const isShared = role === 'field' || role === 'ignore'
  const others = Object.entries(mapping).filter(([, one]) => isShared || one !== role)
  return { ...Object.fromEntries(others), [column]: role }
}
