import type { FieldName, WireRecord } from '../../../import/api.ts'
import { RefusedError } from '../client.ts'
import type { FilesSide } from './files-side.ts'
import { stampOf } from './merge.ts'
import type { TaskPlan } from './plan-run.ts'
import type { Session } from './session.ts'

/** Changes on the board what changed in the files. */
export async function applyToBoard(
  session: Session,
  side: FilesSide,
  plans: readonly TaskPlan[],
): Promise<void> {
  const { writer, state } = session
  const records = plans.flatMap(recordsFor)
  await writer.write(side, records, (record, { row_id, outcome, problem }) => {
    if (problem) session.notes.push(problem)
    if (!('comment' in record) || !row_id) return
    const { id, task, text } = record.comment
    if (outcome === 'kept') return void session.notes.push(`The comment ${id} was not changed`)
    const stamp = stampOf(text)
    state.tasks[task]!.comments[id] = { comment_id: row_id, files: stamp, board: stamp }
  })
  for (const plan of plans)
    if (plan.merge.toBoard.includes('dependencies')) await applyDependencies(session, plan)
  for (const plan of plans) await deleteOnBoard(session, plan)
}

function recordsFor({ file, link, merge, comments }: TaskPlan): WireRecord[] {
  if (!file) return []
  const overwrite = merge.toBoard.filter((field): field is FieldName => field !== 'dependencies')
  const task = { ...file.record, task_id: link.task_id, overwrite }
  return [
    ...(overwrite.length ? [{ task }] : []),
    ...comments.toBoard.map((id) => {
      const linked = link.comments[id] && { comment_id: link.comments[id].comment_id }
      return { comment: { ...file.comments.get(id)!, ...linked } }
    }),
  ]
}

async function deleteOnBoard({ writer }: Session, plan: TaskPlan): Promise<void> {
  const { link, presence, comments } = plan
  if (presence === 'delete on board')
    await writer.call('tasks.update', { task: link.key, status: 'Deleted' })
  for (const id of comments.deleteOnBoard) {
    await writer.call('comments.delete', { comment_id: link.comments[id]!.comment_id })
    delete link.comments[id]
  }
}

async function applyDependencies(session: Session, { link, file, board }: TaskPlan): Promise<void> {
  const { tasks } = session.state
  const wanted = (file?.values.dependencies ?? []) as readonly string[]
  const existing = (board?.dependencies ?? []) as readonly string[]
  const change = async (name: string, id: string) => {
    const relation = { source_ticket_number: link.key, target_ticket_number: tasks[id]!.key }
    try {
      await session.writer.call(name, { ...relation, relation_type: 'BlockedBy' })
    } catch (error) {
      // A board refuses circles, and relations of deleted tasks.
      if (!(error instanceof RefusedError) || error.status >= 500) throw error
      session.notes.push(`${link.key} dependencies: ${error.message}`)
    }
  }
  for (const id of wanted)
    if (!existing.includes(id) && tasks[id]) await change('relations.create', id)
  for (const id of existing) if (!wanted.includes(id)) await change('relations.delete', id)
}
