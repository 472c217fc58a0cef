import { and, asc, eq } from 'drizzle-orm'
import type { Format } from '../../../../content/index.ts'
import type { Tx } from '../../../../kernel/caller.ts'
import { digest } from '../../../../kernel/dispatch.ts'
import { labelsOn } from '../../../boards/labels/model/index.ts'
import { comments } from '../../../conversation/comments/model/index.ts'
import { assigneesOf } from '../../../tasks/assignees/model/index.ts'
import { type Task, taskById } from '../../../tasks/tasks/model/index.ts'

export interface TaskComment {
  comment_id: number
  author_id: number
  text: string
  content_type: Format
  created_at: Date
  edited_at: Date | null
}

/** A task as it is compared with its issue. */
export interface Snapshot {
  task: Task
  labels: string[]
  /** Ids of the people assigned. */
  people: number[]
  comments: TaskComment[]
  digest: string
}

export async function snapshotOf(tx: Tx, task_id: number): Promise<Snapshot | undefined> {
  const task = await taskById(tx, task_id)
  if (!task) return undefined
  const labels = (await labelsOn(tx, task)).map(({ name }) => name)
  const assigned = await assigneesOf(tx, task)
  const people = assigned.flatMap(({ kind, actor_id }) => (kind === 'person' ? actor_id : []))
  const rows = await commentsOf(tx, task)
  const { title, description, content_type, completed_at, status, project_id } = task
  const values = [
    ...[title, description, content_type, completed_at !== null, status === 'Deleted', project_id],
    ...[labels, people, rows.map(({ comment_id, text }) => [comment_id, text])],
  ]
  return { task, labels, people, comments: rows, digest: digest(...values) }
}

const commentsOf = (tx: Tx, { team_id, task_id }: Task): Promise<TaskComment[]> =>
  tx
    .select({
      comment_id: comments.comment_id,
      author_id: comments.author_id,
      text: comments.text,
      content_type: comments.content_type,
      created_at: comments.created_at,
      edited_at: comments.edited_at,
    })
    .from(comments)
    .where(and(eq(comments.team_id, team_id), eq(comments.task_id, task_id)))
    .orderBy(asc(comments.comment_id))
