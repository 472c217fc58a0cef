import { and, eq, gte, inArray, type SQL } from 'drizzle-orm'
import type { Context } from '../../../kernel/caller.ts'
import { both, parse, type Query } from '../../../search/query.ts'
import { among } from '../../../store/fulltext.ts'
import type { Wanted as Page } from '../../../store/page.ts'
import { param } from '../../../store/prepared.ts'
import { findProject, projects } from '../../projects/index.ts'
import type { listed } from '../columns.ts'
import { countOf, countOn } from '../counts.ts'
import { readDate, type Status } from '../rules.ts'
import { tasks } from '../tables.ts'
import { momentIn } from '../values.ts'
import { criterion, type Op, type Rule } from './criteria.ts'
import { isMarked } from './custom.ts'
import { type Hit, hasWords, hitsOf } from './matching.ts'
import { boardsMeant, boardsNamed, conditionsOf, OPERATOR_NAMES, statusesOf } from './operators.ts'
import { type Scope, scopeOf, shownBoards, within } from './scope.ts'
import { filters, type Wanted } from './wanted.ts'

const PLAIN = ['project_id', 'status']
const ofBoard = and(
  eq(tasks.team_id, param('team_id')),
  eq(tasks.project_id, param('project_id')),
  eq(tasks.status, param('status')),
)

/** The tasks of a list, as a page is told of them. */
export type Chosen = Pick<Page<typeof listed>, 'where' | 'shape' | 'params' | 'total' | 'split'>

/** The tasks a list asks for; those of a board with no other filter are what is asked for most. */
export async function chosenTasks(
  ctx: Context,
  { project_id, ...wanted }: Wanted,
): Promise<Chosen> {
  const isPlain =
    !isFiltered(wanted) && !wanted.query && !wanted.search && !isMarked(wanted.sort ?? '')
  if (!isPlain) return chosenBy(await soughtTasks(ctx, { project_id, ...wanted }))
  const { status = 'Normal' } = wanted
  if (project_id === undefined) return ofAllBoards(ctx, status)
  const project = await findProject(ctx, project_id)
  const params = { team_id: project.team_id, project_id, status }
  const total = status === 'Normal' ? () => countOf(ctx.tx, project) : undefined
  return { where: ofBoard, shape: 'board', params, total }
}

/** The tasks of all boards that the caller can see and nobody archived. */
async function ofAllBoards(ctx: Context, status: Status): Promise<Chosen> {
  const hasStatus = eq(tasks.status, status)
  const isShown = shownBoards(ctx)
  const { team_id, project_id } = projects
  const split = {
    groups: projects,
    where: isShown,
    columns: { team_id, project_id },
    of: and(eq(tasks.team_id, team_id), eq(tasks.project_id, project_id), hasStatus)!,
    within: (board: Record<string, unknown>) =>
      and(
        eq(tasks.team_id, board.team_id as number),
        eq(tasks.project_id, board.project_id as number),
        hasStatus,
      )!,
  }
  const total = status === 'Normal' ? () => countOn(ctx.tx, isShown) : undefined
  return { where: and(within(ctx, await scopeOf(ctx, undefined)), hasStatus), split, total }
}

export interface Sought {
  query: Query
  where: SQL | undefined
  /** The tasks that hold its words and fit all else, newest first, where there are words. */
  hits?: Hit[]
}

/** For a list in another order. */
export function chosenBy({ where, hits }: Sought): Chosen {
  if (!hits) return { where }
  const ids = hits.map(({ task_id }) => task_id)
  return { where: among(tasks.task_id, ids), total: async () => ids.length }
}

const isFiltered = (wanted: Omit<Wanted, 'project_id'>) =>
  Object.keys(wanted).some((name) => name in filters && !PLAIN.includes(name))

