import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { digest } from '../../kernel/dispatch.ts'
import { decodeCursor, encodeCursor, fieldsOf, type PageInfo, ROWS } from '../../kernel/list.ts'
import { quicken } from '../../store/quick.ts'
import type { Key } from '../../store/stack.ts'
import { findProject, projects, visibleProjects } from '../projects/index.ts'
import { listed, shownTasks, taskAssignees, tasks } from '../tasks/index.ts'
import { filterOf, keysOfMine } from './chosen.ts'
import {
  byBoard,
  byDue,
  DUE_GROUPS,
  daysAt,
  type Found,
  type Group,
  type Grouping,
  groupsOf,
  orderOf,
  type Placed,
} from './rules.ts'
import { type Asked, MyTask } from './schema.ts'
import type { View } from './tables.ts'
import { findView } from './views.ts'

interface Paging {
  cursor?: string
  limit?: number
  fields?: string | string[]
}

interface Mine {
  grouping: Grouping
  placed: Placed[]
  inOrder: ReturnType<typeof orderOf>
  /** Titles of their boards. */
  titles: ReadonlyMap<number, string>
  view: View | undefined
}

/** All of them in their order, as little of each as that takes. */
async function mine(ctx: Context, asked: Asked): Promise<Mine> {
  const view = asked.view_id === undefined ? undefined : await findView(ctx, asked.view_id)
  const boards = new Set(asked.project_ids ?? view?.project_ids ?? [])
  for (const project_id of asked.project_ids ?? []) await findProject(ctx, project_id)
  const hidden = new Set(view?.hidden_section_ids ?? [])
  const grouping = asked.grouping ?? view?.grouping ?? 'due'
  const keys = await keysOfMine(ctx, asked, view)
  const rows = (await assigned(ctx, asked, { view, keys })).filter(
    ({ project_id, section_id }) =>
      (!boards.size || boards.has(project_id)) && !hidden.has(section_id),
  )
  const titles = await titlesOf(ctx, [...new Set(rows.map(({ project_id }) => project_id))])
  const found = rows.filter(({ project_id }) => titles.has(project_id))
  const { now, caller } = ctx
  const placed =
    grouping === 'due' ? byDue(found, daysAt(now, caller.time_zone)) : byBoard(found, titles, now)
  const ways = keys.map(({ way }) => way)
  const inOrder = orderOf(grouping, ways)
  return { grouping, titles, view, inOrder, placed: placed.sort(inOrder) }
}

interface Through {
  view: View | undefined
  keys: readonly Key[]
}

async function assigned(ctx: Context, asked: Asked, { view, keys }: Through) {
  const { tx, caller, now } = ctx
  const withDone = asked.include_done ?? view?.show_done ?? false
  const { task_id, project_id, section_id, due_date, due_at, completed_at } = tasks
  const awake = or(isNull(tasks.snoozed_until), lte(tasks.snoozed_until, now))
  const marks = keys.map(({ key, like }, at) => [markAt(at), sql`${key}`.mapWith(like)] as const)
  const query = tx
    .select({
      ...{ task_id, project_id, section_id, due_date, due_at, completed_at },
      ...Object.fromEntries(marks),
    })
    .from(taskAssignees)
    .innerJoin(tasks, eq(tasks.task_id, taskAssignees.task_id))
    .where(
      and(
        inArray(taskAssignees.team_id, [...caller.teams.keys()]),
        eq(taskAssignees.actor_id, caller.actor_id),
        withDone ? undefined : eq(taskAssignees.open, true),
        eq(tasks.status, 'Normal'),
        withDone ? undefined : isNull(completed_at),
        asked.include_snoozed ? undefined : awake,
        await filterOf(ctx, asked, view),
      ),
    )
    .prepare('')
  const rows = await quicken(query).execute()
  return rows.map((row: (typeof rows)[number] & Record<string, unknown>) =>
    Object.assign(row, { marks: keys.map((_, at) => plain(row[markAt(at)])) }),
  )
}

const markAt = (at: number) => `sorted_by_${at}`
const plain = (value: unknown) =>
  (value instanceof Date ? value.getTime() : value) as Found['marks'][number]

/** Of the boards that the caller sees and nobody archived. */
async function titlesOf(ctx: Context, ids: number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const { project_id, title } = projects
  const rows = await ctx.tx
    .select({ project_id, title })
    .from(projects)
    .where(and(inArray(project_id, ids), eq(projects.status, 'Normal'), visibleProjects(ctx)))
  return new Map(rows.map((row) => [row.project_id, row.title]))
}

export async function listMine(ctx: Context, { cursor, limit = ROWS, ...rest }: Asked & Paging) {
  const { fields, ...asked } = rest
  const { placed, view, inOrder } = await mine(ctx, asked)
  const made = digest('my_tasks', { ...asked, as: view?.updated_at.toISOString() }).slice(0, 12)
  const from = cursor === undefined ? undefined : decodeCursor(cursor, made)
  const mark = from && { place: [from.value].flat(), task_id: from.id }
  const before = from?.seen ?? 0
  const left = mark ? placed.filter((one) => inOrder(one, mark) > 0) : placed
  const some = left.slice(0, limit)
  const last = some.at(-1)
  const has_more = left.length > limit
  const seen = before + some.length
  const next = has_more && last && { digest: made, value: last.place, id: last.task_id, seen }
  const page: PageInfo = {
    ...{ total: placed.length, limit, offset: before, has_more },
    next_cursor: next ? encodeCursor(next) : null,
  }
  return { items: await shown(ctx, some, { fields }), page }
}

async function shown(ctx: Context, some: readonly Placed[], paging: Paging): Promise<MyTask[]> {
  if (!some.length) return []
  const withText = fieldsOf(paging, MyTask)?.includes('description')
  const ids = some.map(({ task_id }) => task_id)
  const rows = await ctx.tx
    .select(withText ? { ...listed, description: tasks.description } : listed)
    .from(tasks)
    .where(inArray(tasks.task_id, ids))
  const byId = new Map((await shownTasks(ctx, rows)).map((row) => [row.task_id, row]))
  return some.map(({ task_id, group }) => ({ ...byId.get(task_id)!, group }))
}

export async function groupsOfMine(ctx: Context, asked: Asked) {
  const { grouping, placed, titles } = await mine(ctx, asked)
  const titleOf = (key: string) =>
    grouping === 'due' ? DUE_GROUPS[key as keyof typeof DUE_GROUPS] : titles.get(Number(key))!
  const groups: Group[] = groupsOf(placed, titleOf)
  if (grouping === 'due') return { grouping, groups }
  return { grouping, groups: groups.map((one) => ({ ...one, project_id: Number(one.key) })) }
}
