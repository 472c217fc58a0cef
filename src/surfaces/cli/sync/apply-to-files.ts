import type { FileWriter, NewComment, SharedFields } from '../../../import/file-writer.ts'
import type { BoardComment } from './board-side.ts'
import type { Boards, TaskPlan } from './plan-run.ts'
import type { Translation } from './translate.ts'

/** Changes in the files what changed on the board. Nothing is written to the disk yet. */
export function applyToFiles(
  files: FileWriter,
  plans: readonly TaskPlan[],
  { tasks, archived }: Boards,
  translation: Translation,
): void {
  const created = plans.filter(({ presence }) => presence === 'create in files')
  for (const plan of parentsFirst(created)) create(files, plan, translation)
  for (const { id, presence } of plans) if (presence === 'remove in files') files.remove(id)
  for (const plan of plans) {
    const { id, link, board, merge, comments, boardId } = plan
    const { addToFiles, editInFiles, removeInFiles } = comments
    const isUnchanged = !addToFiles.length && !editInFiles.length && !removeInFiles.length
    if (!board || (!merge.toFiles.length && isUnchanged)) continue
    const task = tasks.get(link.task_id) ?? archived.get(link.task_id)!
    files.update({
      id,
      set: Object.fromEntries(merge.toFiles.map((field) => [field, board[field]])),
      column: 'section_id' in task ? translation.columnOf(boardId, task) : task.section,
      done: task.done,
      addComments: addToFiles.map((comment) => newComment(comment, translation)),
      editComments: editInFiles,
      removeComments: removeInFiles,
    })
  }
}

function create(
  files: FileWriter,
  { id, boardId, board, task }: TaskPlan,
  translation: Translation,
): void {
  const { done, created_by, created_at, comments } = task!
  files.create({
    ...{ id, board: boardId, fields: board as SharedFields, done, created_at },
    created_by: translation.nameOf(created_by),
    comments: comments.map((comment) => newComment(comment, translation)),
  })
}

const newComment = (
  { author, text, created_at }: BoardComment,
  translation: Translation,
): NewComment => ({
  author: translation.nameOf(author),
  text: translation.textOf(text),
  created_at,
})

/** Parents before their subtasks: the id of a parent is a part of theirs, or comes before. */
function parentsFirst(plans: readonly TaskPlan[]): TaskPlan[] {
  const byId = new Map(plans.map((plan) => [plan.id, plan]))
  const result = new Set<TaskPlan>()
  const visit = (plan: TaskPlan) => {
    const parent = byId.get(String(plan.board?.parent))
    if (parent && !result.has(parent)) visit(parent)
    result.add(plan)
  }
  for (const plan of plans) visit(plan)
  return [...result]
}
