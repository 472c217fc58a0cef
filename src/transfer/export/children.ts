import { and, asc, eq, inArray } from 'drizzle-orm'
import { commentMentions, commentReactions, comments } from '../../features/comments/index.ts'
import { decisionRequests } from '../../features/decision_requests/index.ts'
import { escalations } from '../../features/escalations/index.ts'
import { evidence } from '../../features/evidence/index.ts'
import { attachments } from '../../features/files/index.ts'
import { pullRequests } from '../../features/pull_requests/index.ts'
import { descriptionVersions } from '../../features/tasks/index.ts'
import type { Tx } from '../../kernel/caller.ts'
import type { Line } from '../lines.ts'
import { compare, type Participants } from '../participants.ts'
import type { RecordOf } from '../schema.ts'

const toIsoOrNull = (date: Date | null) => date?.toISOString() ?? null

interface Task {
  task_id: number
  ticket_number: string
}

/** Loads the children of tasks, one query per kind. Returns a generator of one task's lines. */
export async function loadChildren(
  tx: Tx,
  team_id: number,
  rows: readonly Task[],
  participants: Participants,
) {
  const ids = rows.map(({ task_id }) => task_id)
  const versions = await loadVersions(tx, team_id, ids)
  const comments = await loadComments(tx, team_id, ids, participants)
  const attachments = await loadAttachments(tx, team_id, ids)
  const decisions = await loadDecisions(tx, team_id, ids)
  const pullRequests = await loadPullRequests(tx, team_id, ids)
  const evidence = await loadEvidence(tx, team_id, ids)
  const escalations = await loadEscalations(tx, team_id, ids)
  return function* ({ task_id, ticket_number: task }: Task): Generator<Line> {
    for (const version of versions.get(task_id) ?? [])
      yield { version: versionRecord(version, task, participants) }
    for (const comment of comments.recordsOf(task_id, task)) yield { comment }
    for (const attachment of attachments.get(task_id) ?? [])
      yield { attachment: attachmentRecord(attachment, task, comments.positions, participants) }
    for (const decision of decisions.get(task_id) ?? [])
      yield { decision: decisionRecord(decision, task, participants) }
    for (const request of pullRequests.get(task_id) ?? [])
      yield { pull_request: pullRequestRecord(request, task, participants) }
    for (const row of evidence.get(task_id) ?? [])
      yield { evidence: evidenceRecord(row, task, attachments.get(task_id) ?? [], participants) }
    for (const escalation of escalations.get(task_id) ?? [])
      yield { escalation: escalationRecord(escalation, task, participants) }
  }
}

const byTask = <R extends { task_id: number }>(rows: R[]) =>
  Map.groupBy(rows, ({ task_id }) => task_id)

const loadVersions = async (tx: Tx, team_id: number, ids: number[]) =>
  byTask(
    await tx
      .select()
      .from(descriptionVersions)
      .where(
        and(eq(descriptionVersions.team_id, team_id), inArray(descriptionVersions.task_id, ids)),
      )
      .orderBy(asc(descriptionVersions.task_id), asc(descriptionVersions.version)),
  )

function versionRecord(
  row: typeof descriptionVersions.$inferSelect,
  task: string,
  participants: Participants,
): RecordOf<'version'> {
  const { version, content, content_type, author_id, created_at } = row
  return {
    ...{ task, version, content, content_type },
    author: participants.nameOf(author_id),
    created_at: created_at.toISOString(),
  }
}

/** Records refer to a comment by its position among those of its task, counted from 1. */
async function loadComments(tx: Tx, team_id: number, ids: number[], participants: Participants) {
  const rows = await tx
    .select()
    .from(comments)
    .where(and(eq(comments.team_id, team_id), inArray(comments.task_id, ids)))
    .orderBy(asc(comments.created_at), asc(comments.comment_id))
  const comment_ids = rows.map(({ comment_id }) => comment_id)
  const mentions = await loadMentions(tx, team_id, comment_ids)
  const reactions = await loadReactions(tx, team_id, comment_ids)
  const commentsByTask = byTask(rows)
  const positions = new Map(
    [...commentsByTask.values()].flatMap((group) =>
      group.map(({ comment_id }, index): [number, number] => [comment_id, index + 1]),
    ),
  )
  const recordsOf = (task_id: number, task: string): RecordOf<'comment'>[] => {
    const group = commentsByTask.get(task_id) ?? []
    return group.map(({ comment_id, author_id, reply_to_comment_id: repliesTo, ...row }) => ({
      task,
      author: participants.nameOf(author_id),
      ...{ text: row.text, content_type: row.content_type },
      reply_to: repliesTo === null ? null : (positions.get(repliesTo) ?? null),
      mentioned: (mentions.get(comment_id) ?? [])
        .map((mention) => participants.nameOf(mention.actor_id))
        .sort(compare),
      reactions: (reactions.get(comment_id) ?? [])
        .map((reaction) => ({
          emoji: reaction.emoji,
          who: participants.nameOf(reaction.actor_id),
          created_at: createdAt(reaction),
        }))
        .sort((a, b) => compare(a.emoji, b.emoji) || compare(a.who, b.who)),
      created_at: createdAt(row),
      edited_at: toIsoOrNull(row.edited_at),
    }))
  }
  return { recordsOf, positions }
}

