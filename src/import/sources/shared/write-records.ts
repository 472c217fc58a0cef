import type { Board, ImportRecord, RecordKind } from '../../record.ts'
import type { Report } from '../../source.ts'
import type { People } from './people.ts'
import type { Relations } from './relations.ts'
import { cut, fitText } from './texts.ts'
import { type Entry, inTreeOrder } from './tree.ts'

export interface Contents {
  origin: { id: string; title: string }
  people: People
  boards: Board[]
  entries: Entry[]
  relations: Relations
}

const MAX_ID = 500
const MAX_KEY = 50

/** All records in the order in which they are written. Of two with one id, the first counts. */
export function* writeRecords(contents: Contents, report: Report): Generator<ImportRecord> {
  const { origin, people, boards, entries, relations } = contents
  yield { origin: { id: cut(origin.id, MAX_ID), title: cut(origin.title, MAX_ID) } }
  for (const person of people.list()) yield { person }
  const ids = new Ids(report)
  for (const board of boards) {
    if (board.description) board.description = fitText(board.description, board.title, report)
    if (ids.add('board', board.id)) yield { board }
  }
  const unique = entries.filter(({ task }) => ids.add('task', task.id))
  const tasks = new Set(unique.map(({ task }) => task.id))
  for (const { task, ...parts } of inTreeOrder(unique, report)) {
    if ((task.key?.length ?? 0) > MAX_KEY) delete task.key
    yield { task }
    for (const comment of parts.comments) if (ids.add('comment', comment.id)) yield { comment }
    for (const attachment of parts.attachments)
      if (ids.add('attachment', attachment.id)) yield { attachment }
    for (const time_entry of parts.times)
      if (ids.add('time_entry', time_entry.id)) yield { time_entry }
  }
  for (const relation of relations.among(tasks, report)) yield { relation }
}

const NAMES = {
  board: 'A board',
  task: 'A task',
  comment: 'A comment',
  attachment: 'A file',
  time_entry: 'A time entry',
} as const

/** The ids of the records that were written. */
class Ids {
  private readonly known = new Set<string>()

  constructor(private readonly report: Report) {}

  /** Returns false if the record has no valid id, or if there is one with this id. */
  add(kind: RecordKind & keyof typeof NAMES, id: string | undefined): boolean {
    const key = `${kind} ${id}`
    const isValid = Boolean(id) && id!.length <= MAX_ID
    const isNew = isValid && !this.known.has(key)
    if (!isNew) this.report.lose(NAMES[kind], isValid ? 'It is in the files twice' : 'It has no id')
    this.known.add(key)
    return isNew
  }
}
