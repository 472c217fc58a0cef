import type { TaskLink } from './base-file.ts'
import type { BoardComment, BoardTask } from './board-side.ts'
import type { FileTask } from './files-side.ts'
import { type FieldMerge, hasChanged, isSame, mergeFields, type Side, stampOf } from './merge.ts'
import type { Translation } from './translate.ts'

/** What to do about a task that only one side has. */
export type Presence =
  | 'both'
  | 'create in files'
  | 'remove in files'
  | 'delete on board'
  | 'forget'
  /** Deleted on the board, and archived in the files. */
  | 'gone'
  /** Deleted on one side, changed on the other. */
  | 'deleted on board'
  | 'deleted in files'

export interface CommentMerge {
  /** New or edited in the files. */
  toBoard: string[]
  deleteOnBoard: string[]
  addToFiles: BoardComment[]
  editInFiles: { id: string; text: string }[]
  removeInFiles: string[]
  conflicts: string[]
}

export const noComments = (): CommentMerge => ({
  ...{ toBoard: [], deleteOnBoard: [], addToFiles: [] },
  ...{ editInFiles: [], removeInFiles: [], conflicts: [] },
})

export interface TaskSides {
  link: TaskLink
  file: FileTask | undefined
  /** Undefined if the board has no such task, or only an archived one. */
  task: BoardTask | undefined
  /** The values on the board; undefined if the task is deleted there. */
  board: FileTask['values'] | undefined
}

export const NOTHING: FieldMerge = { toBoard: [], toFiles: [], conflicts: [] }

export function presenceOf({ link, file, task, board }: TaskSides, prefer?: Side): Presence {
  if (file && board) return 'both'
  if (file) return presenceInFiles(link, file, prefer)
  // An archived task that is no longer in the files is out of the way on both sides.
  if (!board || !task) return 'forget'
  if (link.pending) return 'create in files'
  if (!hasChanged(link.board, board) || prefer === 'files') return 'delete on board'
  return prefer === 'board' ? 'create in files' : 'deleted in files'
}

function presenceInFiles(link: TaskLink, { values }: FileTask, prefer?: Side): Presence {
  const isChanged = hasChanged(link.files, values)
  if (link.gone) return isChanged && values.archived === false ? 'both' : 'gone'
  if (!isChanged || prefer === 'board') return 'remove in files'
  return prefer === 'files' ? 'both' : 'deleted on board'
}

/** The fields of a task on both sides. A task that returns to the board returns completely. */
export function fieldsOf({ link, file, board }: TaskSides, prefer?: Side): FieldMerge {
  if (!file) return NOTHING
  if (board) return mergeFields(link, file.values, board, prefer)
  const all = Object.keys(file.values) as FieldMerge['toBoard']
  return { ...NOTHING, toBoard: all.filter((field) => field !== 'dependencies') }
}

/** The three-way merge of the comments of a task on both sides. */
export function mergeComments(
  { link, file, task }: TaskSides,
  translation: Translation,
  prefer?: Side,
): CommentMerge {
  const merge = noComments()
  if (!file || !task) return merge
  for (const [id, { pending }] of Object.entries(link.comments))
    if (pending && !file.comments.has(id)) delete link.comments[id]
  const remotes = new Map(task.comments.map((comment) => [comment.comment_id, comment]))
  const linked = new Set(Object.values(link.comments).map(({ comment_id }) => comment_id))
  for (const id of file.comments.keys()) if (!link.comments[id]) merge.toBoard.push(id)
  merge.addToFiles.push(...task.comments.filter(({ comment_id }) => !linked.has(comment_id)))
  for (const [id, { comment_id, files, board }] of Object.entries(link.comments)) {
    const [local, remote] = [file.comments.get(id), remotes.get(comment_id)]
    const text = remote && translation.textOf(remote.text)
    const isChangedInFiles = local !== undefined && !isSame(files, stampOf(local.text))
    const isChangedOnBoard = text !== undefined && !isSame(board, stampOf(text))
    const isBoth = isChangedInFiles && isChangedOnBoard
    if (local && text !== undefined) {
      if (isSame(stampOf(local.text), stampOf(text))) continue
      if (isBoth && prefer === undefined) merge.conflicts.push(id)
      else if (isChangedInFiles && !(isBoth && prefer === 'board')) merge.toBoard.push(id)
      else if (isChangedOnBoard) merge.editInFiles.push({ id, text })
    } else if (local)
      merge[isChangedInFiles && prefer !== 'board' ? 'conflicts' : 'removeInFiles'].push(id)
    else if (remote)
      merge[isChangedOnBoard && prefer !== 'files' ? 'conflicts' : 'deleteOnBoard'].push(id)
  }
  return merge
}
