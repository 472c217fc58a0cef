import { and, eq, gte, inArray, type SQL } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import type { Reader } from '../../../../kernel/operation.ts'
import { mergeQueries, parse, type Query } from '../../../../search/query/query.ts'
import { isOneOf } from '../../../../store/id-list.ts'
import type { PageQuery as Page } from '../../../../store/page.ts'
import { param } from '../../../../store/prepared.ts'
import { findProject, findVisibleProject, projects } from '../../../boards/projects/model/index.ts'
import type { Status } from '../../../tasks/states/model/index.ts'
import { countOnBoard, countOnBoards, tasks } from '../../../tasks/tasks/model/index.ts'
import { normalizeDate, parseMoment } from '../../../time/dates/model/index.ts'
import { type NamedRule, type Op, ruleCondition } from './criteria.ts'
import { hasPrefix } from './custom.ts'
import { filters, type TaskFilters } from './input.ts'
import { findLinked } from './linked.ts'
import {
  findNamedBoards,
  OPERATOR_NAMES,
  operatorConditions,
  requiredBoards,
  statusesOf,
} from './operators.ts'
import { activeBoards, inScope, type Scope, scopeOf, testInScope } from './scope.ts'
import { type Hit, hasWords, searchHits } from './text-search.ts'

const BOARD_FIELDS = ['project_id', 'status']
const onBoard = and(
  eq(tasks.team_id, param('team_id')),
  eq(tasks.project_id, param('project_id')),
  eq(tasks.status, param('status')),
)

/** The part of a page query that selects tasks. */
export type TaskSelection = Pick<
  Page<Record<string, never>>,
  'where' | 'statementName' | 'params' | 'total' | 'rowGroups'
>

/**
 * Selects the tasks of a list. A whole board without other filters is the common case and uses a
 * prepared query.
 */
export async function selectTasks(
  ctx: Context,
  { project_id, ...rest }: TaskFilters,
): Promise<TaskSelection> {
  const isWholeBoard =
    !isFiltered(rest) && !rest.query && !rest.search && !hasPrefix(rest.sort ?? '')
  if (!isWholeBoard) return selectionOf(await searchTasks(ctx, { project_id, ...rest }))
  const { status = 'Normal' } = rest
  if (project_id === undefined) return selectAllBoards(ctx, status)
  const project = await findProject(ctx, project_id)
  const params = { team_id: project.team_id, project_id, status }
  const total = status === 'Normal' ? () => countOnBoard(ctx.tx, project) : undefined
  return { where: onBoard, statementName: 'board', params, total }
}

/** Selects the tasks of all active boards that the caller can see. */
async function selectAllBoards(ctx: Context, status: Status): Promise<TaskSelection> {
  const hasStatus = eq(tasks.status, status)
  const isActive = activeBoards(ctx)
  const { team_id, project_id } = projects
  const rowGroups = {
    groups: projects,
    where: isActive,
    id: project_id,
    correlation: and(eq(tasks.team_id, team_id), eq(tasks.project_id, project_id), hasStatus)!,
  }
  const total = status === 'Normal' ? () => countOnBoards(ctx.tx, isActive) : undefined
  return {
    where: and(inScope(ctx, await scopeOf(ctx, undefined)), hasStatus),
    rowGroups,
    total,
  }
}

/** Filtering that many tasks would delay other requests, unless the filter has an index. */
const MANY_TASKS = 25_000

/** Whether a reader thread should filter the tasks of a list. Words are looked up in an index. */
export async function filtersManyTasks(
  reader: Reader,
  { project_id, query, search, ...filters }: TaskFilters,
): Promise<boolean> {
  if (query || search || !isFiltered(filters)) return false
  if (project_id === undefined)
    return (await countOnBoards(reader.tx, activeBoards(reader))) > MANY_TASKS
  const project = await findVisibleProject(reader, project_id)
  return project !== undefined && (await countOnBoard(reader.tx, project)) > MANY_TASKS
}

export interface TaskSearch {
  query: Query
  where: SQL | undefined
  /** Counts the matching tasks if that is faster than testing `where`. */
  total?: (() => Promise<number>) | undefined
  /** The matching tasks, newest first; set only if the query has words. */
  hits?: Hit[]
  /** Operators or filters besides the board narrow the search. */
  isNarrowed: boolean
}

/** The selection for a list with its own sort order. */
export function selectionOf({ where, total, hits }: TaskSearch): TaskSelection {
  if (!hits) return { where, total }
  const ids = hits.map(({ task_id }) => task_id)
  return { where: isOneOf(tasks.task_id, ids), total: async () => ids.length }
}

const isFiltered = (input: Omit<TaskFilters, 'project_id'>) =>
  Object.keys(input).some((name) => name in filters && !BOARD_FIELDS.includes(name))

