import type { SourceFile } from './source.ts'

/** The fields of a task that files and boards share. People, parents and blockers are ids. */
export interface SharedFields {
  title: string
  /** Markdown, with `task:` links to other tasks. */
  description: string
  column: string
  /** From 1 urgent to 4 low, or 0 none. */
  priority: number
  labels: readonly string[]
  assignees: readonly string[]
  due_date: string | null
  parent: string | null
  /** The tasks that block this one. */
  dependencies: readonly string[]
  archived: boolean
}

export interface NewComment {
  author: string
  text: string
  created_at: string
}

export interface TaskChange {
  /** The id of the task, as the reader of the files gives it. */
  id: string
  set: Partial<SharedFields>
  /** The column of the task on its board, and whether it is done there. */
  column: string
  done: boolean
  addComments: readonly NewComment[]
  editComments: readonly { id: string; text: string }[]
  removeComments: readonly string[]
}

export interface NewTask {
  id: string
  /** The id of the board, as the reader gives it. */
  board: string
  fields: SharedFields
  done: boolean
  created_by: string
  created_at: string
  comments: readonly NewComment[]
}

/** Changes tasks in the text of files, and leaves everything else in them as it is. */
export interface FileWriter {
  /** The next free id of a board, below a parent if there is one. */
  newId(board: string, parent: string | null): string
  create(task: NewTask): void
  update(change: TaskChange): void
  remove(id: string): void
  /** The changed files; undefined for those that are no longer there. */
  changedFiles(): ReadonlyMap<string, string | undefined>
}

export interface FileFormat {
  /** Whether the files have comments. */
  hasComments: boolean
  open(
    files: readonly SourceFile[],
    options: {
      /** In ISO 8601. */
      now: string
      /** Ids that are not free, although no file has them. */
      taken: Iterable<string>
    },
  ): Promise<FileWriter>
}

/** The texts of files, of which some change. */
export class Texts {
  private readonly changed = new Map<string, string | undefined>()

  private constructor(private readonly original: ReadonlyMap<string, string>) {}

  static async of(files: readonly SourceFile[]): Promise<Texts> {
    const texts = new Map<string, string>()
    for (const file of files) {
      const text = decode(await file.bytes())
      if (text !== undefined) texts.set(file.path, text)
    }
    return new Texts(texts)
  }

  get(path: string): string | undefined {
    return this.changed.has(path) ? this.changed.get(path) : this.original.get(path)
  }

  set(path: string, text: string | undefined): void {
    if (text === this.original.get(path)) this.changed.delete(path)
    else this.changed.set(path, text)
  }

  paths(): string[] {
    return [...new Set([...this.original.keys(), ...this.changed.keys()])].filter(
      (path) => this.get(path) !== undefined,
    )
  }

  changes(): ReadonlyMap<string, string | undefined> {
    return this.changed
  }
}

/** The byte order mark stays in the text, so that it is written again. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The items of a list that are still wanted, then the new ones. */
export function editList<T>(
  items: readonly T[],
  wanted: readonly string[],
  idOf: (item: T) => string | undefined,
  create: (id: string) => T,
): T[] {
  const remaining = items.filter((item) => wanted.includes(idOf(item) ?? ''))
  const ids = new Set(remaining.map(idOf))
  return [...remaining, ...wanted.filter((id) => !ids.has(id)).map((id) => create(id))]
}

const OPEN = /^(to.?do|backlog|open|new|ready|next|pending|planned|inbox)\b/i
export type Progress = 'open' | 'active' | 'done'

/** How far a column is that the files have no word for. */
export const progressOf = (column: string, done: boolean): Progress =>
  done ? 'done' : OPEN.test(column) ? 'open' : 'active'

/** Splits a text before the headings with these titles, outside of code. */
export function splitSections(
  text: string,
  isTitle: (title: string) => boolean = () => true,
): { title: string | undefined; text: string }[] {
  const parts: { title: string | undefined; lines: string[] }[] = [{ title: undefined, lines: [] }]
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1]
    if (mark && (!fence || mark.startsWith(fence))) fence = fence ? undefined : mark
    const title = fence ? undefined : /^## +(.+?)[ \t]*$/.exec(line)?.[1]
    if (title !== undefined && isTitle(title)) parts.push({ title, lines: [] })
    else parts.at(-1)!.lines.push(line)
  }
  return parts.map(({ title, lines }) => ({ title, text: lines.join('\n').trim() }))
}
