import type { BoardMapping, Mapping } from '../../../import/mapping.ts'

type ColumnMapping = BoardMapping['columns'][number]
type FieldMapping = BoardMapping['fields'][number]

/** A list in which some entry has other properties. */
const replace = <T extends object, K extends keyof T>(
  list: readonly T[],
  key: K,
  value: T[K],
  change: Partial<T>,
): T[] => list.map((entry) => (entry[key] === value ? { ...entry, ...change } : entry))

export const changeBoard = (mapping: Mapping, id: string, change: Partial<BoardMapping>) => ({
  ...mapping,
  boards: replace(mapping.boards, 'id', id, change),
})

export const changeColumn = (board: BoardMapping, from: string, change: Partial<ColumnMapping>) =>
  replace(board.columns, 'from', from, change)

export const changeField = (board: BoardMapping, from: string, change: Partial<FieldMapping>) =>
  replace(board.fields, 'from', from, change)

export const changePerson = (
  mapping: Mapping,
  id: string,
  user_id: Mapping['people'][number]['user_id'],
) => ({ ...mapping, people: replace(mapping.people, 'id', id, { user_id }) })

export const changePriority = (mapping: Mapping, from: string | number, priority: number) => ({
  ...mapping,
  priorities: replace(mapping.priorities, 'from', from, { priority }),
})

/** What may be typed as a key of a board: letters and digits, the first one a letter. */
export const toKey = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/^\d+/, '')
    .slice(0, 10)

/** The columns that would be merged with another one: those of the same title. */
export function mergedColumns({ columns }: BoardMapping): ReadonlySet<string> {
  const counts = Map.groupBy(columns, ({ title }) => title.trim())
  return new Set([...counts].flatMap(([title, { length }]) => (length > 1 ? [title] : [])))
}

const missingIn = <T>(before: readonly T[], list: readonly T[]): T[] => {
  const known = new Set(before.map((entry) => JSON.stringify(entry)))
  return list.filter((entry) => !known.has(JSON.stringify(entry)))
}

/** The entries of a mapping that differ from the proposal. */
export function editsOf(mapping: Mapping, proposal: Mapping): Mapping {
  const proposed = new Map(proposal.boards.map((board) => [board.id, board]))
  return {
    ...mapping,
    boards: mapping.boards.map((board) => ({
      ...board,
      columns: missingIn(proposed.get(board.id)?.columns ?? [], board.columns),
      fields: missingIn(proposed.get(board.id)?.fields ?? [], board.fields),
    })),
    people: missingIn(proposal.people, mapping.people),
    priorities: missingIn(proposal.priorities, mapping.priorities),
  }
}

/** A mapping whose texts are trimmed. What was cleared keeps the name of the source. */
export function withoutBlanks(mapping: Mapping): Mapping {
  const boards = mapping.boards.map(({ key, ...board }) => ({
    ...board,
    ...(key && { key }),
    title: board.title.trim() || board.id,
    columns: board.columns.map((one) => ({ ...one, title: one.title.trim() || one.from })),
    fields: board.fields.map((one) => ({ ...one, name: one.name.trim() || one.from })),
  }))
  return { ...mapping, boards }
}
