import { commentMentions, commentReactions, comments } from '../features/comments/index.ts'
import { decisionRequests } from '../features/decision_requests/index.ts'
import { escalations } from '../features/escalations/index.ts'
import { evidence } from '../features/evidence/index.ts'
import { attachments } from '../features/files/index.ts'
import { pullRequests } from '../features/pull_requests/index.ts'
import { descriptionVersions } from '../features/tasks/index.ts'
import { timeEntries } from '../features/time/index.ts'
import type { Inserter } from '../store/bulk.ts'
import { type Binding, bind } from './bound.ts'
import type { PieceKind, RecordOf } from './schema.ts'

/** What came after the line of a task. */
export type Pieces = { [K in PieceKind]: RecordOf<K>[] }

export const noPieces = (): Pieces => ({
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

const moment = (text: string) => new Date(text)
const orNull = (text: string | null) => (text === null ? null : new Date(text))

/** What a task keeps of what hangs on it. */
export const countsOf = ({ comment, attachment, page }: Pieces) => ({
  comment_count: comment.length,
  attachment_count: attachment.length,
  page_count: page.filter(({ archived_at }) => archived_at === null).length,
  last_comment_at: orNull(comment.at(-1)?.created_at ?? null),
})

/** Writes what hangs on some tasks. */
export async function hang(
  binding: Binding,
  tasks: readonly { ids: Ids; pieces: Pieces }[],
): Promise<void> {
  const { inserter, actorOf } = binding
  const of = <K extends PieceKind, R>(kind: K, row: (record: RecordOf<K>, ids: Ids) => R): R[] =>
    tasks.flatMap(({ ids, pieces }) => pieces[kind].map((record) => row(record, ids)))
  await inserter.insert(
    descriptionVersions,
    of('version', ({ task: _, author, created_at, ...own }, ids) => ({
      ...{ ...ids, ...own },
      author_id: actorOf(author),
      created_at: moment(created_at),
    })),
  )
  for (const { ids, pieces } of tasks) {
    const comment_ids = await talk(inserter, actorOf, ids, pieces.comment)
    const files = await inserter.insert(
      attachments,
      pieces.attachment.map(({ task: _, comment, ...own }) => ({
        ...{ ...ids, ...own },
        comment_id: comment === null ? null : comment_ids[comment - 1]!,
        created_by: actorOf(own.created_by),
        created_at: moment(own.created_at),
      })),
      ['attachment_id'],
    )
    await inserter.insert(
      evidence,
      pieces.evidence.map(({ task: _, attachment, ...own }) => ({
        ...{ ...ids, ...own },
        attachment_id: attachment === null ? null : files[attachment - 1]!.attachment_id,
        created_by: actorOf(own.created_by),
        created_at: moment(own.created_at),
      })),
    )
    await bind(binding, ids, pieces)
  }
  await inserter.insert(
    decisionRequests,
    of('decision', ({ task: _, ...own }, ids) => ({
      ...{ ...ids, ...own },
      asked: own.asked.map(actorOf),
      created_by: actorOf(own.created_by),
      created_at: moment(own.created_at),
      closed_by: own.closed_by === null ? null : actorOf(own.closed_by),
      closed_at: orNull(own.closed_at),
    })),
  )
  await inserter.insert(escalations, callsOf(tasks, actorOf))
  await inserter.insert(timeEntries, of('time_entry', spentBy(actorOf)))
  await inserter.insert(
    pullRequests,
    of('pull_request', ({ task: _, ...own }, ids) => ({
      ...{ ...ids, ...own },
      created_by: actorOf(own.created_by),
      created_at: moment(own.created_at),
      updated_at: moment(own.updated_at),
    })),
  )
}

const spentBy =
  (actorOf: ActorOf) =>
  ({ task: _, who, ...own }: RecordOf<'time_entry'>, ids: Ids) => ({
    ...{ ...ids, ...own },
    actor_id: actorOf(who),
    ...{ running_since: null, paused_at: null },
    started_at: moment(own.started_at),
    ended_at: moment(own.ended_at),
    created_at: moment(own.created_at),
  })

/** The calls of some tasks. */
function callsOf(tasks: readonly { ids: Ids; pieces: Pieces }[], actorOf: ActorOf) {
  return tasks.flatMap(({ ids, pieces }) =>
    pieces.escalation.map(({ task: _, to, ...own }) => ({
      ...{ ...ids, ...own },
      to_id: actorOf(to),
      created_by: actorOf(own.created_by),
      created_at: moment(own.created_at),
      resolved_by: own.resolved_by === null ? null : actorOf(own.resolved_by),
      resolved_at: orNull(own.resolved_at),
    })),
  )
}

/** One comment after the other, since each may answer one before it. Answers their numbers. */
async function talk(
  inserter: Inserter,
  actorOf: ActorOf,
  ids: Ids,
  said: readonly RecordOf<'comment'>[],
): Promise<number[]> {
  const numbers: number[] = []
  for (const { author, reply_to, mentioned, reactions, ...own } of said) {
    const row = {
      ...{ ...ids, text: own.text, content_type: own.content_type },
      author_id: actorOf(author),
      reply_to_comment_id: reply_to === null ? null : numbers[reply_to - 1]!,
      created_at: moment(own.created_at),
      edited_at: orNull(own.edited_at),
    }
    const [made] = await inserter.insert(comments, [row], ['comment_id'])
    const at = { team_id: ids.team_id, comment_id: made!.comment_id }
    numbers.push(at.comment_id)
    const named = mentioned.map((who) => ({ ...at, actor_id: actorOf(who) }))
    await inserter.insert(commentMentions, named)
    const felt = reactions.map(({ emoji, who, created_at }) => ({
      ...{ ...at, emoji },
      actor_id: actorOf(who),
      created_at: moment(created_at),
    }))
    await inserter.insert(commentReactions, felt)
  }
  return numbers
}
