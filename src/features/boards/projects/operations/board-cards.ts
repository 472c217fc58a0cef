import { setImmediate } from 'node:timers/promises'
import { and, asc, desc, eq, gt, gte, inArray, lt, lte, or } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import type { ActorRow } from '../../../identity/people/model/index.ts'
import { pickFields } from '../../../tasks/fields/model/index.ts'
import { isOverdue } from '../../../tasks/states/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import type { Section } from '../../sections/model/index.ts'
import type { Project } from '../model/index.ts'
import { cardDetails } from './board-card-details.ts'
import type { Card } from './board-schema.ts'

/** The most cards in one response; lists page through more. */
export const MAX_CARDS = 10_000
/** Cards read per query; other requests run in between. */
const BATCH_SIZE = 250

const { task_id, rank } = tasks

const cardColumns = {
  task_id,
  ticket_number: tasks.ticket_number,
  title: tasks.title,
  section_id: tasks.section_id,
  rank,
  parent_task_id: tasks.parent_task_id,
  ...pickFields('card', tasks),
  due_date: tasks.due_date,
  due_at: tasks.due_at,
  snoozed_until: tasks.snoozed_until,
  completed_at: tasks.completed_at,
  comment_count: tasks.comment_count,
  attachment_count: tasks.attachment_count,
  page_count: tasks.page_count,
  pr_badge: tasks.pr_badge,
}
type Row = { [K in keyof typeof cardColumns]: (typeof tasks.$inferSelect)[K] }

/** Cards and the actors that they name. */
export interface Cards {
  cards: Card[]
  actors: Map<number, ActorRow>
}

const emptyCards = (): Cards => ({ cards: [], actors: new Map() })

/**
 * All cards of a board up to the limit. Open sections come first; of a done section the bottom is
 * kept, where its newest cards are.
 */
export async function allCards(
  ctx: Context,
  columns: readonly Section[],
  remaining = MAX_CARDS,
): Promise<Cards> {
  const result = emptyCards()
  const cardsBySection = new Map<number, Card[]>()
  for (const column of columns.toSorted((a, b) => Number(a.done) - Number(b.done))) {
    const own = { cards: [], actors: result.actors }
    await loadColumn(ctx, column, remaining, own)
    remaining -= own.cards.length
    cardsBySection.set(column.section_id, column.done ? own.cards.reverse() : own.cards)
  }
  const cards = columns.flatMap(({ section_id }) => cardsBySection.get(section_id)!)
  // A task that moved during the read may appear in both sections.
  result.cards = [...new Map(cards.map((card) => [card.task_id, card])).values()]
  return result
}

async function loadColumn(
  ctx: Context,
  { team_id, section_id, done }: Section,
  limit: number,
  result: Cards,
) {
  const onBoard = and(
    eq(tasks.team_id, team_id),
    eq(tasks.section_id, section_id),
    eq(tasks.status, 'Normal'),
  )!
  const [direction, afterRank, fromRank] = done ? [desc, lt, lte] : ([asc, gt, gte] as const)
  for (let last: Row | undefined; result.cards.length < limit; ) {
    const afterLast = last && [
      fromRank(rank, last.rank),
      or(afterRank(rank, last.rank), afterRank(task_id, last.task_id)),
    ]
    const rows = await ctx.tx
      .select(cardColumns)
      .from(tasks)
      .where(and(onBoard, ...(afterLast ?? [])))
      .orderBy(direction(rank), direction(task_id))
      .limit(Math.min(BATCH_SIZE, limit - result.cards.length))
    if (!rows.length) return
    last = rows.at(-1)!
    await addCards(ctx, team_id, rows, result)
    await setImmediate()
  }
}

/** The cards of these tasks, as far as they are on the board. */
export async function cardsOfTasks(
  ctx: Context,
  { team_id, project_id }: Project,
  ids: readonly number[],
): Promise<Cards> {
  const result = emptyCards()
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    const onBoard = and(
      eq(tasks.team_id, team_id),
      eq(tasks.project_id, project_id),
      eq(tasks.status, 'Normal'),
      inArray(task_id, ids.slice(at, at + BATCH_SIZE)),
    )
    const rows = await ctx.tx.select(cardColumns).from(tasks).where(onBoard)
    await addCards(ctx, team_id, rows, result)
    await setImmediate()
  }
  result.cards.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.task_id - b.task_id))
  return result
}

async function addCards(ctx: Context, team_id: number, rows: readonly Row[], result: Cards) {
  const ids = rows.map((row) => row.task_id)
  const detailsOf = await cardDetails(ctx, team_id, ids, result.actors)
  for (const { due_at, completed_at, ...row } of rows)
    result.cards.push(
      withoutEmptyValues({
        ...row,
        overdue: isOverdue({ due_at, completed_at, status: 'Normal' }, ctx.now),
        ...detailsOf(row.task_id),
      }),
    )
}

/** Leaves out empty values: most cards have few of the fields. Dates become ISO 8601. */
const withoutEmptyValues = (card: Record<string, unknown>): Card =>
  Object.fromEntries(
    Object.entries(card)
      .filter(
        ([, value]) => value !== undefined && value !== null && value !== 0 && value !== false,
      )
      .map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  ) as never
