import type { SharedFields } from '../../../import/file-writer.ts'

export type Field = keyof SharedFields
export type Value = SharedFields[Field]

export const FIELDS = [
  'title',
  'description',
  'column',
  'priority',
  'labels',
  'assignees',
  'due_date',
  'parent',
  'dependencies',
  'archived',
] as const satisfies readonly Field[]

/** The values of one side. A side that cannot tell a value leaves it out. */
export type Values = Partial<Record<Field, Value>>

/** What tells whether a value is still the same: the value, or a digest of a long one. */
export type Stamp = string | number | boolean | null | string[]
export type Stamps = Partial<Record<Field, Stamp>>

/**
 * The values of both sides after the last run. They can differ, because neither side can hold every
 * value of the other one.
 */
export interface Base {
  files: Stamps
  board: Stamps
}

export type Side = 'files' | 'board'

export interface FieldMerge {
  /** Fields that change on the board to the values of the files, and the other way round. */
  toBoard: Field[]
  toFiles: Field[]
  /** Changed differently on both sides. Nothing of them changes. */
  conflicts: Field[]
}

const MAX_TEXT = 200

/** Long texts become digests, so that the file with the base stays small. */
export function stampOf(value: Value): Stamp {
  if (Array.isArray(value)) return [...value].sort()
  if (typeof value !== 'string') return value as Stamp
  const text = value.replaceAll('\r\n', '\n').trim()
  return text.length > MAX_TEXT ? `#${Bun.hash(text).toString(36)}` : text
}

export const isSame = (a: Stamp | undefined, b: Stamp | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

/** The three-way merge of the fields of a task. A field without a base counts as unchanged. */
export function mergeFields(base: Base, files: Values, board: Values, prefer?: Side): FieldMerge {
  const merge: FieldMerge = { toBoard: [], toFiles: [], conflicts: [] }
  for (const field of FIELDS) {
    const [local, remote] = [files[field], board[field]]
    if (local === undefined) continue
    const isChangedInFiles = isChanged(base.files[field], local)
    const isChangedOnBoard = remote !== undefined && isChanged(base.board[field], remote)
    const isEqual = remote !== undefined && isSame(stampOf(local), stampOf(remote))
    if (isEqual || !(isChangedInFiles || isChangedOnBoard)) continue
    if (!isChangedOnBoard) merge.toBoard.push(field)
    else if (!isChangedInFiles) merge.toFiles.push(field)
    else if (prefer === undefined) merge.conflicts.push(field)
    else merge[prefer === 'files' ? 'toBoard' : 'toFiles'].push(field)
  }
  return merge
}

const isChanged = (base: Stamp | undefined, value: Value) =>
  base !== undefined && !isSame(base, stampOf(value))

/** Whether something of a side changed since the last run. */
export const hasChanged = (base: Stamps, values: Values): boolean =>
  FIELDS.some((field) => values[field] !== undefined && isChanged(base[field], values[field]))

/** What the next run compares with: the new values, except those of fields in conflict. */
export function nextBase(base: Base, files: Values, board: Values, open: readonly Field[]): Base {
  const next: Base = { files: { ...base.files }, board: { ...base.board } }
  for (const field of FIELDS) {
    if (open.includes(field)) continue
    if (files[field] !== undefined) next.files[field] = stampOf(files[field])
    if (board[field] !== undefined) next.board[field] = stampOf(board[field])
  }
  return next
}
