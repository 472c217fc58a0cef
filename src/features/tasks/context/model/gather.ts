import { snippetOf } from '../../../../content/words.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { guidanceOf, type Project } from '../../../boards/projects/model/index.ts'
import {
  activityOf,
  type CommentRecord,
  recentComments,
} from '../../../conversation/comments/model/index.ts'
import {
  type DecisionRow,
  pendingDecisions,
} from '../../../conversation/decision_requests/model/index.ts'
import { recentEvidence } from '../../../conversation/evidence/model/index.ts'
import { attachmentsOf } from '../../files/model/index.ts'
import { subtasksOf, type TaskRow, toTaskRecord, toTaskRows } from '../../records/model/index.ts'
import { countRelations, type RelationType, relatedTasks } from '../../relations/model/index.ts'
import { type Located, type Task, taskById } from '../../tasks/model/index.ts'
import type { Counts, LinkedTask, TaskContext } from './schema.ts'

const LAST = 20
const MOST_FILES = 50
const MOST_DECISIONS = 20
/** Longer comments are truncated; the list of comments has the full text. */
const MAX_COMMENT = 20_000
const FIRST_WORDS = 2000

/** A task with everything that is needed to work on it. */
export async function gatherContext(
  ctx: Context,
  { task, project }: Located,
): Promise<Omit<TaskContext, 'imported_from'>> {
  const record = await toTaskRecord(ctx, task)
  const parent = await parentOf(ctx, task)
  const pending = await pendingDecisions(ctx.tx, task)
  const counts = await countsOf(ctx, task, record, pending.length)
  // Most tasks have no relations; then they are not queried.
  const links = async (type: RelationType) =>
    counts.relations ? relatedTasks(ctx, task, type) : []
  return {
    task: record,
    counts,
    parent: parent && toLinkedTask(parent),
    subtasks: (await subtasksOf(ctx, task)).map(toLinkedTask),
    blocked_by: await links('BlockedBy'),
    blocks: await links('BlockedTo'),
    related: await links('RelatedTo'),
    comments: counts.comments ? (await recentComments(ctx, task, LAST)).map(clipped) : [],
    activity: (await activityOf(ctx, task, LAST)).map(({ type, actor, created_at, summary }) => ({
      type,
      actor,
      created_at,
      summary,
    })),
    attachments: counts.attachments ? (await attachmentsOf(ctx, task)).slice(0, MOST_FILES) : [],
    evidence: await recentEvidence(ctx, task, LAST),
    decision_requests: pending.slice(0, MOST_DECISIONS).map(toDecision),
    board: { ...boardOf(project), ...guidanceOf(ctx, project) },
  }
}

const toLinkedTask = (row: TaskRow): LinkedTask => ({
  task_id: row.task_id,
  ticket_number: row.ticket_number,
  title: row.title,
  section: row.section,
  done: row.done,
  blocked: row.blocked,
  status: row.status,
})

function clipped(comment: CommentRecord): CommentRecord {
  const { text, content_type } = comment
  if (text.length <= MAX_COMMENT) return comment
  const words = snippetOf(text, content_type, FIRST_WORDS)
  const rest = `(Shortened from ${text.length} characters; svc_comments list has the full text.)`
  return { ...comment, text: `${words}\n\n${rest}`, content_type: 'markdown' }
}

const toDecision = ({ decision_request_id, question, options, created_at }: DecisionRow) => ({
  decision_request_id,
  question,
  options,
  created_at: created_at.toISOString(),
})

export async function parentOf(ctx: Context, { parent_task_id }: Task): Promise<TaskRow | null> {
  const parent = parent_task_id === null ? undefined : await taskById(ctx.tx, parent_task_id)
  return parent ? (await toTaskRows(ctx, [parent]))[0]! : null
}

/** The counts of the lists that are shown in part. */
export async function countsOf(
  ctx: Context,
  task: Task,
  { subtask_count }: TaskRow,
  pending_decisions: number,
): Promise<Counts> {
  return {
    comments: task.comment_count,
    subtasks: subtask_count,
    relations: await countRelations(ctx, task),
    attachments: task.attachment_count,
    pages: task.page_count,
    pending_decisions,
  }
}

export const boardOf = ({ project_id, key, title }: Project) => ({ project_id, key, title })
