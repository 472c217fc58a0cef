import type { WireRecord } from '../../../import/api.ts'
import type { TaskLink } from './base-file.ts'
import type { FilesSide, FileTask } from './files-side.ts'
import { FIELDS, nextBase, stampOf, type Values } from './merge.ts'
import type { Boards, TaskPlan } from './plan-run.ts'
import type { Session } from './session.ts'
import type { Translation } from './translate.ts'

/**
 * Gives the links of comments the ids that remain when comments are removed from the files: those
 * without an id of their own are counted.
 */
function renumberComments(
  { link, comments: { removeInFiles } }: TaskPlan,
  before: FileTask | undefined,
  after: FileTask,
): void {
  if (!before || !removeInFiles.length) return
  const remaining = [...before.comments.keys()].filter((id) => !removeInFiles.includes(id))
  const ids = [...after.comments.keys()]
  const links = remaining.map((id, at) => [ids[at] ?? id, link.comments[id]] as const)
  link.comments = Object.fromEntries(links.flatMap(([id, one]) => (one ? [[id, one]] : [])))
}

/**
 * Links the comments that are about to come to the files, so that a run that breaks off does not
 * bring them again.
 */
export function reserveComments(
  { format }: Session,
  plans: readonly TaskPlan[],
  before: FilesSide,
  after: FilesSide,
): void {
  for (const plan of plans) {
    const file = after.tasks.get(plan.id)
    if (!file) continue
    if (plan.presence === 'create in files') plan.link.comments = {}
    const added = format.hasComments ? addedComments(plan, file) : []
    renumberComments(plan, before.tasks.get(plan.id), file)
    for (const [{ id, text }, comment_id] of added) {
      const stamp = stampOf(text)
      plan.link.comments[id] = { comment_id, files: stamp, board: stamp, pending: true }
    }
  }
}

/** Tells the server which tasks and comments of the files are those that came from a board. */
export async function linkOnServer(
  { writer, state }: Session,
  plans: readonly TaskPlan[],
  after: FilesSide,
): Promise<void> {
  const records = plans.flatMap((plan): WireRecord[] => {
    const file = after.tasks.get(plan.id)
    if (!file) return []
    const { task_id, pending, comments } = plan.link
    const task = { ...file.record, task_id, overwrite: [] }
    const added = Object.entries(comments).filter(
      ([id, link]) => link.pending && file.comments.has(id),
    )
    return [
      ...(pending ? [{ task }] : []),
      ...added.map(([id, { comment_id }]) => ({
        comment: { ...file.comments.get(id)!, comment_id },
      })),
    ]
  })
  await writer.write(after, records)
  for (const { id, link } of plans) if (link.pending && after.tasks.has(id)) delete link.pending
  for (const [id, { pending }] of Object.entries(state.tasks))
    if (pending && !after.tasks.has(id)) delete state.tasks[id]
}

/** The comments that came to the files: the last ones, in the order of those on the board. */
function addedComments({ presence, task, comments }: TaskPlan, after: FileTask) {
  const added = presence === 'create in files' ? (task?.comments ?? []) : comments.addToFiles
  const written = added.length ? [...after.comments.values()].slice(-added.length) : []
  return written.map((comment, at) => [comment, added[at]!.comment_id] as const)
}

/** Stores what both sides have now, for the comparison of the next run. */
export function remember(
  { state }: Session,
  plans: readonly TaskPlan[],
  after: FilesSide,
  now: Boards,
  translation: Translation,
): void {
  for (const plan of plans) {
    const { id, link, presence } = plan
    const file = after.tasks.get(id)
    if (presence === 'forget' || presence === 'delete on board') delete state.tasks[id]
    else if (presence === 'remove in files' && !file) delete state.tasks[id]
    else if (presence === 'remove in files') markGone(link, file!)
    else if (file && (presence === 'both' || presence === 'create in files')) {
      const task = now.tasks.get(link.task_id)
      const current = task && translation.valuesOf(task, plan.boardId, file.values)
      Object.assign(link, nextBase(link, file.values, boardValues(plan, current), openFields(plan)))
      if (plan.board === undefined) delete link.gone
      rememberComments(plan, file, now, translation)
    }
  }
}

function markGone(link: TaskLink, { values }: FileTask): void {
  const next = nextBase(link, values, { archived: true }, [])
  Object.assign(link, next, { gone: true, comments: {} })
}

const openFields = ({ merge }: TaskPlan) => merge.conflicts

/**
 * The values of the board as they were compared, and as they are now for what was written there: what
 * somebody changed in between is a change for the next run.
 */
function boardValues({ merge, board, isSent }: TaskPlan, current: Values | undefined): Values {
  if (!board) return current ?? {}
  const isWritten = (field: (typeof FIELDS)[number]) => merge.toBoard.includes(field) && !isSent
  const values = FIELDS.map((field) => [field, isWritten(field) ? current?.[field] : board[field]])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

function rememberComments(
  plan: TaskPlan,
  file: FileTask,
  now: Boards,
  translation: Translation,
): void {
  const { link, task, comments } = plan
  const current = now.tasks.get(link.task_id)?.comments
  for (const [id, one] of Object.entries(link.comments)) {
    delete one.pending
    if (comments.conflicts.includes(id)) continue
    const local = file.comments.get(id)
    const wasWritten = comments.toBoard.includes(id) || plan.isSent
    const remote = (wasWritten ? current : (task?.comments ?? current))?.find(
      ({ comment_id }) => comment_id === one.comment_id,
    )
    if (!local && (comments.removeInFiles.includes(id) || !remote)) delete link.comments[id]
    if (local) one.files = stampOf(local.text)
    if (remote) one.board = stampOf(translation.textOf(remote.text))
  }
}
