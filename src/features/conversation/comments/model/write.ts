import { and, eq, inArray } from 'drizzle-orm'
import { type Format, snippetOf } from '../../../../content/index.ts'
import type { Context, Recipients } from '../../../../kernel/caller.ts'
import type { ChangeVerb } from '../../../../kernel/changes.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { markSkillsUsed, type Skill, skillsNamedIn } from '../../../agents/skills/model/index.ts'
import { placeOf } from '../../../boards/projects/model/index.ts'
import { type ActorRow, asActor } from '../../../identity/people/model/index.ts'
import { findInvocation } from '../../../inbox/notifications/model/index.ts'
import { attachFiles, dropAttachments } from '../../../tasks/attachments/model/index.ts'
import type { ReceivedFile } from '../../../tasks/files/model/index.ts'
import type { Located, Task } from '../../../tasks/tasks/model/index.ts'
import { watchersAmong } from '../../../tasks/watchers/model/index.ts'
import { type Mention, resolveMentions } from '../../mentions/model/index.ts'
import {
  type Comment,
  findReplyTarget,
  type LocatedComment,
  mentionedActors,
  participantsOf,
  updateCommentCount,
} from './store.ts'
import { commentMentions, commentReactions, comments } from './tables.ts'

interface CommentContent {
  /** The cleaned text. */
  text: string
  /** Defaults to HTML. */
  content_type?: Format
  mentions?: readonly Mention[]
}

export interface NewComment extends CommentContent {
  reply_to_comment_id?: number
  reply_to_invocation_id?: number
  received?: readonly ReceivedFile[]
}

const insertComment = prepared((tx) =>
  tx
    .insert(comments)
    .values({
      team_id: param('team_id'),
      task_id: param('task_id'),
      author_id: param('author_id'),
      text: param('text'),
      content_type: param('content_type'),
      reply_to_comment_id: param('reply_to_comment_id'),
      reply_to_invocation_id: param('reply_to_invocation_id'),
      created_at: param('created_at'),
    })
    // The text is not returned, because reading it back takes as long as writing it.
    .returning({ comment_id: comments.comment_id })
    .prepare('comment_insert'),
)

/** Adds a comment by the caller. Those it mentions and those it replies to are notified. */
export async function addComment(
  ctx: Context,
  { task, project }: Located,
  { text, content_type = 'html', mentions = [], received = [], ...reply }: NewComment,
): Promise<Comment & { mentioned: ActorRow[] }> {
  const { reply_to_comment_id, reply_to_invocation_id } = reply
  const { team_id, task_id } = task
  const answered = await answeredActors(ctx, task, reply)
  let namedSkills: Skill[] = []
  const mentioned = await resolveMentions(ctx, project, {
    mentions,
    text,
    format: content_type,
    field: 'text',
    async otherNames() {
      namedSkills = await skillsNamedIn(ctx, project.project_id, text, content_type)
      return namedSkills.map(({ slug }) => slug)
    },
  })
  await markSkillsUsed(ctx.tx, namedSkills, ctx.now)
  const row = {
    team_id,
    task_id,
    author_id: ctx.caller.actor_id,
    text,
    content_type,
    reply_to_comment_id: reply_to_comment_id ?? null,
    reply_to_invocation_id: reply_to_invocation_id ?? null,
    created_at: ctx.now,
  }
  const [created] = await insertComment(ctx.tx).execute(row)
  const comment: Comment = { ...row, ...created!, edited_at: null }
  const { comment_id } = comment
  const skills = await boardSkillsIn(ctx, task, comment)
  await insertMentions(ctx, comment, mentioned)
  await updateCommentCount(ctx.tx, task)
  const participants = await watchersAmong(ctx.tx, task, await participantsOf(ctx.tx, task))
  const data = {
    ...snippetAndMentions(comment, mentioned),
    ...skills,
    ...(reply_to_comment_id !== undefined && { reply_to_comment_id }),
    ...(reply_to_invocation_id !== undefined && { reply_to_invocation_id }),
  }
  emitCommentChange(ctx, 'created', task, comment, data, { answered, participants })
  emitMentions(ctx, task, comment, mentioned, skills)
  await attachFiles(ctx, { ...task, comment_id }, received)
  return { ...comment, mentioned }
}

type ReplyRefs = Pick<NewComment, 'reply_to_comment_id' | 'reply_to_invocation_id'>

/** Returns the author of the comment replied to and the actor whose notification it answers. */
async function answeredActors(
  ctx: Context,
  task: Task,
  { reply_to_comment_id: comment, reply_to_invocation_id: call }: ReplyRefs,
): Promise<number[]> {
  const actorIds: number[] = []
  if (comment !== undefined) actorIds.push((await findReplyTarget(ctx.tx, task, comment)).author_id)
  if (call !== undefined) actorIds.push(await findInvocation(ctx, task, call))
  return actorIds
}

