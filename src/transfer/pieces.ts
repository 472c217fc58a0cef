import { and, asc, eq, inArray } from 'drizzle-orm'
import { commentMentions, commentReactions, comments } from '../features/comments/index.ts'
import { decisionRequests } from '../features/decision_requests/index.ts'
import { escalations } from '../features/escalations/index.ts'
import { evidence } from '../features/evidence/index.ts'
import { attachments } from '../features/files/index.ts'
import { pullRequests } from '../features/pull_requests/index.ts'
import { descriptionVersions } from '../features/tasks/index.ts'
import type { Tx } from '../kernel/caller.ts'
import type { Line } from './lines.ts'
import { type Cast, order } from './names.ts'
import type { RecordOf } from './schema.ts'

const iso = (date: Date | null) => date?.toISOString() ?? null

interface Task {
  task_id: number
  ticket_number: string
}

/** What hangs on some tasks, found at once; answers the lines of one of them. */
export async function piecesOf(tx: Tx, team_id: number, rows: readonly Task[], cast: Cast) {
  const ids = rows.map(({ task_id }) => task_id)
  const versions = await versionsOf(tx, team_id, ids)
  const talk = await talkOf(tx, team_id, ids, cast)
  const files = await attachedTo(tx, team_id, ids)
  const decisions = await decisionsOf(tx, team_id, ids)
  const requests = await requestsOf(tx, team_id, ids)
  const shown = await shownFor(tx, team_id, ids)
  const calls = await callsOf(tx, team_id, ids)
  return function* ({ task_id, ticket_number: task }: Task): Generator<Line> {
    for (const one of versions.get(task_id) ?? []) yield { version: versionOf(one, task, cast) }
    for (const comment of talk.of(task_id, task)) yield { comment }
    for (const one of files.get(task_id) ?? [])
      yield { attachment: attachmentOf(one, task, talk.places, cast) }
    for (const one of decisions.get(task_id) ?? []) yield { decision: decisionOf(one, task, cast) }
    for (const one of requests.get(task_id) ?? [])
      yield { pull_request: requestOf(one, task, cast) }
    for (const one of shown.get(task_id) ?? [])
      yield { evidence: evidenceOf(one, task, files.get(task_id) ?? [], cast) }
    for (const one of calls.get(task_id) ?? []) yield { escalation: callOf(one, task, cast) }
  }
}

const byTask = <R extends { task_id: number }>(found: R[]) =>
  Map.groupBy(found, ({ task_id }) => task_id)

const versionsOf = async (tx: Tx, team_id: number, ids: number[]) =>
  byTask(
    await tx
      .select()
      .from(descriptionVersions)
      .where(
        and(eq(descriptionVersions.team_id, team_id), inArray(descriptionVersions.task_id, ids)),
      )
      .orderBy(asc(descriptionVersions.task_id), asc(descriptionVersions.version)),
  )

function versionOf(
  one: typeof descriptionVersions.$inferSelect,
  task: string,
  cast: Cast,
): RecordOf<'version'> {
  const { version, content, content_type, author_id, created_at } = one
  return {
    ...{ task, version, content, content_type },
    author: cast.of(author_id),
    created_at: created_at.toISOString(),
  }
}

/** Comments name each other by their place among those of their task. */
async function talkOf(tx: Tx, team_id: number, ids: number[], cast: Cast) {
  const found = await tx
    .select()
    .from(comments)
    .where(and(eq(comments.team_id, team_id), inArray(comments.task_id, ids)))
    .orderBy(asc(comments.created_at), asc(comments.comment_id))
  const of = found.map(({ comment_id }) => comment_id)
  const mentions = await tx
    .select()
    .from(commentMentions)
    .where(and(eq(commentMentions.team_id, team_id), inArray(commentMentions.comment_id, of)))
  const reactions = await tx
    .select()
    .from(commentReactions)
    .where(and(eq(commentReactions.team_id, team_id), inArray(commentReactions.comment_id, of)))
  const named = Map.groupBy(mentions, ({ comment_id }) => comment_id)
  const felt = Map.groupBy(reactions, ({ comment_id }) => comment_id)
  const told = byTask(found)
  const places = new Map(
    [...told.values()].flatMap((all) =>
      all.map(({ comment_id }, at): [number, number] => [comment_id, at + 1]),
    ),
  )
  const lines = (task_id: number, task: string): RecordOf<'comment'>[] => {
    const all = told.get(task_id) ?? []
    return all.map(({ comment_id, author_id, reply_to_comment_id: answers, ...one }) => ({
      task,
      author: cast.of(author_id),
      ...{ text: one.text, content_type: one.content_type },
      reply_to: answers === null ? null : (places.get(answers) ?? null),
      mentioned: (named.get(comment_id) ?? []).map((of) => cast.of(of.actor_id)).sort(order),
      reactions: (felt.get(comment_id) ?? [])
        .map((of) => ({ emoji: of.emoji, who: cast.of(of.actor_id), created_at: at(of) }))
        .sort((a, b) => order(a.emoji, b.emoji) || order(a.who, b.who)),
      created_at: at(one),
      edited_at: iso(one.edited_at),
    }))
  }
  return { of: lines, places }
}

