import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { digest } from '../../kernel/dispatch.ts'
import { decodeCursor, encodeCursor, fieldsOf, type PageInfo, ROWS } from '../../kernel/list.ts'
import type { Key } from '../../store/stack.ts'
import { findProject, projects, visibleProjects } from '../projects/index.ts'
import { listed, shownTasks, tasks } from '../tasks/index.ts'
import { finishedAfter, finishedOn, openOnes, wantedOf } from './assigned.ts'
import { keysOfMine } from './chosen.ts'
import {
  byBoard,
  byDue,
  DUE_GROUPS,
  daysAt,
  type Group,
  type Grouping,
  groupsOf,
  merged,
  type Order,
  orderOf,
  type Pile,
  type Placed,
  pilesFor,
} from './rules.ts'
import { type Asked, MyTask } from './schema.ts'
import type { View } from './tables.ts'
import { findView } from './views.ts'

interface Paging {
  cursor?: string
  limit?: number
  fields?: string | string[]
}

type Mark = Pick<Placed, 'place' | 'task_id'>

interface Mine {
  grouping: Grouping
  placed: Placed[]
  /** Of finished tasks, where they are asked for. */
  piles: Pile[]
  where: SQL | undefined
  keys: readonly Key[]
  inOrder: Order
  /** Titles of their boards. */
  titles: ReadonlyMap<number, string>
  view: View | undefined
}

/** All that are open in their order, and how many are finished. */
async function mine(ctx: Context, asked: Asked): Promise<Mine> {
  const view = asked.view_id === undefined ? undefined : await findView(ctx, asked.view_id)
  for (const project_id of asked.project_ids ?? [])
    await findProject(ctx, project_id, 'project_ids')
  const grouping = asked.grouping ?? view?.grouping ?? 'due'
  const keys = await keysOfMine(ctx, asked, view)
  const where = await wantedOf(ctx, asked, view)
  const rows = await openOnes(ctx, where, keys)
  const withDone = asked.include_done ?? view?.show_done ?? false
  const done = withDone ? await finishedOn(ctx, where) : new Map<number, number>()
  const boards = new Set([...rows.map(({ project_id }) => project_id), ...done.keys()])
  const titles = await titlesOf(ctx, [...boards])
  const found = rows.filter(({ project_id }) => titles.has(project_id))
  const finished = new Map([...done].filter(([project_id]) => titles.has(project_id)))
  const { now, caller } = ctx
  const { placed, piles } =
    grouping === 'due'
      ? byDue(found, finished, daysAt(now, caller.time_zone))
      : byBoard(found, finished, titles, now)
  const ways = keys.map(({ way }) => way)
  const inOrder = orderOf(grouping, ways)
  placed.sort(inOrder)
  return { grouping, placed, piles: piles.sort(inOrder), where, keys, inOrder, titles, view }
}

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
  const all = await mine(ctx, asked)
  const { placed, piles, view } = all
  const made = digest('my_tasks', { ...asked, as: view?.updated_at.toISOString() }).slice(0, 12)
  const from = cursor === undefined ? undefined : decodeCursor(cursor, made)
  const mark = from && { place: [from.value].flat(), task_id: from.id }
  const before = from?.seen ?? 0
  const left = await after(ctx, all, mark, limit + 1)
  const some = left.slice(0, limit)
  const last = some.at(-1)
  const has_more = left.length > limit
  const seen = before + some.length
  const next = has_more && last && { digest: made, value: last.place, id: last.task_id, seen }
  const page: PageInfo = {
    total: piles.reduce((sum, { many }) => sum + many, placed.length),
    ...{ limit, offset: before, has_more },
    next_cursor: next ? encodeCursor(next) : null,
  }
  return { items: await shown(ctx, some, { fields }), page }
}

/** Where finished ones come so late that the page ends before them, they are not looked at. */
async function after(ctx: Context, all: Mine, mark: Mark | undefined, limit: number) {
  const { placed, piles, where, keys, inOrder } = all
  const left = mark ? placed.filter((one) => inOrder(one, mark) > 0) : placed
  const open = left.slice(0, limit)
  const within = pilesFor(piles, inOrder, mark, left[limit - 1])
  if (!within.length) return open
  const [{ place }] = within as [Pile]
  const head = mark && { place: mark.place.slice(0, place.length), task_id: 0 }
  const isInside = head && inOrder(within[0]!, head) === 0
  const done = await finishedAfter(ctx, {
    ...{ where, keys, piles: within, limit },
    after: isInside ? { ...mark, place: mark.place.slice(place.length) } : undefined,
  })
  return merged(open, done, inOrder).slice(0, limit)
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
  const { grouping, placed, piles, titles, inOrder } = await mine(ctx, asked)
  const titleOf = (key: string) =>
    grouping === 'due' ? DUE_GROUPS[key as keyof typeof DUE_GROUPS] : titles.get(Number(key))!
  const groups: Group[] = groupsOf([...placed, ...piles].sort(inOrder), titleOf)
  if (grouping === 'due') return { grouping, groups }
  return { grouping, groups: groups.map((one) => ({ ...one, project_id: Number(one.key) })) }
}
