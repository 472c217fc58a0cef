import { type Static, Type as t } from '@sinclair/typebox'
import { and, type SQL } from 'drizzle-orm'
import type { Context } from '../../../kernel/caller.ts'
import { digest } from '../../../kernel/dispatch.ts'
import { fault } from '../../../kernel/fault.ts'
import {
  decodeCursor,
  encodeCursor,
  listing,
  listOf,
  type PageInfo,
  ROWS,
} from '../../../kernel/list.ts'
import { operation } from '../../../kernel/operation.ts'
import { findProject, folded, type Project } from '../../projects/index.ts'
import { type Section, sectionsOf } from '../../sections/index.ts'
import { shownTasks } from '../records.ts'
import { LabelRef, ProjectId, SectionId, TaskRow } from '../schema.ts'
import { criterion } from './criteria.ts'
import { lengthOf, type Mark, markOf, type Queue, queued } from './queue.ts'

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
  ...t.Pick(listing({}), ['cursor', 'fields', 'limit']).properties,
})
type Asked = Static<typeof input>

export const next = operation({
  name: 'tasks.next',
  summary: 'What to work on next: urgent tasks first, then by due date, then as on the board',
  needs: 'tasks:read',
  on: {
    rest: 'GET /api/v1/projects/:project_id/next',
    mcp: 'svc_tasks.next',
    cli: 'tasks next <project_id>',
    chat: true,
  },
  input,
  output: listOf(TaskRow),
  async run(asked, ctx) {
    const project = await findProject(ctx, asked.project_id)
    const { cursor, limit = ROWS, fields: _, ...filters } = asked
    const made = digest('tasks.next', filters).slice(0, 12)
    const from = cursor === undefined ? undefined : readCursor(cursor, made)
    const queue = await queueOf(ctx, project, asked)
    const found = await queued(ctx.tx, queue, limit + 1, from?.mark)
    const rows = found.slice(0, limit)
    const has_more = found.length > limit
    const before = from?.seen ?? 0
    const seen = before + rows.length
    const total = has_more ? await lengthOf(ctx.tx, queue, COUNTED + 1) : seen
    const last = has_more ? markOf(rows.at(-1)!, queue.columns) : undefined
    const page: PageInfo = {
      total: total > COUNTED ? null : total,
      ...(total > COUNTED && { total_at_least: COUNTED }),
      limit,
      offset: before,
      next_cursor: last ? writeCursor(last, made, seen) : null,
      has_more,
    }
    return { items: await shownTasks(ctx, rows), page }
  },
})

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

function writeCursor({ task_id, ...place }: Mark, made: string, seen: number): string {
  const { urgency, due, column, rank } = place
  const value = JSON.stringify([urgency, due, column, rank])
  return encodeCursor({ digest: made, value, id: task_id, seen })
}

function readCursor(cursor: string, made: string): { mark: Mark; seen: number } {
  const { value, id: task_id, seen } = decodeCursor(cursor, made)
  const [urgency, due, column, rank] = partsOf(value)
  const isDue = due === null || (Number.isInteger(due) && Math.abs(due as number) <= MOST_MS)
  const isPlace = isRank(column) && isRank(rank)
  if ((urgency !== 0 && urgency !== 1) || !isDue || !isPlace)
    throw fault.invalid('cursor', 'invalid_format', 'cursor is not one that a list gave', cursor)
  return { mark: { urgency, due: due as number | null, column, rank, task_id }, seen }
}

/** The last moment that a date can hold. */
const MOST_MS = 253_402_300_799_999

const isRank = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9A-Za-z]{1,1000}$/.test(value)

function partsOf(value: unknown): unknown[] {
  try {
    const read: unknown = JSON.parse(String(value))
    return Array.isArray(read) ? read : []
  } catch {
    return []
  }
}
