import { type Static, Type as t } from '@sinclair/typebox'
import { and } from 'drizzle-orm'
import type { Context } from '../../../../kernel/caller.ts'
import { digest } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { DEFAULT_ROWS, listInput, listOf, type PageInfo } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { HeldLease, term } from '../../../agents/leases/model/index.ts'
import {
  claimNext,
  comparePositions,
  leasedCandidates,
  lengthOf,
  positionOf,
  type Queue,
  readCursor,
  readQueue,
  writeCursor,
} from '../../../agents/queue/model/index.ts'
import { LabelRef } from '../../../boards/labels/model/index.ts'
import {
  findProject,
  foldName,
  type Project,
  ProjectId,
} from '../../../boards/projects/model/index.ts'
import { type Section, SectionId, sectionsOf } from '../../../boards/sections/model/index.ts'
import { findLinked, type NamedRule, ruleCondition } from '../../../search/filters/model/index.ts'
import { TaskRow, toTaskRows } from '../../records/model/index.ts'

const ASSIGNEES = ['me', 'none', 'any'] as const
const MAX_COUNT = 10_000

const input = t.Object({
  project_id: ProjectId,
  section: t.Optional(
    t.Union([SectionId, t.String({ minLength: 1, maxLength: 500 })], {
      description: 'Title or id of a column; only tasks in it',
    }),
  ),
  labels: t.Optional(
    t.Union([...LabelRef.anyOf, t.Array(LabelRef, { maxItems: 50 })], {
      description: 'Ids or names; a task with any of them',
    }),
  ),
  assignee: t.Optional(
    t.Union(
      ASSIGNEES.map((assignee) => t.Literal(assignee)),
      { description: 'Tasks assigned to you, to nobody, or to anybody; default any' },
    ),
  ),
  exclude_blocked: t.Optional(
    t.Boolean({ description: 'Leaves out tasks that another task blocks' }),
  ),
  claim: t.Optional(
    t.Boolean({
      needs: 'tasks:write',
      description: 'Claims the first one for you: returns one task with its lease',
    }),
  ),
  ...term,
  ...t.Pick(listInput({}), ['cursor', 'fields', 'limit']).properties,
})
type NextRequest = Static<typeof input>

/** The lease is returned whatever fields are requested: the caller could not learn it otherwise. */
const NextRow = t.Object(
  {
    ...TaskRow.properties,
    lease: t.Optional({ ...HeldLease, always: true, description: 'Lease of the claimed task' }),
  },
  { columns: [...TaskRow.columns, 'lease'], omits: TaskRow.omits },
)

export const next = operation({
  name: 'tasks.next',
  summary: 'What to work on next: urgent tasks, then by due date; claim takes the first',
  needs: 'tasks:read',
  dependsOn: ['task', 'section', 'label', 'project', 'relation', 'lease'],
  elevatedScope: ({ claim }) => (claim ? 'tasks:write' : undefined),
  on: {
    rest: ['GET /api/v1/projects/:project_id/next', 'POST /api/v1/projects/:project_id/next'],
    mcp: 'svc_tasks.next',
    cli: { usage: 'tasks next <project_id>', example: 'HOM --section Inbox --exclude-blocked' },
    chat: true,
  },
  input,
  output: listOf(NextRow),
  async run({ claim, owner_id, ttl, ...request }, ctx) {
    const { project_id, cursor, limit } = request
    if (!claim) rejectLeaseTerm({ owner_id, ttl })
    const project = await findProject(ctx, project_id)
    const queue = await queueOf(ctx, project, request)
    if (!claim) return listQueue(ctx, queue, request)
    rejectPaging({ cursor, limit })
    const claimed = await claimNext(ctx, queue, { owner_id, ttl })
    if (!claimed) ctx.warn('claim', 'not_found', `No task on "${project.title}" is free to claim`)
    return { items: claimed ? [claimed] : [], page: onlyPage(claimed ? 1 : 0) }
  },
})

const onlyPage = (total: number): PageInfo => ({
  total,
  limit: 1,
  offset: 0,
  next_cursor: null,
  has_more: false,
})

function rejectLeaseTerm(term: object) {
  for (const [field, value] of Object.entries(term))
    if (value !== undefined)
      throw fault.invalid(
        field,
        'conflict',
        `${field} is only for claim: true`,
        value,
        'Send claim: true too, or leave it out',
      )
}

