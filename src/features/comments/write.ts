import { and, eq, inArray } from 'drizzle-orm'
import { type Format, snippetOf } from '../../content/index.ts'
import type { Context, Recipients } from '../../kernel/caller.ts'
import { param, prepared } from '../../store/prepared.ts'
import type { Received } from '../files/index.ts'
import { type Mention, mentionsIn } from '../mentions/index.ts'
import { findInvocation } from '../notifications/index.ts'
import { type ActorRow, asActor } from '../people/index.ts'
import { placeOf } from '../projects/index.ts'
import { noteSkillUse, type Skill, skillsNamedIn } from '../skills/index.ts'
import { attachFiles, dropAttachments, type Located, type Task } from '../tasks/index.ts'
import { skillsIn } from './skilled.ts'
import {
  type Comment,
  type Commented,
  countComments,
  findAnswered,
  mentionedIn,
  participantsOf,
} from './store.ts'
import { commentMentions, commentReactions, comments } from './tables.ts'

interface Wording {
  /** As it may be kept: what was cleaned. */
  text: string
  /** Left out: HTML. */
  content_type?: Format
  mentions?: readonly Mention[]
}

export interface NewComment extends Wording {
  reply_to_comment_id?: number
  reply_to_invocation_id?: number
  received?: readonly Received[]
}

const inserts = prepared((tx) =>
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
    // Not the text, which takes as long to read back as to write.
    .returning({ comment_id: comments.comment_id })
    .prepare('comment_insert'),
)

/** A comment by the caller. Whoever it mentions, and whoever it answers, hears of it. */
export async function addComment(
  ctx: Context,
  { task, project }: Located,
  { text, content_type = 'html', mentions = [], received = [], ...answering }: NewComment,
): Promise<Comment & { mentioned: ActorRow[] }> {
  const { reply_to_comment_id, reply_to_invocation_id } = answering
  const { team_id, task_id } = task
  const answered = await answeredBy(ctx, task, answering)
  let called: Skill[] = []
  const mentioned = await mentionsIn(ctx, project, {
    ...{ mentions, text, format: content_type, field: 'text' },
    async others() {
      called = await skillsNamedIn(ctx, project.project_id, text, content_type)
      return called.map(({ slug }) => slug)
    },
  })
  await noteSkillUse(ctx.tx, called, ctx.now)
  const row = {
    ...{ team_id, task_id, author_id: ctx.caller.actor_id, text, content_type },
    reply_to_comment_id: reply_to_comment_id ?? null,
    reply_to_invocation_id: reply_to_invocation_id ?? null,
    created_at: ctx.now,
  }
  const [made] = await inserts(ctx.tx).execute(row)
  const comment: Comment = { ...row, ...made!, edited_at: null }
  const { comment_id } = comment
  const skills = await skillsIn(ctx, task, comment)
  await keepMentions(ctx, comment, mentioned)
  await countComments(ctx.tx, task)
  const said = {
    ...{ ...about(comment, mentioned), ...skills },
    ...(reply_to_comment_id !== undefined && { reply_to_comment_id }),
    ...(reply_to_invocation_id !== undefined && { reply_to_invocation_id }),
  }
  const participants = await participantsOf(ctx.tx, task)
  tell(ctx, 'created', task, comment, said, { answered, participants })
  tellMentioned(ctx, task, comment, mentioned, skills)
  await attachFiles(ctx, { ...task, comment_id }, received)
  return { ...comment, mentioned }
}

type Answering = Pick<NewComment, 'reply_to_comment_id' | 'reply_to_invocation_id'>

/** The author of the comment that is answered, and whoever called the caller here. */
async function answeredBy(
  ctx: Context,
  task: Task,
  { reply_to_comment_id: comment, reply_to_invocation_id: call }: Answering,
): Promise<number[]> {
  const found: number[] = []
  if (comment !== undefined) found.push((await findAnswered(ctx.tx, task, comment)).author_id)
  if (call !== undefined) found.push(await findInvocation(ctx, task, call))
  return found
}

/** Another wording. Only who was not mentioned before hears of it. */
export async function editComment(
  ctx: Context,
  { comment: before, task, project }: Commented,
  { text, content_type = 'html', mentions }: Wording,
): Promise<Comment & { mentioned: ActorRow[] }> {
  const known = await mentionedIn(ctx.tx, before)
  const meant = await mentionsIn(ctx, project, {
    ...{ mentions, text, format: content_type, field: 'text', known },
    async others() {
      const called = await skillsNamedIn(ctx, project.project_id, text, content_type)
      return called.map(({ slug }) => slug)
    },
  })
  const mentioned = without(meant, known)
  const left = without(known, meant)
  const isSame = before.text === text && before.content_type === content_type
  if (isSame && !mentioned.length && !left.length) return { ...before, mentioned }
  const [comment] = await ctx.tx
    .update(comments)
    .set({ text, content_type, edited_at: ctx.now })
    .where(eq(comments.comment_id, before.comment_id))
    .returning()
  await forgetMentions(ctx, before, left)
  await keepMentions(ctx, before, mentioned)
  tell(ctx, 'updated', task, before, about(comment!, mentioned))
  tellMentioned(ctx, task, comment!, mentioned, await skillsIn(ctx, task, comment!))
  return { ...comment!, mentioned }
}

/** Takes a comment away for good, with all that hangs on it. Answers to it stay. */
export async function deleteComment(ctx: Context, { comment, task }: Commented): Promise<void> {
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
  await countComments(ctx.tx, task)
  tell(ctx, 'deleted', task, comment, { author_id })
}

const without = (some: readonly ActorRow[], others: readonly ActorRow[]) =>
  some.filter(({ actor_id }) => !others.some((one) => one.actor_id === actor_id))

const idsOf = (some: readonly ActorRow[]) => some.map(({ actor_id }) => actor_id)

/** What others are told of a text; whoever wants all of it reads the comment. */
const MOST_TOLD = 2000
const beginningOf = ({ text, content_type }: Comment) => snippetOf(text, content_type, MOST_TOLD)

const about = (comment: Comment, mentioned: readonly ActorRow[]) => ({
  snippet: beginningOf(comment),
  mentioned: idsOf(mentioned),
})

export function tell(
  ctx: Context,
  verb: string,
  { team_id, project_id, task_id, ticket_number, title }: Task,
  { comment_id }: Comment,
  data: Record<string, unknown>,
  recipients?: Recipients,
): void {
  const place = { ...placeOf({ team_id, project_id }), task_id }
  ctx.emit(`comment.${verb}`, place, { ticket_number, title, comment_id, ...data }, recipients)
}

function tellMentioned(
  ctx: Context,
  task: Task,
  comment: Comment,
  mentioned: ActorRow[],
  skills: object,
): void {
  const snippet = beginningOf(comment)
  for (const one of mentioned) {
    const { actor_id } = one
    tell(ctx, 'mention', task, comment, { actor: asActor(one), actor_id, snippet, ...skills })
  }
}

async function keepMentions({ tx }: Context, { team_id, comment_id }: Comment, some: ActorRow[]) {
  if (some.length)
    await tx
      .insert(commentMentions)
      .values(some.map(({ actor_id }) => ({ team_id, comment_id, actor_id })))
}

async function forgetMentions({ tx }: Context, { team_id, comment_id }: Comment, some: ActorRow[]) {
  if (some.length)
    await tx
      .delete(commentMentions)
      .where(
        and(
          eq(commentMentions.team_id, team_id),
          eq(commentMentions.comment_id, comment_id),
          inArray(commentMentions.actor_id, idsOf(some)),
        ),
      )
}
