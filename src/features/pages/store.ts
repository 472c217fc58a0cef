import { and, count, eq, isNull } from 'drizzle-orm'
import type { Context, Tx } from '../../kernel/caller.ts'
import { fault } from '../../kernel/fault.ts'
import { manyWriters } from '../../store/columns.ts'
import { param, prepared } from '../../store/prepared.ts'
import { recall } from '../../store/recall.ts'
import { seenProject } from '../projects/index.ts'
import { type Located, locateTask, noteOn, type Task, taskById } from '../tasks/index.ts'
import type { Address } from './schema.ts'
import { pages } from './tables.ts'

export type Page = typeof pages.$inferSelect
export type Paged = Located & { page: Page }

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
  counted: tx
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

const known = recall<number, Page>({
  key: (page_id) => page_id,
  from: [[pages.page_id]],
  async load(tx, ids) {
    const rows: Page[] = []
    for (const page_id of ids) rows.push(...(await statements(tx).byId.execute({ page_id })))
    return new Map(rows.map((row) => [row.page_id, row]))
  },
})

const HINT = 'List those of a task: svc_pages list, or GET /api/v1/tasks/{task}/pages'

/**
 * The page with its task, if the caller can see that. While it is changed the task is held. An
 * archived one is there for those who may bring it back.
 */
export async function findPage(ctx: Context, address: Address): Promise<Paged> {
  const field = address.page_id === undefined ? 'id' : 'page_id'
  const missing = () => unknown(refOf(address), field)
  const named = await lookUp(ctx, address)
  const task = named && (await taskById(ctx.tx, named.task_id))
  if (!named || !task || !(await seenProject(ctx, task.project_id))) throw missing()
  if (named.archived_at && !ctx.caller.scopes.has('pages:write')) throw missing()
  const located = await locateTask(ctx, { task_id: task.task_id })
  // Whoever held the task before may have changed the page.
  const page = manyWriters ? await pageById(ctx.tx, named.page_id) : named
  if (!page) throw missing()
  return { ...located, page }
}

/** The same, to be changed: what is archived is brought back first. */
export async function findLive(ctx: Context, address: Address): Promise<Paged> {
  const found = await findPage(ctx, address)
  const { archived_at, page_id } = found.page
  if (!archived_at) return found
  throw fault.conflict(
    `Page ${page_id} is archived`,
    { field: 'page_id', value: page_id, archived_at: archived_at.toISOString() },
    'Bring it back first: svc_pages restore with one of its versions',
  )
}

export type Ref = number | string
const NUMBER = /^\d{1,10}$/

function refOf({ page_id, id }: Address): Ref {
  const ref = page_id ?? id
  if (ref !== undefined) return typeof ref === 'string' && NUMBER.test(ref) ? Number(ref) : ref
  throw fault.invalid('page_id', 'required', 'Name the page: page_id', undefined, HINT)
}

const MOST_ID = 2_147_483_647

/** What is said twice about a page must agree. */
async function lookUp(ctx: Context, { page_id, id }: Address): Promise<Page | undefined> {
  const named = await pageCalled(ctx, refOf({ page_id, id }))
  if (page_id === undefined || id === undefined || String(page_id) === String(id)) return named
  const other = await pageCalled(ctx, id)
  if (named && other?.page_id === named.page_id) return named
  throw fault.invalid(
    'id',
    'conflict',
    'id and page_id name different pages',
    id,
    'Give one of them',
  )
}

/** A page by what it is called, if there is one; it checks nothing. */
export async function pageCalled(
  { tx, caller }: Pick<Context, 'tx' | 'caller'>,
  ref: Ref,
): Promise<Page | undefined> {
  const number = Number(ref)
  if (typeof ref === 'number' || NUMBER.test(ref))
    return number > 0 && number <= MOST_ID ? pageById(tx, number) : undefined
  for (const team_id of caller.teams.keys()) {
    const [page] = await statements(tx).byName.execute({ team_id, public_id: ref })
    if (page) return page
  }
  return undefined
}

/** It checks nothing. */
export const pageById = async (tx: Tx, page_id: number): Promise<Page | undefined> =>
  known.one(tx, page_id)

const unknown = (ref: Ref, field = 'page_id') =>
  fault.notFound(field, `There is no page ${ref} that you can see`, ref, HINT)

/** All pages of a task, the archived ones too, the oldest first. */
export const pagesOf = (
  tx: Tx,
  { team_id, task_id }: Pick<Task, 'team_id' | 'task_id'>,
): Promise<Page[]> => statements(tx).ofTask.execute({ team_id, task_id })

/** Keeps with the task how many pages it has. */
export async function countPages(tx: Tx, { team_id, task_id }: Task): Promise<void> {
  const [row] = await statements(tx).counted.execute({ team_id, task_id })
  await noteOn(tx, task_id, { page_count: Number(row!.page_count) })
}
