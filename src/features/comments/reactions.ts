import { and, asc, count, eq, inArray } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { type ActorRow, actors, asActor } from '../people/index.ts'
import { emojiIn } from './rules.ts'
import { MOST_EMOJI, MOST_NAMED, type Reactions } from './schema.ts'
import type { Commented } from './store.ts'
import { commentReactions } from './tables.ts'
import { tell } from './write.ts'

/** Doing so again changes nothing. The task is held, so nobody counts past the most there may be. */
export async function react(ctx: Context, on: Commented, given: string): Promise<void> {
  const { comment, task } = on
  const { team_id, comment_id, author_id } = comment
  const emoji = emojiIn(given)
  const here = and(
    eq(commentReactions.team_id, team_id),
    eq(commentReactions.comment_id, comment_id),
  )
  const kinds = await ctx.tx
    .select({ emoji: commentReactions.emoji, count: count() })
    .from(commentReactions)
    .where(here)
    .groupBy(commentReactions.emoji)
  if (kinds.length >= MOST_EMOJI && !kinds.some((one) => one.emoji === emoji))
    throw fault.conflict(
      `This comment has ${MOST_EMOJI} different reactions, which is the most`,
      { field: 'emoji', value: emoji, limit: MOST_EMOJI },
      'Use one of those that it has',
    )
  const added = await ctx.tx
    .insert(commentReactions)
    .values({ team_id, comment_id, emoji, actor_id: ctx.caller.actor_id, created_at: ctx.now })
    .onConflictDoNothing()
    .returning({ emoji: commentReactions.emoji })
  if (added.length) tell(ctx, 'reaction', task, comment, { emoji, added: true, author_id })
}

export async function unreact(ctx: Context, on: Commented, given: string): Promise<void> {
  const { comment, task } = on
  const { team_id, comment_id, author_id } = comment
  const emoji = emojiIn(given)
  const own = and(
    eq(commentReactions.team_id, team_id),
    eq(commentReactions.comment_id, comment_id),
    eq(commentReactions.emoji, emoji),
    eq(commentReactions.actor_id, ctx.caller.actor_id),
  )
  const gone = await ctx.tx
    .delete(commentReactions)
    .where(own)
    .returning({ emoji: commentReactions.emoji })
  if (gone.length) tell(ctx, 'reaction', task, comment, { emoji, added: false, author_id })
}

/** By comment, each emoji once, those first that somebody used first. */
export async function reactionsOf(
  { tx, caller }: Pick<Context, 'tx' | 'caller'>,
  team_id: number,
  comment_ids: readonly number[],
): Promise<ReadonlyMap<number, Reactions>> {
  if (!comment_ids.length) return new Map()
  const rows = await tx
    .select({ reaction: commentReactions, actor: actors })
    .from(commentReactions)
    .innerJoin(actors, eq(actors.actor_id, commentReactions.actor_id))
    .where(
      and(
        eq(commentReactions.team_id, team_id),
        inArray(commentReactions.comment_id, [...comment_ids]),
      ),
    )
    .orderBy(
      asc(commentReactions.created_at),
      asc(commentReactions.emoji),
      asc(commentReactions.actor_id),
    )
  const byComment = Map.groupBy(rows, ({ reaction }) => reaction.comment_id)
  return new Map(
    [...byComment].map(([comment_id, some]) => {
      const byEmoji = Map.groupBy(some, ({ reaction }) => reaction.emoji)
      const shown = [...byEmoji].map(([emoji, those]) =>
        summed(
          emoji,
          those.map(({ actor }) => actor),
          caller.actor_id,
        ),
      )
      return [comment_id, shown]
    }),
  )
}

const summed = (emoji: string, by: readonly ActorRow[], me: number) => ({
  emoji,
  count: by.length,
  mine: by.some(({ actor_id }) => actor_id === me),
  by: by.slice(0, MOST_NAMED).map(asActor),
})
