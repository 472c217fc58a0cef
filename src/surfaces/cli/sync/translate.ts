import { taskLink } from '../../../import/source.ts'
import type { SyncState } from './base-file.ts'
import type { BoardSide, BoardTask } from './board-side.ts'
import type { Values } from './merge.ts'

const fold = (name: string) => name.trim().toLowerCase()

/** Expresses what a board has in the ids, names and titles that the files use. */
export class Translation {
  private readonly ids: Map<string, string>

  constructor(private readonly state: SyncState) {
    this.ids = new Map(Object.entries(state.tasks).map(([id, { key }]) => [key, id]))
  }

  idOf = (key: string): string | undefined => this.ids.get(key)

  add(key: string, id: string): void {
    this.ids.set(key, id)
  }

  /** `before` are the values in the files, whose names are used where they mean the same. */
  valuesOf(task: BoardTask, board: string, before: Values = {}): Values {
    const labels = listOf(before.labels)
    return {
      title: task.title,
      description: this.textOf(task.description ?? ''),
      column: this.columnOf(board, task, before.column),
      priority: task.priority,
      labels: task.labels.map(
        ({ name }) => labels.find((label) => fold(label) === fold(name)) ?? name,
      ),
      assignees: task.assignees.map((actor) => this.nameOf(actor, listOf(before.assignees))),
      due_date: task.due_date,
      parent: (task.parent !== null && this.idOf(task.parent)) || null,
      dependencies: task.relations.flatMap(({ relation_type, ticket_number }) =>
        relation_type === 'BlockedBy' ? (this.idOf(ticket_number) ?? []) : [],
      ),
      archived: false,
    }
  }

  columnOf(
    board: string,
    { section_id, section }: Pick<BoardTask, 'section' | 'section_id'>,
    before: unknown = undefined,
  ): string {
    const columns = Object.entries(this.state.boards[board]?.columns ?? {})
    const titles = columns.filter(([, id]) => id === section_id).map(([title]) => title)
    return titles.find((title) => title === before) ?? titles[0] ?? section
  }

  nameOf(
    { user_id, name }: { user_id?: number; name: string },
    before: readonly string[] = [],
  ): string {
    const people = Object.entries(this.state.people)
    const names = people.filter(([, id]) => id === user_id).map(([own]) => own)
    return names.find((own) => before.includes(own)) ?? names[0] ?? name
  }

  /** Links to tasks of the board become links to tasks of the files. */
  textOf(markdown: string): string {
    const text = markdown.replaceAll('\r\n', '\n').trim()
    return text.replace(/\]\((?:https?:\/\/[^()\s]+)?\/t\/([A-Z][A-Z0-9]*-\d+)\)/g, (link, key) => {
      const id = this.idOf(key)
      return id === undefined ? link : `](${taskLink(id)})`
    })
  }
}

const listOf = (value: unknown) => (Array.isArray(value) ? (value as readonly string[]) : [])

/** Learns which column of the board each column of the files is, by their titles. */
export function learnColumns(
  state: SyncState,
  board: string,
  titles: readonly string[],
  { columns }: BoardSide,
): void {
  const known = state.boards[board]!.columns
  for (const title of titles) {
    const same = columns.find((column) => fold(column.title) === fold(title))
    if (known[title] === undefined && same) known[title] = same.section_id
  }
}
