import { type Static, Type as t } from '@sinclair/typebox'
import { and, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { digest } from '../../kernel/dispatch.ts'
import { fault } from '../../kernel/fault.ts'
import { listing, listOf, type PageInfo, ROWS } from '../../kernel/list.ts'
import { operation } from '../../kernel/operation.ts'
import { findProject, folded, type Project, ProjectId } from '../projects/index.ts'
import { type Section, SectionId, sectionsOf } from '../sections/index.ts'
import { criterion, LabelRef, shownTasks, TaskRow } from '../tasks/index.ts'
import { besides } from './lapsed.ts'
import { byPlace, markOf, readCursor, writeCursor } from './mark.ts'
import { lengthOf, type Queue, queued } from './queue.ts'
import { HeldLease, term } from './schema.ts'
import { takeNext } from './take.ts'

const ASSIGNEES = ['me', 'none', 'any'] as const
const COUNTED = 10_000

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
      ASSIGNEES.map((one) => t.Literal(one)),
      { description: 'Tasks of yours, of nobody, or of anybody; default any' },
    ),
  ),
  exclude_blocked: t.Optional(
    t.Boolean({ description: 'Leaves out tasks that wait for another one' }),
  ),
  claim: t.Optional(
    t.Boolean({
      needs: 'tasks:write',
      description: 'Takes the first of them for you: one task, with its lease',
    }),
  ),
  ...term,
  ...t.Pick(listing({}), ['cursor', 'fields', 'limit']).properties,
})
type Asked = Static<typeof input>

/** A lease that was taken is told whatever fields are asked for: nobody else would know it. */
const NextRow = t.Object(
  {
    ...TaskRow.properties,
    lease: t.Optional({ ...HeldLease, always: true, description: 'Of a task that was claimed' }),
  },
  { columns: [...TaskRow.columns, 'lease'], omits: TaskRow.omits },
)

export const next = operation({
  name: 'tasks.next',
  summary: 'What to work on next: urgent tasks, then by due date; claim takes the first',
  needs: 'tasks:read',
  beyond: ({ claim }) => (claim ? 'tasks:write' : undefined),
  on: {
    rest: ['GET /api/v1/projects/:project_id/next', 'POST /api/v1/projects/:project_id/next'],
    mcp: 'svc_tasks.next',
    cli: 'tasks next <project_id>',
    chat: true,
  },
  input,
  output: listOf(NextRow),
  async run({ claim, owner_id, ttl, ...asked }, ctx) {
    const { project_id, cursor, limit } = asked
    if (!claim) refuseTerm({ owner_id, ttl })
    const project = await findProject(ctx, project_id)
    const queue = await queueOf(ctx, project, asked)
    if (!claim) return listed(ctx, queue, asked)
    refusePaging({ cursor, limit })
    const taken = await takeNext(ctx, queue, { owner_id, ttl })
    if (!taken) ctx.warn('claim', 'not_found', `Nothing on "${project.title}" is free to be taken`)
    return { items: taken ? [taken] : [], page: onlyPage(taken ? 1 : 0) }
  },
})

const onlyPage = (total: number): PageInfo => ({
  ...{ total, limit: 1, offset: 0, next_cursor: null, has_more: false },
})

function refuseTerm(term: object) {
  for (const [field, value] of Object.entries(term))
    if (value !== undefined)
      throw fault.invalid(
        field,
        'conflict',
        `${field} is of a lease, and none is asked for`,
        value,
        'Send claim: true beside it, or leave it out',
      )
}

function refusePaging({ cursor, limit = 1 }: Pick<Asked, 'cursor' | 'limit'>) {
  if (cursor === undefined && limit === 1) return
  const field = cursor === undefined ? 'limit' : 'cursor'
  throw fault.invalid(
    field,
    'conflict',
    'claim takes the first task that is free, and only that one',
    cursor ?? limit,
    `Leave ${field} out; ask once for each task`,
  )
}

async function listed(ctx: Context, queue: Queue, asked: Asked) {
  const { cursor, limit = ROWS, fields: _, ...filters } = asked
  const made = digest('tasks.next', filters).slice(0, 12)
  const from = cursor === undefined ? undefined : readCursor(cursor, made)
  const untaken = await queued(ctx.tx, queue, limit + 1, from?.mark)
  const beside = await besides(ctx, queue, from?.mark)
  const found = beside.length ? [...untaken, ...beside].sort(inOrder(queue)) : untaken
  const rows = found.slice(0, limit)
  const has_more = found.length > limit
  const before = from?.seen ?? 0
  const seen = before + rows.length
  const last = has_more ? markOf(rows.at(-1)!, queue.columns) : undefined
  const total = has_more ? await totalOf(ctx, queue, from ? undefined : beside.length) : seen
  const page: PageInfo = {
    total: total > COUNTED ? null : total,
    ...(total > COUNTED && { total_at_least: COUNTED }),
    limit,
    offset: before,
    next_cursor: last ? writeCursor(last, made, seen) : null,
    has_more,
  }
  return { items: await shownTasks(ctx, rows), page }
}

type Row = Parameters<typeof markOf>[0]

const inOrder =
  ({ columns }: Queue) =>
  (a: Row, b: Row) =>
    byPlace(markOf(a, columns), markOf(b, columns))

async function totalOf(ctx: Context, queue: Queue, beside: number | undefined) {
  const taken = beside ?? (await besides(ctx, queue)).length
  return taken + (await lengthOf(ctx.tx, queue, COUNTED + 1))
}

async function queueOf(ctx: Context, project: Project, asked: Asked): Promise<Queue> {
  const { team_id, project_id } = project
  const all = await sectionsOf(ctx.tx, project)
  const columns = all.filter(({ done, hidden }) => !done && !hidden)
  return {
    ...{ team_id, project_id },
    columns: asked.section === undefined ? columns : [columnMeant(all, asked.section)],
    unblocked: asked.exclude_blocked ?? false,
    where: await narrowed(ctx, project, asked),
  }
}

/** A column that is asked for may be a hidden one. */
function columnMeant(columns: readonly Section[], given: number | string): Section {
  const named = columns.find(({ title }) => folded(title) === folded(String(given)))
  const found = named ?? columns.find(({ section_id }) => String(section_id) === String(given))
  if (found) return found
  const titles = columns.map(({ title }) => title).join(', ')
  throw fault.notFound('section', 'This board has no such column', given, `It has ${titles}`)
}

async function narrowed(
  ctx: Context,
  { team_id, project_id }: Project,
  { labels, assignee = 'any' }: Asked,
): Promise<SQL | undefined> {
  const scope = { teams: [team_id], project_id }
  const conditions: SQL[] = []
  if (labels !== undefined) {
    const rule = { field: 'label', op: 'any_of', value: [labels].flat() } as const
    conditions.push(await criterion(ctx, scope, rule, 'labels'))
  }
  if (assignee === 'me') {
    const rule = { field: 'assignee', op: 'is', value: 'me' } as const
    conditions.push(await criterion(ctx, scope, rule, 'assignee'))
  }
  if (assignee === 'none')
    conditions.push(await criterion(ctx, scope, { field: 'assignee', op: 'empty' }, 'assignee'))
  return and(...conditions)
}