/** Changes the text of a comment. Only newly mentioned actors are notified. */
export async function editComment(
  ctx: Context,
  { comment: before, task, project }: LocatedComment,
  { text, content_type = 'html', mentions }: CommentContent,
): Promise<Comment & { mentioned: ActorRow[] }> {
  const previous = await mentionedActors(ctx.tx, before)
  const current = await resolveMentions(ctx, project, {
    mentions,
    text,
    format: content_type,
    field: 'text',
    previous,
    async otherNames() {
      const skills = await skillsNamedIn(ctx, project.project_id, text, content_type)
      return skills.map(({ slug }) => slug)
    },
  })
  const mentioned = without(current, previous)
  const removed = without(previous, current)
  const isSame = before.text === text && before.content_type === content_type
  if (isSame && !mentioned.length && !removed.length) return { ...before, mentioned }
  const [comment] = await ctx.tx
    .update(comments)
    .set({ text, content_type, edited_at: ctx.now })
    .where(eq(comments.comment_id, before.comment_id))
    .returning()
  await deleteMentions(ctx, before, removed)
  await insertMentions(ctx, before, mentioned)
  emitCommentChange(ctx, 'updated', task, before, snippetAndMentions(comment!, mentioned))
  emitMentions(ctx, task, comment!, mentioned, await boardSkillsIn(ctx, task, comment!))
  return { ...comment!, mentioned }
}

/** Deletes a comment with its attachments, mentions and reactions. Replies to it stay. */
export async function deleteComment(
  ctx: Context,
  { comment, task }: LocatedComment,
): Promise<void> {
  const { team_id, comment_id, author_id } = comment
  await dropAttachments(ctx, task, { comment_id })
  for (const table of [commentMentions, commentReactions])
    await ctx.tx
      .delete(table)
      .where(and(eq(table.team_id, team_id), eq(table.comment_id, comment_id)))
  await ctx.tx
    .update(comments)
    .set({ reply_to_comment_id: null })
    .where(and(eq(comments.team_id, team_id), eq(comments.reply_to_comment_id, comment_id)))
  await ctx.tx.delete(comments).where(eq(comments.comment_id, comment_id))
  await updateCommentCount(ctx.tx, task)
  emitCommentChange(ctx, 'deleted', task, comment, { author_id })
}

const without = (actors: readonly ActorRow[], others: readonly ActorRow[]) =>
  actors.filter(({ actor_id }) => !others.some((other) => other.actor_id === actor_id))

const idsOf = (actors: readonly ActorRow[]) => actors.map(({ actor_id }) => actor_id)

/** A change carries the beginning of the text. Readers who need all of it load the comment. */
const MAX_SNIPPET_LENGTH = 2000
const snippetIn = ({ text, content_type }: Comment) =>
  snippetOf(text, content_type, MAX_SNIPPET_LENGTH)

const snippetAndMentions = (comment: Comment, mentioned: readonly ActorRow[]) => ({
  snippet: snippetIn(comment),
  mentioned: idsOf(mentioned),
})

export function emitCommentChange(
  ctx: Context,
  verb: ChangeVerb<'comment'>,
  { team_id, project_id, task_id, ticket_number, title }: Task,
  { comment_id }: Comment,
  data: Record<string, unknown>,
  recipients?: Recipients,
): void {
  const place = { ...placeOf({ team_id, project_id }), task_id }
  ctx.emit(`comment.${verb}`, place, { ticket_number, title, comment_id, ...data }, recipients)
}

function emitMentions(
  ctx: Context,
  task: Task,
  comment: Comment,
  mentioned: ActorRow[],
  skills: object,
): void {
  const snippet = snippetIn(comment)
  for (const actor of mentioned) {
    const { actor_id } = actor
    emitCommentChange(ctx, 'mention', task, comment, {
      actor: asActor(actor),
      actor_id,
      snippet,
      ...skills,
    })
  }
}

async function insertMentions(
  { tx }: Context,
  { team_id, comment_id }: Comment,
  actors: ActorRow[],
) {
  if (actors.length)
    await tx
      .insert(commentMentions)
      .values(actors.map(({ actor_id }) => ({ team_id, comment_id, actor_id })))
}

async function deleteMentions(
  { tx }: Context,
  { team_id, comment_id }: Comment,
  actors: ActorRow[],
) {
  if (actors.length)
    await tx
      .delete(commentMentions)
      .where(
        and(
          eq(commentMentions.team_id, team_id),
          eq(commentMentions.comment_id, comment_id),
          inArray(commentMentions.actor_id, idsOf(actors)),
        ),
      )
}

/**
 * Returns the skills of the board that a comment names. Personal skills are left out, because the
 * mentioned actors cannot read them.
 */
async function boardSkillsIn(
  ctx: Context,
  { project_id }: Pick<Task, 'project_id'>,
  { text, content_type }: Comment,
) {
  // A skill starts a native agent, which texts of outsiders must not do.
  if (ctx.caller.isOutsider) return {}
  const namedSkills = await skillsNamedIn(ctx, project_id, text, content_type)
  const skills = namedSkills.filter((skill) => skill.project_id !== null)
  return skills.length ? { skills: skills.map(({ slug, name }) => ({ slug, name })) } : {}
}
