import type { FileFormat } from '../../../import/file-writer.ts'
import { plain } from '../table.ts'
import type { FilesSide } from './files-side.ts'
import { isSame, stampOf, type Value } from './merge.ts'
import type { Boards, TaskPlan } from './plan-run.ts'

const NAMES: Readonly<Record<string, string>> = { due_date: 'due date', archived: 'archive' }
const nameOf = (field: string) => NAMES[field] ?? field

export interface Changes {
  /** From the board to the files, from the files to the board, and what neither side takes. */
  toFiles: { task: string; what: string }[]
  toBoard: { task: string; what: string }[]
  conflicts: { task: string; field: string; files: string; board: string }[]
}

/** What a run changes, in words. */
export function changesOf(
  plans: readonly TaskPlan[],
  side: FilesSide,
  unsent: ReadonlySet<string>,
  boards: Boards,
  { hasComments }: FileFormat,
): Changes {
  const changes: Changes = { toFiles: [], toBoard: [], conflicts: [] }
  for (const id of unsent)
    changes.toBoard.push({ task: id, what: `new: ${side.tasks.get(id)!.values.title}` })
  for (const plan of plans) {
    const { id, link, presence, isSent, merge, file, board } = plan
    const toBoard = merge.toBoard.map(nameOf)
    const toFiles = merge.toFiles.map(nameOf)
    if (isSent && file) toBoard.unshift(`new: ${file.values.title}`)
    if (presence === 'delete on board') toBoard.push('deleted')
    if (presence === 'create in files') toFiles.push(`new: ${board!.title} (${id})`)
    if (presence === 'remove in files') toFiles.push('deleted')
    addComments(plan, hasComments, toBoard, toFiles)
    const key = link.key || boards.archived.get(link.task_id)?.key || id
    if (toBoard.length) changes.toBoard.push({ task: id, what: toBoard.join(', ') })
    if (toFiles.length) changes.toFiles.push({ task: key, what: toFiles.join(', ') })
    changes.conflicts.push(...conflictsOf(plan, key))
  }
  return changes
}

function addComments(
  { comments }: TaskPlan,
  hasComments: boolean,
  toBoard: string[],
  toFiles: string[],
): void {
  const { addToFiles, editInFiles, removeInFiles } = comments
  if (comments.toBoard.length || comments.deleteOnBoard.length) toBoard.push('comments')
  const count = addToFiles.length + editInFiles.length + removeInFiles.length
  if (hasComments && count) toFiles.push('comments')
}

function conflictsOf(plan: TaskPlan, key: string): Changes['conflicts'] {
  const { presence, merge, file, board, comments, id } = plan
  const task = `${key} (${id})`
  if (presence === 'deleted on board')
    return [{ task, field: 'task', files: 'changed', board: 'deleted' }]
  if (presence === 'deleted in files')
    return [{ task, field: 'task', files: 'deleted', board: 'changed' }]
  return [
    ...merge.conflicts.map((field) => ({
      ...{ task, field: nameOf(field) },
      ...{ files: textOf(file?.values[field]), board: textOf(board?.[field]) },
    })),
    ...comments.conflicts.map((comment) => ({
      ...{ task, field: 'comment' },
      files: textOf(file?.comments.get(comment)?.text ?? 'deleted'),
      board: 'changed or deleted',
    })),
  ]
}

const MAX_VALUE = 60

function textOf(value: Value | undefined): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? 'none')
  const line = text.replace(/\s+/g, ' ')
  return line.length > MAX_VALUE ? `${line.slice(0, MAX_VALUE)}…` : line || 'none'
}

/** A line for each task that changes, and for each conflict. */
export function linesOf({ toFiles, toBoard, conflicts }: Changes): string[] {
  const lines = [
    ...toFiles.map(({ task, what }) => `← ${task} ${what}`),
    ...toBoard.map(({ task, what }) => `→ ${task} ${what}`),
    ...conflicts.map(
      ({ task, field, files, board }) =>
        `! conflict: ${task} ${field}: files "${files}", board "${board}"`,
    ),
  ]
  return lines.map((line) => plain(line))
}

/** What the files hold otherwise than the board wanted, because their format cannot. */
export function shortfalls(plans: readonly TaskPlan[], after: FilesSide): string[] {
  return plans.flatMap(({ id, link, merge, board, presence }) => {
    const file = after.tasks.get(id)
    const fields = presence === 'create in files' ? [] : merge.toFiles
    return fields.flatMap((field) =>
      file && !isSame(stampOf(file.values[field]!), stampOf(board![field]!))
        ? `${link.key} ${nameOf(field)}: the files can only hold "${textOf(file.values[field])}"`
        : [],
    )
  })
}
