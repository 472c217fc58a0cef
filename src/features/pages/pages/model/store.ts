import { and, count, eq, isNull } from 'drizzle-orm'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { cachedLoader } from '../../../../store/cache.ts'
import { hasConcurrentWriters } from '../../../../store/columns.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { findVisibleProject } from '../../../boards/projects/model/index.ts'
import {
  type Located,
  locateTask,
  type Task,
  taskById,
  updateDerivedColumns,
} from '../../../tasks/tasks/model/index.ts'
import type { Address } from './schema.ts'
import { pages } from './tables.ts'

export type Page = typeof pages.$inferSelect
export type LocatedPage = Located & { page: Page }

const statements = prepared((tx) => ({
  byId: tx
    .select()
    .from(pages)
    .where(eq(pages.page_id, param('page_id')))
    .prepare('page_by_id'),
  byName: tx
    .select()
    .from(pages)
    .where(and(eq(pages.team_id, param('team_id')), eq(pages.public_id, param('public_id'))))
    .prepare('page_by_public_id'),
  ofTask: tx
    .select()
    .from(pages)
    .where(and(eq(pages.team_id, param('team_id')), eq(pages.task_id, param('task_id'))))
    .orderBy(pages.page_id)
    .prepare('pages_of_task'),
  count: tx
    .select({ page_count: count() })
    .from(pages)
    .where(
      and(
        eq(pages.team_id, param('team_id')),
        eq(pages.task_id, param('task_id')),
        isNull(pages.archived_at),
      ),
    )
    .prepare('pages_counted'),
}))

const pageCache = cachedLoader<number, Page>({
  key: (page_id) => page_id,
  dependsOn: [[pages.page_id]],
  async load(tx, ids) {
    const rows: Page[] = []
    for (const page_id of ids) rows.push(...(await statements(tx).byId.execute({ page_id })))
    return new Map(rows.map((row) => [row.page_id, row]))
  },
})

const HINT = 'List the pages of a task: svc_pages list, or GET /api/v1/tasks/{task}/pages'

/**
 * Loads a page with its task if the caller can see the task. Writes lock the task. Archived pages
 * are found only by callers who may restore them.
 */
export async function findPage(ctx: Context, address: Address): Promise<LocatedPage> {
  const field = address.page_id === undefined ? 'id' : 'page_id'
  const missing = () => pageNotFound(refOf(address), field)
  const candidate = await resolveAddress(ctx, address)
  const task = candidate && (await taskById(ctx.tx, candidate.task_id))
  if (!candidate || !task || !(await findVisibleProject(ctx, task.project_id))) throw missing()
  if (candidate.archived_at && !ctx.caller.scopes.has('pages:write')) throw missing()
  const located = await locateTask(ctx, { task_id: task.task_id })
  // Read again: before the lock was taken, another request may have changed the page.
  const page = hasConcurrentWriters ? await pageById(ctx.tx, candidate.page_id) : candidate
  if (!page) throw missing()
  return { ...located, page }
}

/** Loads a page that is going to be changed. Archived pages are refused. */
export async function findLive(ctx: Context, address: Address): Promise<LocatedPage> {
  const found = await findPage(ctx, address)
  const { archived_at, page_id } = found.page
  if (!archived_at) return found
  throw fault.conflict(
    `Page ${page_id} is archived`,
    { field: 'page_id', value: page_id, archived_at: archived_at.toISOString() },
    'Restore it first: svc_pages restore with one of its versions',
  )
}

export type Ref = number | string
const NUMBER = /^\d{1,10}$/

function refOf({ page_id, id }: Address): Ref {
  const ref = page_id ?? id
  if (ref !== undefined) return typeof ref === 'string' && NUMBER.test(ref) ? Number(ref) : ref
  throw fault.invalid('page_id', 'required', 'page_id is required', undefined, HINT)
}

const MAX_ID = 2_147_483_647

/** If both page_id and id are given, they must name the same page. */
async function resolveAddress(ctx: Context, { page_id, id }: Address): Promise<Page | undefined> {
  const page = await findPageByRef(ctx, refOf({ page_id, id }))
  if (page_id === undefined || id === undefined || String(page_id) === String(id)) return page
  const other = await findPageByRef(ctx, id)
  if (page && other?.page_id === page.page_id) return page
  throw fault.invalid(
    'id',
    'conflict',
    'id and page_id name different pages',
    id,
    'Send only one of them',
  )
}

/** Loads a page by number or public id, without any access check. */
export async function findPageByRef(
  { tx, caller }: Pick<Context, 'tx' | 'caller'>,
  ref: Ref,
): Promise<Page | undefined> {
  const number = Number(ref)
  if (typeof ref === 'number' || NUMBER.test(ref))
    return number > 0 && number <= MAX_ID ? pageById(tx, number) : undefined
  for (const team_id of caller.teams.keys()) {
    const [page] = await statements(tx).byName.execute({ team_id, public_id: ref })
    if (page) return page
  }
  return undefined
}

/** Loads a page without any access check. */
export const pageById = async (tx: Tx, page_id: number): Promise<Page | undefined> =>
  pageCache.get(tx, page_id)

const pageNotFound = (ref: Ref, field = 'page_id') =>
  fault.notFound(field, `There is no page ${ref} that you can see`, ref, HINT)

/** Returns all pages of a task, including archived ones, oldest first. */
export const pagesOf = (
  tx: Tx,
  { team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>,
): Promise<Page[]> => statements(tx).ofTask.execute({ team_id, task_id })

/** Stores with the task how many pages it has. */
export async function updatePageCount(tx: Tx, { team_id, task_id }: Task): Promise<void> {
  const [row] = await statements(tx).count.execute({ team_id, task_id })
  await updateDerivedColumns(tx, task_id, { page_count: Number(row!.page_count) })
}
