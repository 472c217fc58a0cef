import {
  and,
  type Column,
  desc,
  eq,
  exists,
  inArray,
  isNull,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { contains } from '../../../../store/text.ts'
import { hasPages } from '../../../tasks/states/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import type { LocatedPage, Page } from './store.ts'
import { pagePieces, pages } from './tables.ts'

/** The most pages, and the most tasks, that are returned. */
const MAX_LINKS = 50

/** What may follow the id of a page in an address, so that /p/1 does not find /p/12. */
const ENDS = ['"', "'", ')', '>', ' ', '#', '?', '\n']

/** The text links to the page, by its number or its public id. */
const linksTo = (column: Column, { page_id, public_id }: Page): SQL =>
  or(
    contains(column, `/p/${public_id}`),
    ...ENDS.map((end) => contains(column, `/p/${page_id}${end}`)),
  )!

const onBoard = ({ task }: LocatedPage) =>
  and(
    eq(tasks.team_id, task.team_id),
    eq(tasks.project_id, task.project_id),
    ne(tasks.status, 'Deleted'),
  )

/** The pages and tasks on the same board that link to a page, most recently updated first. */
export async function backlinksOf(ctx: Context, located: LocatedPage) {
  const { title, ticket_number, updated_at } = tasks
  const linkingTasks = await ctx.tx
    .select({ title, ticket_number })
    .from(tasks)
    .where(and(onBoard(located), linksTo(tasks.description, located.page)))
    .orderBy(desc(updated_at))
    .limit(MAX_LINKS)
  return [
    ...(await linkingPages(ctx, located)).map((one) => ({ kind: 'page' as const, ...one })),
    ...linkingTasks.map((one) => ({ kind: 'task' as const, page_id: null, ...one })),
  ]
}

function linkingPages({ tx }: Context, located: LocatedPage) {
  const { page } = located
  const { page_id, title, team_id, task_id, archived_at, updated_at } = pages
  const taskIds = tx
    .select({ task_id: tasks.task_id })
    .from(tasks)
    .where(and(onBoard(located), hasPages(tasks)))
  const pieces = tx
    .select({ one: sql`1` })
    .from(pagePieces)
    .where(
      and(
        eq(pagePieces.team_id, team_id),
        eq(pagePieces.page_id, page_id),
        linksTo(pagePieces.content, page),
      ),
    )
  return tx
    .select({ page_id, title, ticket_number: tasks.ticket_number })
    .from(pages)
    .innerJoin(tasks, eq(tasks.task_id, task_id))
    .where(
      and(
        ...[eq(team_id, page.team_id), inArray(task_id, taskIds), isNull(archived_at)],
        ...[ne(page_id, page.page_id), exists(pieces)],
      ),
    )
    .orderBy(desc(updated_at))
    .limit(MAX_LINKS)
}
