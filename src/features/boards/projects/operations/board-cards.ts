import { setImmediate } from 'node:timers/promises'
import { and, asc, desc, eq, gt, gte, lt, lte, or } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { idList, isInIdList } from '../../../../store/id-list.ts'
import { param, prepared } from '../../../../store/prepared.ts'
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
  created_at: tasks.created_at,
  updated_at: tasks.updated_at,
  comment_count: tasks.comment_count,
  attachment_count: tasks.attachment_count,
  page_count: tasks.page_count,
  pr_badge: tasks.pr_badge,
}
export type Row = { [K in keyof typeof cardColumns]: (typeof tasks.$inferSelect)[K] }

const statements = prepared((tx) => ({
  down: columnPage(tx, { direction: asc, after: gt, from: gte }),
  up: columnPage(tx, { direction: desc, after: lt, from: lte }),
  some: tx
    .select(cardColumns)
    .from(tasks)
    .where(
      and(
        eq(tasks.team_id, param('team_id')),
        eq(tasks.project_id, param('project_id')),
        eq(tasks.status, 'Normal'),
        isInIdList(task_id, param('ids')),
      ),
    )
    .prepare('board_some_cards'),
}))

interface Order {
  direction: typeof asc
  after: typeof gt
  from: typeof gte
}

/** The next cards of a column after a card, given by its rank and id. */
function columnPage(tx: Tx, { direction, after, from }: Order) {
  return tx
    .select(cardColumns)
    .from(tasks)
    .where(
      and(
        eq(tasks.team_id, param('team_id')),
        eq(tasks.section_id, param('section_id')),
        eq(tasks.status, 'Normal'),
        from(rank, param('rank')),
        or(after(rank, param('rank')), after(task_id, param('task_id'))),
      ),
    )
    .orderBy(direction(rank), direction(task_id))
    .limit(param('limit'))
    .prepare(`board_column_${direction === asc ? 'down' : 'up'}`)
}

/** Before the first and after the last card of every column: ranks are ASCII letters and digits. */
const ENDS = {
  down: { rank: '', task_id: 0 },
  up: { rank: '\uffff', task_id: 2 ** 31 - 1 },
}

/** Cards and the actors that they name. */
export interface Cards {
  cards: Card[]
  actors: Map<number, ActorRow>
}

const emptyCards = (): Cards => ({ cards: [], actors: new Map() })
type AddRows = (rows: Row[], column: Section) => Promise<void> | void

/**
 * Reads the tasks of a board up to the limit, in batches. Open sections come first; of a done
 * section the bottom is read, from below, where its newest tasks are.
 */
export async function readBoardRows(
  ctx: Context,
  columns: readonly Section[],
  add: AddRows,
  remaining = MAX_CARDS,
) {
  for (const column of columns.toSorted((a, b) => Number(a.done) - Number(b.done)))
    remaining -= await readColumnRows(ctx, column, remaining, add)
}

async function readColumnRows(ctx: Context, column: Section, limit: number, add: AddRows) {
  const { team_id, section_id, done } = column
  const way = done ? 'up' : 'down'
  const page = statements(ctx.tx)[way]
  let found = 0
  for (let last: Pick<Row, 'rank' | 'task_id'> = ENDS[way]; found < limit; ) {
    const { rank, task_id } = last
    const rows = await page.execute({
      ...{ team_id, section_id, rank, task_id },
      limit: Math.min(BATCH_SIZE, limit - found),
    })
    if (!rows.length) return found
    last = rows.at(-1)!
    found += rows.length
    await add(rows, column)
    await setImmediate()
  }
  return found
}

/** Reads these tasks, as far as they are on the board, in batches. */
export async function readTaskRows(
  ctx: Context,
  { team_id, project_id }: Project,
  ids: readonly number[],
  add: (rows: Row[]) => Promise<void> | void,
) {
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    const batch = idList(ids.slice(at, at + BATCH_SIZE))
    await add(await statements(ctx.tx).some.execute({ team_id, project_id, ids: batch }))
    await setImmediate()
  }
}

/** All cards of a board up to the limit, by column and from top to bottom. */
export async function allCards(
  ctx: Context,
  columns: readonly Section[],
  remaining = MAX_CARDS,
): Promise<Cards> {
  const result = emptyCards()
  const cardsBySection = new Map(columns.map(({ section_id }) => [section_id, [] as Card[]]))
  const add: AddRows = (rows, { team_id, section_id }) =>
    addCards(ctx, team_id, rows, {
      cards: cardsBySection.get(section_id)!,
      actors: result.actors,
    })
  await readBoardRows(ctx, columns, add, remaining)
  const cards = columns.flatMap(({ section_id, done }) => {
    const own = cardsBySection.get(section_id)!
    return done ? own.reverse() : own
  })
  // A task that moved during the read may appear in both sections.
  result.cards = [...new Map(cards.map((card) => [card.task_id, card])).values()]
  return result
}

/** The cards of these tasks, as far as they are on the board. */
export async function cardsOfTasks(
  ctx: Context,
  project: Project,
  ids: readonly number[],
): Promise<Cards> {
  const result = emptyCards()
  await readTaskRows(ctx, project, ids, (rows) => addCards(ctx, project.team_id, rows, result))
  result.cards.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.task_id - b.task_id))
  return result
}

async function addCards(ctx: Context, team_id: number, rows: readonly Row[], result: Cards) {
  const ids = rows.map((row) => row.task_id)
  const detailsOf = await cardDetails(ctx, team_id, ids, result.actors)
  for (const { due_at, completed_at, created_at: _, updated_at: __, ...row } of rows)
    result.cards.push(
      withoutEmptyValues({
        ...row,
        overdue: isOverdue({ due_at, completed_at, status: 'Normal' }, ctx.now),
        ...detailsOf(row.task_id),
      }),
    )
}

/** Leaves out empty values: most cards have few of the fields. Dates become ISO 8601. */
function withoutEmptyValues(values: Record<string, unknown>): Card {
  const card: Record<string, unknown> = {}
  for (const name in values) {
    const value = values[name]
    if (value === undefined || value === null || value === 0 || value === false) continue
    card[name] = value instanceof Date ? value.toISOString() : value
  }
  return card as never
}
