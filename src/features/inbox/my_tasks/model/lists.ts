import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { digest } from '../../../../kernel/dispatch.ts'
import {
  DEFAULT_ROWS,
  decodeCursor,
  encodeCursor,
  type PageInfo,
  requestedFields,
} from '../../../../kernel/list.ts'
import type { SortKey } from '../../../../store/multi-sort.ts'
import { findProject, projects, visibleProjects } from '../../../boards/projects/model/index.ts'
import { taskRows } from '../../../tasks/records/model/index.ts'
import { sortKeysOfMyTasks } from './conditions.ts'
import { finishedByBoard, finishedTasksAfter, openTasks, taskConditions } from './read.ts'
import {
  blocksFor,
  byBoard,
  byDue,
  DUE_GROUPS,
  daysAt,
  type FinishedBlock,
  type Group,
  type Grouping,
  groupsOf,
  mergeSorted,
  type Order,
  orderOf,
  type PlacedTask,
} from './rules.ts'
import { type ListRequest, MyTask } from './schema.ts'
import type { View } from './tables.ts'
import { findView } from './views.ts'

interface Paging {
  cursor?: string
  limit?: number
  fields?: string | string[]
}

type Position = Pick<PlacedTask, 'place' | 'task_id'>

interface MyTaskList {
  grouping: Grouping
  placed: PlacedTask[]
  /** Blocks of completed tasks, if they are requested. */
  blocks: FinishedBlock[]
  where: { open: SQL | undefined; finished: SQL | undefined }
  keys: readonly SortKey[]
  compare: Order
  /** Titles of the boards by project_id. */
  titles: ReadonlyMap<number, string>
  view: View | undefined
}

/** All open tasks in order, and the number of completed ones. */
async function loadList(ctx: Context, request: ListRequest): Promise<MyTaskList> {
  const view = request.view_id === undefined ? undefined : await findView(ctx, request.view_id)
  for (const project_id of request.project_ids ?? [])
    await findProject(ctx, project_id, 'project_ids')
  const grouping = request.grouping ?? view?.grouping ?? 'due'
  const keys = await sortKeysOfMyTasks(ctx, request, view)
  const where = await taskConditions(ctx, request, view)
  const rows = await openTasks(ctx, where.open, keys)
  const includesDone = request.include_done ?? view?.show_done ?? false
  const done = includesDone ? await finishedByBoard(ctx, where.finished) : new Map<number, number>()
  const boards = new Set([...rows.map(({ project_id }) => project_id), ...done.keys()])
  const titles = await titlesOf(ctx, [...boards])
  const found = rows.filter(({ project_id }) => titles.has(project_id))
  const finished = new Map([...done].filter(([project_id]) => titles.has(project_id)))
  const { now, caller } = ctx
  const { placed, blocks } =
    grouping === 'due'
      ? byDue(found, finished, daysAt(now, caller.time_zone))
      : byBoard(found, finished, titles, now)
  const directions = keys.map(({ direction }) => direction)
  const compare = orderOf(grouping, directions)
  placed.sort(compare)
  return { grouping, placed, blocks: blocks.sort(compare), where, keys, compare, titles, view }
}

/** The titles of the active boards that the caller can see. */
async function titlesOf(ctx: Context, ids: number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const { project_id, title } = projects
  const rows = await ctx.tx
    .select({ project_id, title })
    .from(projects)
    .where(and(inArray(project_id, ids), eq(projects.status, 'Normal'), visibleProjects(ctx)))
  return new Map(rows.map((row) => [row.project_id, row.title]))
}

export async function listMyTasks(
  ctx: Context,
  { cursor, limit = DEFAULT_ROWS, ...rest }: ListRequest & Paging,
) {
  const { fields, ...request } = rest
  const list = await loadList(ctx, request)
  const { placed, blocks, view } = list
  const fingerprint = digest('my_tasks', { ...request, as: view?.updated_at.toISOString() }).slice(
    0,
    12,
  )
  const cursorData = cursor === undefined ? undefined : decodeCursor(cursor, fingerprint)
  const position = cursorData && { place: [cursorData.value].flat(), task_id: cursorData.id }
  const before = cursorData?.rowsBefore ?? 0
  const left = await tasksAfter(ctx, list, position, limit + 1)
  const pageItems = left.slice(0, limit)
  const last = pageItems.at(-1)
  const has_more = left.length > limit
  const rowsBefore = before + pageItems.length
  const next = has_more &&
    last && { digest: fingerprint, value: last.place, id: last.task_id, rowsBefore }
  const page: PageInfo = {
    total: blocks.reduce((sum, { count }) => sum + count, placed.length),
    limit,
    offset: before,
    has_more,
    next_cursor: next ? encodeCursor(next) : null,
  }
  return { items: await toMyTasks(ctx, pageItems, { fields }), page }
}

/** The next tasks after a position. Completed tasks are loaded only if the page reaches them. */
async function tasksAfter(
  ctx: Context,
  list: MyTaskList,
  position: Position | undefined,
  limit: number,
) {
  const { placed, blocks, where, keys, compare } = list
  const remaining = position ? placed.filter((task) => compare(task, position) > 0) : placed
  const open = remaining.slice(0, limit)
  const possibleBlocks = blocksFor(blocks, compare, position, remaining[limit - 1])
  if (!possibleBlocks.length) return open
  const [{ place }] = possibleBlocks as [FinishedBlock]
  const head = position && { place: position.place.slice(0, place.length), task_id: 0 }
  const isInside = head && compare(possibleBlocks[0]!, head) === 0
  const finished = await finishedTasksAfter(ctx, {
    where: where.finished,
    keys,
    blocks: possibleBlocks,
    limit,
    after: isInside ? { ...position, place: position.place.slice(place.length) } : undefined,
  })
  return mergeSorted(open, finished, compare).slice(0, limit)
}

async function toMyTasks(
  ctx: Context,
  placed: readonly PlacedTask[],
  paging: Paging,
): Promise<MyTask[]> {
  if (!placed.length) return []
  const withText = requestedFields(paging, MyTask)?.includes('description')
  const ids = placed.map(({ task_id }) => task_id)
  const rows = await taskRows(ctx, ids, { withText })
  const byId = new Map(rows.map((row) => [row.task_id, row]))
  return placed.map(({ task_id, group }) => ({ ...byId.get(task_id)!, group }))
}

export async function listGroups(ctx: Context, request: ListRequest) {
  const { grouping, placed, blocks, titles, compare } = await loadList(ctx, request)
  const titleOf = (key: string) =>
    grouping === 'due' ? DUE_GROUPS[key as keyof typeof DUE_GROUPS] : titles.get(Number(key))!
  const groups: Group[] = groupsOf([...placed, ...blocks].sort(compare), titleOf)
  if (grouping === 'due') return { grouping, groups }
  return { grouping, groups: groups.map((group) => ({ ...group, project_id: Number(group.key) })) }
}
