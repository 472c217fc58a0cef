import { type Static, Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { digest } from '../../../../kernel/dispatch.ts'
import { fault } from '../../../../kernel/fault.ts'
import { DEFAULT_ROWS, listInput, PageInfo } from '../../../../kernel/list.ts'
import { operation } from '../../../../kernel/operation.ts'
import { HeldLease, term } from '../../../agents/leases/model/index.ts'
import {
  ASSIGNEES,
  byPosition,
  claimNext,
  excludedFrom,
  hasCondition,
  leasedCandidates,
  lengthOf,
  MAX_TESTED,
  partsOf,
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
import { findLinked } from '../../../search/filters/model/index.ts'
import { TaskRow, toTaskRows } from '../../records/model/index.ts'

const ROLES = ['intake', 'committed', 'building', 'verify'] as const
/** The roles of columns that `next` reads by default. */
const READY: ReadonlySet<string> = new Set(['committed', 'building'])
const URGENT = 1
/** How far tasks are counted by the stored sizes of whole columns. */
const MAX_COUNT_OF_COLUMNS = 10_000

const input = t.Object({
  project_id: ProjectId,
  section: t.Optional(
    t.Union([SectionId, t.String({ minLength: 1, maxLength: 500 })], {
      description: 'Title or id of a column; only tasks in it',
    }),
  ),
  role: t.Optional(
    t.Union(
      ROLES.map((role) => t.Literal(role)),
      { description: 'Only tasks in columns with this role; default: committed and building' },
    ),
  ),
  labels: t.Optional(
    t.Union([...LabelRef.anyOf, t.Array(LabelRef, { maxItems: 50 })], {
      description: 'Ids or names; a task with any of them',
    }),
  ),
  assignee: t.Optional(
    t.Union(
      ASSIGNEES.map((assignee) => t.Literal(assignee)),
      { description: 'Only yours, only unassigned, or any task; default: yours and unassigned' },
    ),
  ),
  exclude_blocked: t.Optional(
    t.Boolean({ description: 'Leaves out tasks that another task blocks; default true' }),
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
    reason: t.String({ description: 'Why it is here, and before others' }),
    lease: t.Optional({ ...HeldLease, always: true, description: 'Lease of the claimed task' }),
  },
  { columns: [...TaskRow.columns, 'reason', 'lease'], omits: TaskRow.omits },
)

const NextPage = t.Object({
  ...PageInfo.properties,
  excluded: t.Optional(
    t.Record(t.String(), t.Integer(), {
      description: `On the first page: open tasks that are left out, by reason (leased, blocked, assigned_to_others; of the first ${MAX_TESTED}) or role of their column`,
    }),
  ),
})
type NextPage = Static<typeof NextPage>

export const next = operation({
  name: 'tasks.next',
  summary: 'What you can start now: urgent tasks, then by due date; claim takes the first',
  needs: 'tasks:read',
  dependsOn: ['task', 'section', 'label', 'project', 'relation', 'lease'],
  elevatedScope: ({ claim }) => (claim ? 'tasks:write' : undefined),
  on: {
    rest: ['GET /api/v1/projects/:project_id/next', 'POST /api/v1/projects/:project_id/next'],
    mcp: 'svc_tasks.next',
    cli: { usage: 'tasks next <project_id>', example: 'HOM --role intake' },
    chat: true,
  },
  input,
  output: t.Object({ items: t.Array(NextRow), page: NextPage }, { list: true }),
  async run({ claim, owner_id, ttl, ...request }, ctx) {
    const { project_id, cursor, limit } = request
    if (!claim) rejectLeaseTerm({ owner_id, ttl })
    const project = await findProject(ctx, project_id)
    const { queue, otherColumns } = await queueOf(ctx, project, request)
    const countExcluded = () => excludedFrom(ctx, queue, otherColumns)
    if (!claim) return listQueue(ctx, queue, request, countExcluded)
    rejectPaging({ cursor, limit })
    const claimed = await claimNext(ctx, queue, { owner_id, ttl })
    if (claimed) return { items: explain(ctx, [claimed]), page: onlyPage(1) }
    const excluded = await countExcluded()
    const rest = describeExcluded(excluded)
    ctx.warn('claim', 'not_found', `No task on "${project.title}" is free to claim${rest}`)
    return { items: [], page: { ...onlyPage(0), excluded } }
  },
})

const onlyPage = (total: number): NextPage => ({
  total,
  limit: 1,
  offset: 0,
  next_cursor: null,
  has_more: false,
})

/** What is left out, and how to request it. */
const REASONS: Readonly<Record<string, string>> = {
  leased: 'held by others',
  assigned_to_others: 'assigned to others ("assignee": "any")',
  blocked: 'blocked ("exclude_blocked": false)',
  ...Object.fromEntries(ROLES.map((role) => [role, `in ${role} columns ("role": "${role}")`])),
}

const describeExcluded = (excluded: Record<string, number>): string => {
  const parts = Object.entries(excluded).map(([reason, total]) => `${total} ${REASONS[reason]}`)
  return parts.length ? `. Left out: ${parts.join(', ')}` : ''
}

/** Adds to each task the reason for its position in the queue. */
const explain = <Row extends TaskRow>({ caller }: Context, rows: readonly Row[]) =>
  rows.map((row) => {
    const isMine = row.assignees.some(({ agent_id, user_id }) =>
      caller.agent_id ? agent_id === caller.agent_id : user_id === caller.actor_id,
    )
    const reasons = [
      ...(row.priority === URGENT ? ['urgent'] : []),
      ...(row.due_date ? [`${row.overdue ? 'overdue since' : 'due'} ${row.due_date}`] : []),
      isMine ? 'assigned to you' : row.assignees.length ? 'assigned to others' : 'unassigned',
      `in ${row.section}`,
    ]
    return { ...row, reason: reasons.join(', ') }
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

async function listQueue(
  ctx: Context,
  queue: Queue,
  request: NextRequest,
  countExcluded: () => Promise<Record<string, number>>,
) {
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
  const page: NextPage = {
    ...(has_more
      ? await totalOf(ctx, queue, rowsSoFar, from ? undefined : leased.length)
      : { total: rowsSoFar }),
    limit,
    offset: rowsBefore,
    next_cursor: last ? writeCursor(last, requestDigest, rowsSoFar) : null,
    has_more,
    ...(!from && { excluded: await countExcluded() }),
  }
  return { items: explain(ctx, await toTaskRows(ctx, rows)), page }
}

async function totalOf(ctx: Context, queue: Queue, rowsSoFar: number, known: number | undefined) {
  const candidateCount = known ?? (await leasedCandidates(ctx, queue)).length
  const most = hasCondition(queue) ? MAX_TESTED : MAX_COUNT_OF_COLUMNS
  const length = await lengthOf(ctx.tx, queue, most + 1)
  if (length === undefined) return { total: null, total_at_least: rowsSoFar + 1 }
  const total = candidateCount + length
  return total > most ? { total: null, total_at_least: Math.max(most, rowsSoFar + 1) } : { total }
}

/** The queue of a request, and the open columns that it leaves out by default. */
async function queueOf(ctx: Context, project: Project, request: NextRequest) {
  const { team_id, project_id } = project
  const { section, role, assignee, labels, exclude_blocked = true } = request
  const sections = await sectionsOf(ctx.tx, project)
  const columns = columnsOf(sections, request)
  const isDefault = section === undefined && role === undefined
  const queue: Queue = {
    ...{ team_id, project_id, columns },
    unblocked: exclude_blocked,
    openTo: assignee === undefined ? ctx.caller.actor_id : undefined,
    parts: await partsOf(ctx, project, assignee, await labelFilter(ctx, project, labels)),
  }
  const isLeftOut = (column: Section) => !column.done && !columns.includes(column)
  return { queue, otherColumns: isDefault ? sections.filter(isLeftOut) : [] }
}

/**
 * Without `section` and `role`, the columns of committed and started work. A board without such
 * columns has its work in the others.
 */
function columnsOf(sections: readonly Section[], { section, role }: NextRequest): Section[] {
  if (section !== undefined && role !== undefined)
    throw fault.invalid('role', 'conflict', 'role cannot be combined with section', role)
  if (section !== undefined) return [findColumn(sections, section)]
  const open = sections.filter(({ done, hidden }) => !done && !hidden)
  if (role !== undefined) return open.filter((column) => column.role === role)
  const ready = open.filter((column) => READY.has(column.role))
  return ready.length ? ready : open
}

/** A column that is named may be hidden. */
function findColumn(columns: readonly Section[], ref: number | string): Section {
  const titled = columns.find(({ title }) => foldName(title) === foldName(String(ref)))
  const found = titled ?? columns.find(({ section_id }) => String(section_id) === String(ref))
  if (found) return found
  const titles = columns.map(({ title }) => title).join(', ')
  throw fault.notFound('section', 'This board has no such column', ref, `It has ${titles}`)
}

/** The condition for the labels, and the ids of the tasks that meet it if these are few. */
async function labelFilter(
  ctx: Context,
  { team_id, project_id }: Project,
  labels: NextRequest['labels'],
) {
  if (labels === undefined) return {}
  const board = { ctx, scope: { teams: [team_id], project_id }, statuses: ['Normal'] as const }
  const rule = { field: 'label', op: 'any_of', value: [labels].flat() } as const
  const { ids, condition: where } = await findLinked(board, [['labels', rule]])
  return ids ? { ids } : { where }
}
