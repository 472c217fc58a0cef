import {
  and,
  count,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import type { PageInfo, Paging } from '../../../../kernel/list.ts'
import { pageOf } from '../../../../store/page.ts'
import { matchesSearch } from '../../../../store/text.ts'
import { findProject } from '../../../boards/projects/model/index.ts'
import { onVisibleTask, tasks } from '../../../tasks/tasks/model/index.ts'
import { KINDS, type Kind, notifications } from '../../notifications/model/index.ts'
import { inboxCondition } from './access.ts'
import { type Notification, toNotificationRows } from './records.ts'
import { isImportant } from './rules.ts'

export interface InboxQuery extends Paging {
  composition?: boolean
  project_id?: number
  user_id?: number
  agent_id?: string
  unread?: boolean
  archived?: boolean
  important?: boolean
  kind?: Kind | Kind[]
}

export async function listInbox(ctx: Context, query: InboxQuery) {
  const where = await filterOf(ctx, query)
  if (query.composition) return countByKind(ctx, query, where)
  const { rows, page } = await pageOf(ctx.tx, query, {
    name: 'notifications',
    from: notifications,
    columns: getTableColumns(notifications),
    where,
    sorts: { createdAt: { key: notifications.created_at } },
    id: 'notification_id',
  })
  return { items: await toNotificationRows(ctx.tx, rows as Notification[]), page }
}

/** Counts the notifications of each kind on one board. */
async function countByKind(ctx: Context, { project_id }: InboxQuery, where: SQL | undefined) {
  if (project_id === undefined)
    throw fault.invalid(
      'project_id',
      'required',
      'composition groups the notifications of one board: set project_id',
    )
  const rows = await ctx.tx
    .select({
      kind: notifications.kind,
      total: count(),
      unread: sql<number>`count(*) - count(${notifications.read_at})`.mapWith(Number),
    })
    .from(notifications)
    .where(where)
    .groupBy(notifications.kind)
  const items = rows
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
    .map(({ kind, total, unread }) => ({ kind, important: isImportant(kind), total, unread }))
  return { items, page: singlePage(items.length) }
}

/** All kinds fit on one page. */
const singlePage = (total: number): PageInfo => ({
  total,
  limit: KINDS.length,
  offset: 0,
  next_cursor: null,
  has_more: false,
})

async function filterOf(ctx: Context, query: InboxQuery): Promise<SQL | undefined> {
  const { project_id, unread, archived = false, important, kind } = query
  const board = project_id === undefined ? undefined : await findProject(ctx, project_id)
  return and(
    await inboxCondition(ctx, query),
    archived ? isNotNull(notifications.archived_at) : isNull(notifications.archived_at),
    unread === undefined
      ? undefined
      : unread
        ? isNull(notifications.read_at)
        : isNotNull(notifications.read_at),
    important === undefined ? undefined : eq(notifications.important, important),
    kind === undefined ? undefined : inArray(notifications.kind, [kind].flat()),
    onVisibleTask(
      ctx,
      notifications.task_id,
      and(
        board && eq(tasks.project_id, board.project_id),
        matchesSearch(query, [tasks.title, tasks.ticket_number, notifications.snippet]),
      ),
    ),
  )
}

/** The summary counts at most this many notifications, because counting all of them is slow. */
const MAX_COUNTED = 10_000

export async function summary(ctx: Context) {
  const { actor_id } = ctx.caller
  const open = and(
    eq(notifications.actor_id, actor_id),
    isNull(notifications.archived_at),
    onVisibleTask(ctx, notifications.task_id),
  )
  const { read_at, important } = notifications
  const capped = ctx.tx
    .select({ read_at, important })
    .from(notifications)
    .where(open)
    .limit(MAX_COUNTED)
  const first = capped.as('first')
  const countWhere = (condition: SQL | undefined) =>
    sql<number>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`.mapWith(Number)
  const unread = isNull(first.read_at)
  const [row] = await ctx.tx
    .select({
      total: count(),
      unread: countWhere(unread),
      important: countWhere(and(unread, eq(first.important, true))),
    })
    .from(first)
  const [remaining] = await ctx.tx
    .select({ notification_id: notifications.notification_id })
    .from(notifications)
    .where(and(open, onVisibleTask(ctx, notifications.task_id, isNull(tasks.completed_at))))
    .limit(1)
  return { ...row!, inbox_zero: !remaining }
}