const byComment = <R extends { comment_id: number }>(rows: R[]) =>
  Map.groupBy(rows, ({ comment_id }) => comment_id)

const loadMentions = async (tx: Tx, team_id: number, ids: number[]) =>
  byComment(
    await tx
      .select()
      .from(commentMentions)
      .where(and(eq(commentMentions.team_id, team_id), inArray(commentMentions.comment_id, ids))),
  )

const loadReactions = async (tx: Tx, team_id: number, ids: number[]) =>
  byComment(
    await tx
      .select()
      .from(commentReactions)
      .where(and(eq(commentReactions.team_id, team_id), inArray(commentReactions.comment_id, ids))),
  )

const loadAttachments = async (tx: Tx, team_id: number, ids: number[]) =>
  byTask(
    await tx
      .select()
      .from(attachments)
      .where(and(eq(attachments.team_id, team_id), inArray(attachments.task_id, ids)))
      .orderBy(asc(attachments.created_at), asc(attachments.attachment_id)),
  )

function attachmentRecord(
  row: typeof attachments.$inferSelect,
  task: string,
  positions: ReadonlyMap<number, number>,
  participants: Participants,
): RecordOf<'attachment'> {
  const { filename, content_type, size, sha256 } = row
  return {
    task,
    comment: row.comment_id === null ? null : (positions.get(row.comment_id) ?? null),
    ...{ filename, content_type, size, sha256 },
    created_by: participants.nameOf(row.created_by),
    created_at: createdAt(row),
  }
}

const createdAt = ({ created_at }: { created_at: Date }) => created_at.toISOString()

const loadDecisions = async (tx: Tx, team_id: number, ids: number[]) =>
  byTask(
    await tx
      .select()
      .from(decisionRequests)
      .where(and(eq(decisionRequests.team_id, team_id), inArray(decisionRequests.task_id, ids)))
      .orderBy(asc(decisionRequests.created_at), asc(decisionRequests.decision_request_id)),
  )

function decisionRecord(
  row: typeof decisionRequests.$inferSelect,
  task: string,
  participants: Participants,
): RecordOf<'decision'> {
  const { decision_request_id: _, team_id: __, task_id: ___, ...own } = row
  return {
    ...{ task, ...own },
    asked: own.asked.map((who) => participants.nameOf(who)),
    created_by: participants.nameOf(own.created_by),
    created_at: createdAt(own),
    closed_by: own.closed_by === null ? null : participants.nameOf(own.closed_by),
    closed_at: toIsoOrNull(own.closed_at),
  }
}

const loadPullRequests = async (tx: Tx, team_id: number, ids: number[]) =>
  byTask(
    await tx
      .select()
      .from(pullRequests)
      .where(and(eq(pullRequests.team_id, team_id), inArray(pullRequests.task_id, ids)))
      .orderBy(asc(pullRequests.url)),
  )

function pullRequestRecord(
  row: typeof pullRequests.$inferSelect,
  task: string,
  participants: Participants,
): RecordOf<'pull_request'> {
  const { pull_request_id: _, team_id: __, task_id: ___, ...own } = row
  return {
    ...{ task, ...own },
    results: Object.fromEntries(
      Object.entries(own.results)
        .sort(([a], [b]) => compare(a, b))
        .map(([name, [checks, when]]) => [name, [checks, when]]),
    ),
    created_by: participants.nameOf(own.created_by),
    created_at: createdAt(own),
    updated_at: own.updated_at.toISOString(),
  }
}

const loadEvidence = async (tx: Tx, team_id: number, ids: number[]) =>
  byTask(
    await tx
      .select()
      .from(evidence)
      .where(and(eq(evidence.team_id, team_id), inArray(evidence.task_id, ids)))
      .orderBy(asc(evidence.created_at), asc(evidence.evidence_id)),
  )

/** Evidence refers to its file by position among the task's attachments, counted from 1. */
function evidenceRecord(
  row: typeof evidence.$inferSelect,
  task: string,
  taskAttachments: readonly (typeof attachments.$inferSelect)[],
  participants: Participants,
): RecordOf<'evidence'> {
  const { kind, summary, url, attachment_id } = row
  const position = taskAttachments.findIndex((file) => file.attachment_id === attachment_id) + 1
  return {
    ...{ task, kind, summary, url, attachment: position || null },
    created_by: participants.nameOf(row.created_by),
    created_at: createdAt(row),
  }
}

const loadEscalations = async (tx: Tx, team_id: number, ids: number[]) =>
  byTask(
    await tx
      .select()
      .from(escalations)
      .where(and(eq(escalations.team_id, team_id), inArray(escalations.task_id, ids)))
      .orderBy(asc(escalations.created_at), asc(escalations.escalation_id)),
  )

function escalationRecord(
  row: typeof escalations.$inferSelect,
  task: string,
  participants: Participants,
): RecordOf<'escalation'> {
  return {
    ...{
      task,
      reason: row.reason,
      to: participants.nameOf(row.to_id),
      created_by: participants.nameOf(row.created_by),
    },
    ...{ created_at: createdAt(row), note: row.note },
    resolved_by: row.resolved_by === null ? null : participants.nameOf(row.resolved_by),
    resolved_at: toIsoOrNull(row.resolved_at),
  }
}