/** Builds a search from the filters and the query. Tasks with an id above `upto` are left out. */
export async function searchTasks(
  ctx: Context,
  input: TaskFilters,
  upto?: number,
): Promise<TaskSearch> {
  const scope = await scopeOf(ctx, input.project_id)
  const field = input.query ? 'query' : 'search'
  const query = mergeQueries(
    parse(input.query ?? '', OPERATOR_NAMES, 'query'),
    parse(input.search ?? '', OPERATOR_NAMES, 'search'),
  )
  const request = { ctx, scope, named: field }
  const boardsByName = await findNamedBoards(request, query)
  const statuses = requestedStatuses(input, query)
  const { basis, total, others, scope: filterScope } = await basisOf(ctx, scope, statuses, input)
  const conditions = [
    ...(await filterConditions(ctx, filterScope, input, others)),
    ...(await operatorConditions({ ...request, scope: filterScope }, query, boardsByName)),
  ]
  const where = and(basis, ...conditions)
  const isNarrowed = query.filters.length > 0 || isFiltered(input)
  if (query.isVoid) {
    ctx.warn(field, 'invalid_format', 'It has no search terms')
    return { query, where, isNarrowed, hits: [] }
  }
  if (!hasWords(query)) return { query, where, isNarrowed, ...(!conditions.length && { total }) }
  const boardIds = requiredBoards(query, boardsByName)
  const search = {
    scope,
    boards: boardIds,
    statuses,
    query,
    where,
    hasOtherFilters: isNarrowed,
    upto,
    named: field,
  }
  return { query, where, isNarrowed, hits: await searchHits(ctx, search) }
}

/** The conditions of the operators of a question, for the tasks that its answers belong to. */
export async function questionConditions(
  ctx: Context,
  project_id: number | undefined,
  query: Query,
  field: string,
): Promise<SQL[]> {
  const request = { ctx, scope: await scopeOf(ctx, project_id), named: field }
  return operatorConditions(request, query, await findNamedBoards(request, query))
}

/**
 * The tasks that the other conditions are tested on: all of the boards, those with a label or an
 * assignee, or, if these are few, their ids.
 */
async function basisOf(
  ctx: Context,
  scope: Scope,
  statuses: readonly Status[],
  input: TaskFilters,
) {
  const linked = await findLinked({ ctx, scope, statuses }, filterRules(input))
  const hasStatus =
    statuses.length === 1 ? eq(tasks.status, statuses[0]!) : inArray(tasks.status, [...statuses])
  const isWithin = (linked.ids ? testInScope : inScope)(ctx, scope)
  return { ...linked, basis: and(isWithin, hasStatus, linked.condition) }
}

/** The conditions of these rules and of the times. */
async function filterConditions(
  ctx: Context,
  scope: Scope,
  { filter = {}, created_since, updated_since }: TaskFilters,
  rules: readonly NamedRule[],
): Promise<SQL[]> {
  const conditions: (SQL | undefined)[] = []
  for (const [field, rule] of rules) conditions.push(await ruleCondition(ctx, scope, rule, field))
  if (created_since !== undefined)
    conditions.push(gte(tasks.created_at, parseMoment(ctx, 'created_since', created_since)))
  conditions.push(
    updatedSince(ctx, 'updated_since', updated_since),
    updatedSince(ctx, 'filter.updated_since', filter.updated_since),
  )
  return conditions.filter((condition) => condition !== undefined)
}

/** The requested statuses. If `status` and `filter.status` differ, no task matches. */
function requestedStatuses({ status, filter }: TaskFilters, query: Query): Status[] {
  const [first, other = first] = [status, filter?.status].filter((status) => status !== undefined)
  if (first === undefined) return statusesOf(query)
  return first === other ? [first] : []
}

type FilterEntry = [named: string, field: string, op: Op, value: unknown]

/** The filters of a list as rules, each with the input field it comes from. */
export function filterRules(input: TaskFilters): NamedRule[] {
  const { filter = {}, custom_fields = {} } = input
  const builtIn: FilterEntry[] = [
    ['section', 'section', 'is', input.section],
    ['section_id', 'section_id', 'is', input.section_id],
    ['labels', 'label', 'any_of', input.labels],
    ['priority', 'priority', 'any_of', input.priority],
    ['assigned_to', 'assignee', 'any_of', input.assigned_to],
    ['created_by', 'created_by', 'is', input.created_by],
    ['due_date_after', 'due_date', 'after', input.due_date_after],
    ['due_date_before', 'due_date', 'before', input.due_date_before],
    ['has_due_date', 'has_due_date', 'is', input.has_due_date],
    ['has_attachments', 'has_attachments', 'is', input.has_attachments],
    ['has_comments', 'has_comments', 'is', input.has_comments],
    ['parent_task_id', 'parent', 'is', input.parent_task_id],
    ['filter.section', 'section', 'is', filter.section],
    ['filter.label', 'label', 'any_of', filter.label],
    ['filter.assignee', 'assignee', 'any_of', filter.assignee],
    ['filter.has_pr', 'has_pr', 'is', filter.has_pr],
  ]
  const customRules = Object.entries(custom_fields).map(([name, value]): FilterEntry => {
    const op = Array.isArray(value) ? 'any_of' : 'is'
    return [`custom_fields.${name}`, `cf:${name}`, op, value]
  })
  return [...builtIn, ...customRules]
    .filter(([, , , value]) => value !== undefined)
    .map(([inputField, field, op, value]) => [inputField, { field, op, value }])
}

function updatedSince(ctx: Context, field: string, value: unknown): SQL | undefined {
  const moment = parseSince(ctx, field, value)
  return moment && gte(tasks.updated_at, moment)
}

/** Parses a moment. An unreadable one is ignored with a warning. */
export function parseSince(ctx: Context, field: string, value: unknown): Date | undefined {
  if (value === undefined) return undefined
  const date = typeof value === 'string' ? normalizeDate(value, ctx.caller.time_zone) : undefined
  if (date !== undefined) return parseMoment(ctx, field, date)
  const message = `${field} is not an ISO 8601 date or date-time; it was ignored`
  ctx.warn(field, 'invalid_format', message)
  return undefined
}