const attachedTo = async (tx: Tx, team_id: number, ids: number[]) =>
  byTask(
    await tx
      .select()
      .from(attachments)
      .where(and(eq(attachments.team_id, team_id), inArray(attachments.task_id, ids)))
      .orderBy(asc(attachments.created_at), asc(attachments.attachment_id)),
  )

function attachmentOf(
  one: typeof attachments.$inferSelect,
  task: string,
  places: ReadonlyMap<number, number>,
  cast: Cast,
): RecordOf<'attachment'> {
  const { filename, content_type, size, sha256 } = one
  return {
    task,
    comment: one.comment_id === null ? null : (places.get(one.comment_id) ?? null),
    ...{ filename, content_type, size, sha256 },
    created_by: cast.of(one.created_by),
    created_at: at(one),
  }
}

const at = ({ created_at }: { created_at: Date }) => created_at.toISOString()

const decisionsOf = async (tx: Tx, team_id: number, ids: number[]) =>
  byTask(
    await tx
      .select()
      .from(decisionRequests)
      .where(and(eq(decisionRequests.team_id, team_id), inArray(decisionRequests.task_id, ids)))
      .orderBy(asc(decisionRequests.created_at), asc(decisionRequests.decision_request_id)),
  )

function decisionOf(
  one: typeof decisionRequests.$inferSelect,
  task: string,
  cast: Cast,
): RecordOf<'decision'> {
  const { decision_request_id: _, team_id: __, task_id: ___, ...own } = one
  return {
    ...{ task, ...own },
    asked: own.asked.map((who) => cast.of(who)),
    created_by: cast.of(own.created_by),
    created_at: at(own),
    closed_by: own.closed_by === null ? null : cast.of(own.closed_by),
    closed_at: iso(own.closed_at),
  }
}

const requestsOf = async (tx: Tx, team_id: number, ids: number[]) =>
  byTask(
    await tx
      .select()
      .from(pullRequests)
      .where(and(eq(pullRequests.team_id, team_id), inArray(pullRequests.task_id, ids)))
      .orderBy(asc(pullRequests.url)),
  )

function requestOf(
  one: typeof pullRequests.$inferSelect,
  task: string,
  cast: Cast,
): RecordOf<'pull_request'> {
  const { pull_request_id: _, team_id: __, task_id: ___, ...own } = one
  return {
    ...{ task, ...own },
    results: Object.fromEntries(
      Object.entries(own.results)
        .sort(([a], [b]) => order(a, b))
        .map(([name, [checks, when]]) => [name, [checks, when]]),
    ),
    created_by: cast.of(own.created_by),
    created_at: at(own),
    updated_at: own.updated_at.toISOString(),
  }
}

const shownFor = async (tx: Tx, team_id: number, ids: number[]) =>
  byTask(
    await tx
      .select()
      .from(evidence)
      .where(and(eq(evidence.team_id, team_id), inArray(evidence.task_id, ids)))
      .orderBy(asc(evidence.created_at), asc(evidence.evidence_id)),
  )

/** Its file is named by its place among those of the task. */
function evidenceOf(
  one: typeof evidence.$inferSelect,
  task: string,
  files: readonly (typeof attachments.$inferSelect)[],
  cast: Cast,
): RecordOf<'evidence'> {
  const { kind, summary, url, attachment_id } = one
  const place = files.findIndex((file) => file.attachment_id === attachment_id) + 1
  return {
    ...{ task, kind, summary, url, attachment: place || null },
    created_by: cast.of(one.created_by),
    created_at: at(one),
  }
}

const callsOf = async (tx: Tx, team_id: number, ids: number[]) =>
  byTask(
    await tx
      .select()
      .from(escalations)
      .where(and(eq(escalations.team_id, team_id), inArray(escalations.task_id, ids)))
      .orderBy(asc(escalations.created_at), asc(escalations.escalation_id)),
  )

function callOf(
  one: typeof escalations.$inferSelect,
  task: string,
  cast: Cast,
): RecordOf<'escalation'> {
  return {
    ...{ task, reason: one.reason, to: cast.of(one.to_id), created_by: cast.of(one.created_by) },
    ...{ created_at: at(one), note: one.note },
    resolved_by: one.resolved_by === null ? null : cast.of(one.resolved_by),
    resolved_at: iso(one.resolved_at),
  }
}
