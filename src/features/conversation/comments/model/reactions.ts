import { and, asc, count, eq } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { idList, isInIdList } from '../../../../store/id-list.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { type ActorRow, actors, asActor } from '../../../identity/people/model/index.ts'
import { parseEmoji } from './rules.ts'
import { MAX_EMOJI, MAX_NAMED, type Reactions } from './schema.ts'
import type { LocatedComment } from './store.ts'
import { commentReactions } from './tables.ts'
import { emitCommentChange } from './write.ts'

/**
 * Adds a reaction; adding the same one again changes nothing. The task is locked, so concurrent
 * requests cannot exceed MAX_EMOJI.
 */
export async function react(ctx: Context, target: LocatedComment, input: string): Promise<void> {
  const { comment, task } = target
  const { team_id, comment_id, author_id } = comment
  const emoji = parseEmoji(input)
  const ofComment = and(
    eq(commentReactions.team_id, team_id),
    eq(commentReactions.comment_id, comment_id),
  )
  const kinds = await ctx.tx
    .select({ emoji: commentReactions.emoji, count: count() })
    .from(commentReactions)
    .where(ofComment)
    .groupBy(commentReactions.emoji)
  if (kinds.length >= MAX_EMOJI && !kinds.some((kind) => kind.emoji === emoji))
    throw fault.conflict(
      `This comment already has ${MAX_EMOJI} different reactions, which is the maximum`,
      { field: 'emoji', value: emoji, limit: MAX_EMOJI },
      'Use one of the existing reactions',
    )
  const added = await ctx.tx
    .insert(commentReactions)
    .values({ team_id, comment_id, emoji, actor_id: ctx.caller.actor_id, created_at: ctx.now })
    .onConflictDoNothing()
    .returning({ emoji: commentReactions.emoji })
  if (added.length)
    emitCommentChange(ctx, 'reaction', task, comment, { emoji, added: true, author_id })
}

export async function unreact(ctx: Context, target: LocatedComment, input: string): Promise<void> {
  const { comment, task } = target
  const { team_id, comment_id, author_id } = comment
  const emoji = parseEmoji(input)
  const ownReaction = and(
    eq(commentReactions.team_id, team_id),
    eq(commentReactions.comment_id, comment_id),
    eq(commentReactions.emoji, emoji),
    eq(commentReactions.actor_id, ctx.caller.actor_id),
  )
  const removed = await ctx.tx
    .delete(commentReactions)
    .where(ownReaction)
    .returning({ emoji: commentReactions.emoji })
  if (removed.length)
    emitCommentChange(ctx, 'reaction', task, comment, { emoji, added: false, author_id })
}

/** Returns the reactions per comment: each emoji once, in order of first use. */
export async function reactionsOf(
  { tx, caller }: Pick<Context, 'tx' | 'caller'>,
  team_id: number,
  comment_ids: readonly number[],
): Promise<ReadonlyMap<number, Reactions>> {
  if (!comment_ids.length) return new Map()
  const rows = await selectReactions(tx).execute({ team_id, ids: idList(comment_ids) })
  const byComment = Map.groupBy(rows, ({ reaction }) => reaction.comment_id)
  return new Map(
    [...byComment].map(([comment_id, commentRows]) => {
      const byEmoji = Map.groupBy(commentRows, ({ reaction }) => reaction.emoji)
      const reactions = [...byEmoji].map(([emoji, emojiRows]) =>
        toReaction(
          emoji,
          emojiRows.map(({ actor }) => actor),
          caller.actor_id,
        ),
      )
      return [comment_id, reactions]
    }),
  )
}

const selectReactions = prepared((tx) =>
  tx
    .select({ reaction: commentReactions, actor: actors })
    .from(commentReactions)
    .innerJoin(actors, eq(actors.actor_id, commentReactions.actor_id))
    .where(
      and(
        eq(commentReactions.team_id, param('team_id')),
        isInIdList(commentReactions.comment_id, param('ids')),
      ),
    )
    .orderBy(
      asc(commentReactions.created_at),
      asc(commentReactions.emoji),
      asc(commentReactions.actor_id),
    )
    .prepare('reactions_of_comments'),
)

const toReaction = (emoji: string, by: readonly ActorRow[], caller_id: number) => ({
  emoji,
  count: by.length,
  mine: by.some(({ actor_id }) => actor_id === caller_id),
  by: by.slice(0, MAX_NAMED).map(asActor),
})