function rejectPaging({ cursor, limit = 1 }: Pick<NextRequest, 'cursor' | 'limit'>) {
  if (cursor === undefined && limit === 1) return
  const field = cursor === undefined ? 'limit' : 'cursor'
  throw fault.invalid(
    field,
    'conflict',
    'claim returns only the first free task',
    cursor ?? limit,
    `Leave ${field} out; call once for each task`,
  )
}

async function listQueue(ctx: Context, queue: Queue, request: NextRequest) {
  const { cursor, limit = DEFAULT_ROWS, fields: _, ...filters } = request
  const requestDigest = digest('tasks.next', filters).slice(0, 12)
  const from = cursor === undefined ? undefined : readCursor(cursor, requestDigest)
  const queuedRows = await readQueue(ctx.tx, queue, limit + 1, from?.position)
  const leased = await leasedCandidates(ctx, queue, from?.position)
  const found = leased.length ? [...queuedRows, ...leased].sort(byPosition(queue)) : queuedRows
  const rows = found.slice(0, limit)
  const has_more = found.length > limit
  const rowsBefore = from?.rowsBefore ?? 0
  const rowsSoFar = rowsBefore + rows.length
  const last = has_more ? positionOf(rows.at(-1)!, queue.columns) : undefined
  const total = has_more ? await totalOf(ctx, queue, from ? undefined : leased.length) : rowsSoFar
  const page: PageInfo = {
    total: total > MAX_COUNT ? null : total,
    ...(total > MAX_COUNT && { total_at_least: MAX_COUNT }),
    limit,
    offset: rowsBefore,
    next_cursor: last ? writeCursor(last, requestDigest, rowsSoFar) : null,
    has_more,
  }
  return { items: await toTaskRows(ctx, rows), page }
}

type Row = Parameters<typeof positionOf>[0]

const byPosition =
  ({ columns }: Queue) =>
  (a: Row, b: Row) =>
    comparePositions(positionOf(a, columns), positionOf(b, columns))

async function totalOf(ctx: Context, queue: Queue, known: number | undefined) {
  const candidateCount = known ?? (await leasedCandidates(ctx, queue)).length
  return candidateCount + (await lengthOf(ctx.tx, queue, MAX_COUNT + 1))
}

async function queueOf(ctx: Context, project: Project, request: NextRequest): Promise<Queue> {
  const { team_id, project_id } = project
  const sections = await sectionsOf(ctx.tx, project)
  const columns = sections.filter(({ done, hidden }) => !done && !hidden)
  return {
    team_id,
    project_id,
    columns: request.section === undefined ? columns : [findColumn(sections, request.section)],
    unblocked: request.exclude_blocked ?? false,
    ...(await filterOf(ctx, project, request)),
  }
}

/** A column that is named may be hidden. */
function findColumn(columns: readonly Section[], ref: number | string): Section {
  const titled = columns.find(({ title }) => foldName(title) === foldName(String(ref)))
  const found = titled ?? columns.find(({ section_id }) => String(section_id) === String(ref))
  if (found) return found
  const titles = columns.map(({ title }) => title).join(', ')
  throw fault.notFound('section', 'This board has no such column', ref, `It has ${titles}`)
}

/** The rules of a request; first the one that few tasks are likely to meet. */
function rulesOf({ labels, assignee }: NextRequest): NamedRule[] {
  const rules: NamedRule[] = []
  if (assignee === 'me')
    rules.push(['assignee', { field: 'assignee', op: 'any_of', value: ['me'] }])
  if (labels !== undefined)
    rules.push(['labels', { field: 'label', op: 'any_of', value: [labels].flat() }])
  if (assignee === 'none') rules.push(['assignee', { field: 'assignee', op: 'empty' }])
  return rules
}

/** The condition of a request, and the ids of the tasks that can meet it if these are few. */
async function filterOf(
  ctx: Context,
  { team_id, project_id }: Project,
  request: NextRequest,
): Promise<Pick<Queue, 'where' | 'ids'>> {
  const board = { ctx, scope: { teams: [team_id], project_id }, statuses: ['Normal'] as const }
  const { ids, condition, others, scope } = await findLinked(board, rulesOf(request))
  const conditions = [condition]
  for (const [field, rule] of others) conditions.push(await ruleCondition(ctx, scope, rule, field))
  return { where: and(...conditions), ids }
}
