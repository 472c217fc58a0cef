import type { Board, ImportRecord } from '../../record.ts'
import type { Report } from '../../source.ts'
import type { People } from './people.ts'
import type { Relations } from './relations.ts'
import { type Entry, inTreeOrder } from './tree.ts'

export interface Contents {
  origin: { id: string; title: string }
  people: People
  boards: Board[]
  entries: Entry[]
  relations: Relations
}

/** All records in the order in which they are written. Of two tasks with one id, the first counts. */
export function* writeRecords(contents: Contents, report: Report): Generator<ImportRecord> {
  const { origin, people, boards, entries, relations } = contents
  yield { origin }
  for (const person of people.list()) yield { person }
  for (const board of boards) yield { board }
  const ids = { tasks: new Set<string>(), parts: new Set<string>() }
  const isNew = (set: Set<string>, id: string, what: string) => {
    if (set.has(id)) report.lose(what, 'It is in the files twice')
    return !set.has(id) && set.add(id)
  }
  const unique = entries.filter(({ task }) => isNew(ids.tasks, task.id, 'A copy of a task'))
  for (const { task, comments, attachments, times } of inTreeOrder(unique, report)) {
    yield { task }
    for (const comment of comments)
      if (isNew(ids.parts, `comment ${comment.id}`, 'A copy of a comment')) yield { comment }
    for (const attachment of attachments)
      if (isNew(ids.parts, `file ${attachment.id}`, 'A copy of a file')) yield { attachment }
    for (const time_entry of times)
      if (isNew(ids.parts, `time ${time_entry.id}`, 'A copy of a time entry')) yield { time_entry }
  }
  for (const relation of relations.among(ids.tasks, report)) yield { relation }
}
