import { commentMentions, commentReactions, comments } from '../../features/comments/index.ts'
import { decisionRequests } from '../../features/decision_requests/index.ts'
import { escalations } from '../../features/escalations/index.ts'
import { evidence } from '../../features/evidence/index.ts'
import { attachments } from '../../features/files/index.ts'
import { pullRequests } from '../../features/pull_requests/index.ts'
import { descriptionVersions } from '../../features/tasks/index.ts'
import { timeEntries } from '../../features/time/index.ts'
import type { Inserter } from '../../store/bulk.ts'
import type { ChildKind, RecordOf } from '../schema.ts'
import { type ImportContext, insertPages } from './pages.ts'

/** The records that follow the line of a task and belong to it. */
export type Children = { [K in ChildKind]: RecordOf<K>[] }

export const noChildren = (): Children => ({
  version: [],
  comment: [],
  attachment: [],
  decision: [],
  pull_request: [],
  evidence: [],
  escalation: [],
  page: [],
  page_version: [],
  time_entry: [],
})

interface Ids {
  team_id: number
  task_id: number
}
type ActorOf = (who: string) => number

const toDate = (text: string) => new Date(text)
const toDateOrNull = (text: string | null) => (text === null ? null : new Date(text))

/** The columns of a task that are derived from its children. */
export const countsOf = ({ comment, attachment, page }: Children) => ({
  comment_count: comment.length,
  attachment_count: attachment.length,
  page_count: page.filter(({ archived_at }) => archived_at === null).length,
  last_comment_at: toDateOrNull(comment.at(-1)?.created_at ?? null),
})

/** Inserts the children of tasks. */
export async function insertChildren(
  context: ImportContext,
  tasks: readonly { ids: Ids; children: Children }[],
): Promise<void> {
  const { inserter, actorOf } = context
  const rowsOf = <K extends ChildKind, R>(
    kind: K,
    row: (record: RecordOf<K>, ids: Ids) => R,
  ): R[] => tasks.flatMap(({ ids, children }) => children[kind].map((record) => row(record, ids)))
  await inserter.insert(descriptionVersions, rowsOf('version', versionRow(actorOf)))
  for (const { ids, children } of tasks) {
    await insertCommentsAndFiles(context, ids, children)
    await insertPages(context, ids, children)
  }
  await inserter.insert(decisionRequests, rowsOf('decision', decisionRow(actorOf)))
  await inserter.insert(escalations, escalationRows(tasks, actorOf))
  await inserter.insert(timeEntries, rowsOf('time_entry', timeEntryRow(actorOf)))
  await inserter.insert(pullRequests, rowsOf('pull_request', pullRequestRow(actorOf)))
}

/** Inserts comments, attachments and evidence in this order, because each refers to the former. */
async function insertCommentsAndFiles(
  { inserter, actorOf }: ImportContext,
  ids: Ids,
  children: Children,
): Promise<void> {
  const comment_ids = await insertComments(inserter, actorOf, ids, children.comment)
  const files = await inserter.insert(
    attachments,
    children.attachment.map(({ task: _, comment, ...own }) => ({
      ...{ ...ids, ...own },
      comment_id: comment === null ? null : comment_ids[comment - 1]!,
      created_by: actorOf(own.created_by),
      created_at: toDate(own.created_at),
    })),
    ['attachment_id'],
  )
  await inserter.insert(
    evidence,
    children.evidence.map(({ task: _, attachment, ...own }) => ({
      ...{ ...ids, ...own },
      attachment_id: attachment === null ? null : files[attachment - 1]!.attachment_id,
      created_by: actorOf(own.created_by),
      created_at: toDate(own.created_at),
    })),
  )
}

const versionRow =
  (actorOf: ActorOf) =>
  ({ task: _, author, created_at, ...own }: RecordOf<'version'>, ids: Ids) => ({
    ...{ ...ids, ...own },
    author_id: actorOf(author),
    created_at: toDate(created_at),
  })

const decisionRow =
  (actorOf: ActorOf) =>
  ({ task: _, ...own }: RecordOf<'decision'>, ids: Ids) => ({
    ...{ ...ids, ...own },
    asked: own.asked.map(actorOf),
    created_by: actorOf(own.created_by),
    created_at: toDate(own.created_at),
    closed_by: own.closed_by === null ? null : actorOf(own.closed_by),
    closed_at: toDateOrNull(own.closed_at),
  })

const pullRequestRow =
  (actorOf: ActorOf) =>
  ({ task: _, ...own }: RecordOf<'pull_request'>, ids: Ids) => ({
    ...{ ...ids, ...own },
    created_by: actorOf(own.created_by),
    created_at: toDate(own.created_at),
    updated_at: toDate(own.updated_at),
  })

const timeEntryRow =
  (actorOf: ActorOf) =>
  ({ task: _, who, ...own }: RecordOf<'time_entry'>, ids: Ids) => ({
    ...{ ...ids, ...own },
    actor_id: actorOf(who),
    ...{ running_since: null, paused_at: null },
    started_at: toDate(own.started_at),
    ended_at: toDate(own.ended_at),
    created_at: toDate(own.created_at),
  })

function escalationRows(tasks: readonly { ids: Ids; children: Children }[], actorOf: ActorOf) {
  return tasks.flatMap(({ ids, children }) =>
    children.escalation.map(({ task: _, to, ...own }) => ({
      ...{ ...ids, ...own },
      to_id: actorOf(to),
      created_by: actorOf(own.created_by),
      created_at: toDate(own.created_at),
      resolved_by: own.resolved_by === null ? null : actorOf(own.resolved_by),
      resolved_at: toDateOrNull(own.resolved_at),
    })),
  )
}

/** Inserts comments one by one, since each may reply to one before it. Returns their ids. */
async function insertComments(
  inserter: Inserter,
  actorOf: ActorOf,
  ids: Ids,
  records: readonly RecordOf<'comment'>[],
): Promise<number[]> {
  const comment_ids: number[] = []
  for (const { author, reply_to, mentioned, reactions, ...own } of records) {
    const row = {
      ...{ ...ids, text: own.text, content_type: own.content_type },
      author_id: actorOf(author),
      reply_to_comment_id: reply_to === null ? null : comment_ids[reply_to - 1]!,
      created_at: toDate(own.created_at),
      edited_at: toDateOrNull(own.edited_at),
    }
    const [inserted] = await inserter.insert(comments, [row], ['comment_id'])
    const keys = { team_id: ids.team_id, comment_id: inserted!.comment_id }
    comment_ids.push(keys.comment_id)
    const mentionRows = mentioned.map((who) => ({ ...keys, actor_id: actorOf(who) }))
    await inserter.insert(commentMentions, mentionRows)
    const reactionRows = reactions.map(({ emoji, who, created_at }) => ({
      ...{ ...keys, emoji },
      actor_id: actorOf(who),
      created_at: toDate(created_at),
    }))
    await inserter.insert(commentReactions, reactionRows)
  }
  return comment_ids
}
