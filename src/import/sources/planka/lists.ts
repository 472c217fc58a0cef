import type { Report } from '../../source.ts'
import { BoardColumns } from '../shared/board-columns.ts'
import { type Json, objectsOf, sortedBy, stringOf } from '../shared/json.ts'

/** Where the cards of a list are. Lists of Planka 1 have no type. */
export class Lists {
  readonly columns: BoardColumns
  private readonly types: Map<string, string>

  constructor(included: Json, report: Report) {
    const lists = objectsOf(included.lists).filter(({ id }) => stringOf(id))
    this.types = new Map(lists.map(({ id, type }) => [stringOf(id), stringOf(type)]))
    const shown = sortedBy(lists, 'position').filter(({ id }) => !this.isEndless(stringOf(id)))
    this.columns = new BoardColumns(
      shown.map(({ id, name, type }) => ({
        id: stringOf(id),
        name: stringOf(name),
        ...(type === 'closed' && { isDone: true }),
      })),
      report,
    )
    this.columns.fallback()
  }

  private isEndless(list: string): boolean {
    return this.types.get(list) === 'archive' || this.types.get(list) === 'trash'
  }

  isTrash(list: string): boolean {
    return this.types.get(list) === 'trash'
  }

  isArchive(list: string): boolean {
    return this.types.get(list) === 'archive'
  }

  isClosed(list: string): boolean {
    return this.types.get(list) === 'closed'
  }

  /** The column of a card; an archived card returns to the list that it was in before. */
  columnOf({ listId, prevListId }: Json): string {
    const { titles } = this.columns
    const title = titles.get(stringOf(listId)) ?? titles.get(stringOf(prevListId))
    return title ?? this.columns.fallback()
  }
}
