import type { FieldName, WireRecord } from '../../../import/api.ts'
import type { CommentLink } from './base-file.ts'
import type { FilesSide } from './files-side.ts'
import { stampOf } from './merge.ts'
import type { Session } from './session.ts'

/** What a board changed since an import before the first run. */
export interface Adopted {
  changedHere: readonly FieldName[]
  conflicts: readonly FieldName[]
}

/**
 * Sends the tasks that are new in the files, as an import does: a task that an import has created
 * is known again. Returns what is known about each of them.
 */
export async function sendNew(session: Session, side: FilesSide): Promise<Map<string, Adopted>> {
  const { state, writer } = session
  const added = new Map<string, Adopted>()
  // Tools use the id of a deleted task again. In the first run, it is still the same task.
  const isFirst = Object.keys(state.tasks).length === 0
  const isNew = (id: string) => state.tasks[id] === undefined
  const tasks = [...side.tasks.values()].filter(({ record }) => isNew(record.id))
  await writer.write(side, changedBoards(session, side), (record, result) => {
    if (!('board' in record)) return
    const { id } = record.board
    session.projects.set(id, result.row_id)
    const columns = state.boards[id]?.columns ?? {}
    state.boards[id] = { project_id: result.row_id, columns, sent: digestOf(side, id) }
  })
  const ids = new Set(tasks.map(({ record }) => record.id))
  const relations = side.relations.filter(({ first, second }) => ids.has(first) || ids.has(second))
  const records: WireRecord[] = [
    ...tasks.map(({ record }) => ({ task: isFirst ? record : { ...record, task_id: null } })),
    ...tasks.flatMap(({ comments }) => [...comments.values()].map((comment) => ({ comment }))),
    ...relations.map((relation) => ({ relation })),
  ]
  await writer.write(side, records, (record, result) => {
    const { row_id, ticket_number = '', changed_here = [], conflicts = [], problem } = result
    if (problem) session.notes.push(problem)
    if ('task' in record) {
      const { id } = record.task
      const comments: Record<string, CommentLink> = {}
      state.tasks[id] = {
        ...{ task_id: row_id, key: ticket_number, files: {}, board: {}, comments },
      }
      added.set(id, { changedHere: changed_here, conflicts })
    } else if ('comment' in record && row_id) {
      const { id, task, text } = record.comment
      const stamp = stampOf(text)
      state.tasks[task]!.comments[id] = { comment_id: row_id, files: stamp, board: stamp }
    }
  })
  return added
}

function changedBoards({ state }: Session, side: FilesSide): WireRecord[] {
  return [...side.boards.values()]
    .filter(({ id }) => state.boards[id]?.sent !== digestOf(side, id))
    .map((board) => ({ board }))
}

/** A digest of the columns, labels and fields of a board. */
function digestOf({ boards }: FilesSide, id: string): string {
  const { columns, labels, fields } = boards.get(id)!
  return Bun.hash(JSON.stringify([columns, labels, fields])).toString(36)
}
