import { setImmediate } from 'node:timers/promises'
import { and, asc, desc, eq, gt, gte, inArray, lt, lte, or } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import type { ActorRow } from '../people/index.ts'
import type { Project } from '../projects/index.ts'
import type { Section } from '../sections/index.ts'
import { isOverdue, tasks } from '../tasks/index.ts'
import { surroundings } from './around.ts'
import type { Card } from './schema.ts'

/** What one answer shows of a board; whoever needs more of it pages through lists. */
export const MOST_CARDS = 10_000
/** Read at a stretch, so that others have their turn in between. */
const PIECE = 250

const { task_id, rank } = tasks

const shown = {
  task_id,
  ticket_number: tasks.ticket_number,
  title: tasks.title,
  section_id: tasks.section_id,
  rank,
  parent_task_id: tasks.parent_task_id,
  priority: tasks.priority,
  estimate: tasks.estimate,
  due_date: tasks.due_date,
  due_at: tasks.due_at,
  start_date: tasks.start_date,
  recurrence: tasks.recurrence,
  snoozed_until: tasks.snoozed_until,
  completed_at: tasks.completed_at,
  comment_count: tasks.comment_count,
  attachment_count: tasks.attachment_count,
  page_count: tasks.page_count,
  pr_badge: tasks.pr_badge,
}
type Row = { [K in keyof typeof shown]: (typeof tasks.$inferSelect)[K] }

/** Cards, and whom they name. */
export interface Cards {
  cards: Card[]
  actors: Map<number, ActorRow>
}

const none = (): Cards => ({ cards: [], actors: new Map() })

/**
 * All that a board shows, or as much as one answer does: open columns come first then, and of a
 * done one the bottom, where the newest of it is.
 */
export async function allCards(
  ctx: Context,
  columns: readonly Section[],
  most = MOST_CARDS,
): Promise<Cards> {
  const all = none()
  const by = new Map<number, Card[]>()
  for (const column of columns.toSorted((a, b) => Number(a.done) - Number(b.done))) {
    const own = { cards: [], actors: all.actors }
    await fill(ctx, column, most, own)
    most -= own.cards.length
    by.set(column.section_id, column.done ? own.cards.reverse() : own.cards)
  }
  const cards = columns.flatMap(({ section_id }) => by.get(section_id)!)
  // What moved while they were read may have been met in both of its columns.
  all.cards = [...new Map(cards.map((card) => [card.task_id, card])).values()]
  return all
}

async function fill(ctx: Context, { team_id, section_id, done }: Section, most: number, to: Cards) {
  const here = and(
    eq(tasks.team_id, team_id),
    eq(tasks.section_id, section_id),
    eq(tasks.status, 'Normal'),
  )!
  const [way, after, onwards] = done ? [desc, lt, lte] : ([asc, gt, gte] as const)
  for (let last: Row | undefined; to.cards.length < most; ) {
    const rest = last && [
      onwards(rank, last.rank),
      or(after(rank, last.rank), after(task_id, last.task_id)),
    ]
    const rows = await ctx.tx
      .select(shown)
      .from(tasks)
      .where(and(here, ...(rest ?? [])))
      .orderBy(way(rank), way(task_id))
      .limit(Math.min(PIECE, most - to.cards.length))
    if (!rows.length) return
    last = rows.at(-1)!
    await addCards(ctx, team_id, rows, to)
    await setImmediate()
  }
}

/** Those of some tasks that a board shows. */
export async function someCards(
  ctx: Context,
  { team_id, project_id }: Project,
  ids: readonly number[],
): Promise<Cards> {
  const some = none()
  for (let at = 0; at < ids.length; at += PIECE) {
    const here = and(
      eq(tasks.team_id, team_id),
      eq(tasks.project_id, project_id),
      eq(tasks.status, 'Normal'),
      inArray(task_id, ids.slice(at, at + PIECE)),
    )
    const rows = await ctx.tx.select(shown).from(tasks).where(here)
    await addCards(ctx, team_id, rows, some)
    await setImmediate()
  }
  some.cards.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.task_id - b.task_id))
  return some
}

/** Adds a card for each row. */
async function addCards(ctx: Context, team_id: number, rows: readonly Row[], to: Cards) {
  const ids = rows.map((row) => row.task_id)
  const around = await surroundings(ctx, team_id, ids, to.actors)
  for (const { due_at, completed_at, snoozed_until, start_date, ...row } of rows)
    to.cards.push(
      trimmed({
        ...row,
        start_date: start_date?.toISOString(),
        snoozed_until: snoozed_until?.toISOString(),
        overdue: isOverdue({ due_at, completed_at, status: 'Normal' }, ctx.now),
        ...around(row.task_id),
      }),
    )
}

/** Most cards have little of what a card can have; what is not there is not sent. */
function trimmed(card: Record<string, unknown>): Card {
  return Object.fromEntries(
    Object.entries(card).filter(
      ([, value]) => value !== undefined && value !== null && value !== 0 && value !== false,
    ),
  ) as never
}