/** What is looked for; tasks above `upto` are left out. */
export async function soughtTasks(ctx: Context, wanted: Wanted, upto?: number): Promise<Sought> {
  const scope = await scopeOf(ctx, wanted.project_id)
  const named = wanted.query ? 'query' : 'search'
  const query = both(
    parse(wanted.query ?? '', OPERATOR_NAMES, 'query'),
    parse(wanted.search ?? '', OPERATOR_NAMES, 'search'),
  )
  const asked = { ctx, scope, named }
  const boards = await boardsNamed(asked, query)
  const statuses = statusesAsked(wanted, query)
  const where = and(
    statuses.length === 1 ? eq(tasks.status, statuses[0]!) : inArray(tasks.status, statuses),
    await wantedTasks(ctx, scope, wanted),
    ...(await conditionsOf(asked, query, boards)),
  )
  if (query.isVoid) {
    ctx.warn(named, 'invalid_format', 'There is no word in it to look for')
    return { query, where, hits: [] }
  }
  if (!hasWords(query)) return { query, where }
  const meant = boardsMeant(query, boards)
  const isNarrow = query.asks.length > 0 || isFiltered(wanted)
  const matching = { scope, boards: meant, statuses, query, where, isNarrow, upto, named }
  return { query, where, hits: await hitsOf(ctx, matching) }
}

/** The tasks a list asks for, among those the caller can see, but for words and status. */
async function wantedTasks(ctx: Context, scope: Scope, wanted: Wanted): Promise<SQL | undefined> {
  const { filter = {}, created_since } = wanted
  const conditions: SQL[] = []
  for (const [named, rule] of rulesOf(wanted))
    conditions.push(await criterion(ctx, scope, rule, named))
  return and(
    within(ctx, scope),
    ...conditions,
    created_since === undefined
      ? undefined
      : gte(tasks.created_at, momentIn(ctx, 'created_since', created_since)),
    changedSince(ctx, 'updated_since', wanted.updated_since),
    changedSince(ctx, 'filter.updated_since', filter.updated_since),
  )
}

/** Two that differ leave nothing. */
function statusesAsked({ status, filter }: Wanted, query: Query): Status[] {
  const [one, other = one] = [status, filter?.status].filter((given) => given !== undefined)
  if (one === undefined) return statusesOf(query)
  return one === other ? [one] : []
}

type Asking = [named: string, field: string, op: Op, value: unknown]

/** What is asked of a list, as rules; each beside the field that asks it. */
export function rulesOf(wanted: Wanted): [named: string, rule: Rule][] {
  const { filter = {}, custom_fields = {} } = wanted
  const own: Asking[] = [
    ['section', 'section', 'is', wanted.section],
    ['section_id', 'section_id', 'is', wanted.section_id],
    ['labels', 'label', 'any_of', wanted.labels],
    ['priority', 'priority', 'any_of', wanted.priority],
    ['assigned_to', 'assignee', 'any_of', wanted.assigned_to],
    ['created_by', 'created_by', 'is', wanted.created_by],
    ['due_date_after', 'due_date', 'after', wanted.due_date_after],
    ['due_date_before', 'due_date', 'before', wanted.due_date_before],
    ['has_due_date', 'has_due_date', 'is', wanted.has_due_date],
    ['has_attachments', 'has_attachments', 'is', wanted.has_attachments],
    ['has_comments', 'has_comments', 'is', wanted.has_comments],
    ['parent_task_id', 'parent', 'is', wanted.parent_task_id],
    ['filter.section', 'section', 'is', filter.section],
    ['filter.label', 'label', 'any_of', filter.label],
    ['filter.assignee', 'assignee', 'any_of', filter.assignee],
    ['filter.has_pr', 'has_pr', 'is', filter.has_pr],
  ]
  const customs = Object.entries(custom_fields).map(([name, value]): Asking => {
    const op = Array.isArray(value) ? 'any_of' : 'is'
    return [`custom_fields.${name}`, `cf:${name}`, op, value]
  })
  return [...own, ...customs]
    .filter(([, , , value]) => value !== undefined)
    .map(([named, field, op, value]) => [named, { field, op, value }])
}

function changedSince(ctx: Context, field: string, given: unknown): SQL | undefined {
  const since = readSince(ctx, field, given)
  return since && gte(tasks.updated_at, since)
}

/** A moment since which something changed; what cannot be read is dropped with a warning. */
export function readSince(ctx: Context, field: string, given: unknown): Date | undefined {
  if (given === undefined) return undefined
  const date = typeof given === 'string' ? readDate(given, ctx.caller.time_zone) : undefined
  if (date !== undefined) return momentIn(ctx, field, date)
  const message = `${field} is not an ISO 8601 date or date-time; it was left out`
  ctx.warn(field, 'invalid_format', message)
  return undefined
}
