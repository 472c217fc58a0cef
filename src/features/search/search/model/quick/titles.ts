import { and, eq, isNull } from 'drizzle-orm'
import type { Context } from '../../../../../kernel/caller.ts'
import type { TitleRef } from '../../../../../kernel/services.ts'
import { keyPartsOf } from '../../../../../search/query/query.ts'
import { titleScore } from '../../../../../search/titles/score.ts'
import { titleWords } from '../../../../../search/titles/words.ts'
import { idList, isInIdList } from '../../../../../store/id-list.ts'
import { param, prepared } from '../../../../../store/prepared.ts'
import { pages } from '../../../../pages/pages/model/index.ts'
import { taskByTicket, tasks } from '../../../../tasks/tasks/model/index.ts'
import type { Board } from './boards.ts'
import type { QuickMatch } from './schema.ts'

type Boards = ReadonlyMap<number, Board>

const statements = prepared((tx) => ({
  tasks: tx
    .select({
      task_id: tasks.task_id,
      project_id: tasks.project_id,
      ticket_number: tasks.ticket_number,
      title: tasks.title,
      completed_at: tasks.completed_at,
      updated_at: tasks.updated_at,
    })
    .from(tasks)
    .where(and(isInIdList(tasks.task_id, param('ids')), eq(tasks.status, 'Normal')))
    .prepare('quick_tasks'),
  pages: tx
    .select({
      page_id: pages.page_id,
      public_id: pages.public_id,
      title: pages.title,
      updated_at: pages.updated_at,
      project_id: tasks.project_id,
      ticket_number: tasks.ticket_number,
    })
    .from(pages)
    .innerJoin(tasks, and(eq(tasks.task_id, pages.task_id), eq(tasks.team_id, pages.team_id)))
    .where(
      and(
        isInIdList(pages.page_id, param('ids')),
        isNull(pages.archived_at),
        eq(tasks.status, 'Normal'),
      ),
    )
    .prepare('quick_pages'),
}))

/** Shares of the score: of the title, and of how recently it changed. */
const TITLE_SHARE = 0.95
const DONE_FACTOR = 0.85
const HALF_LIFE_MS = 14 * 86_400_000

function scoreOf(ctx: Context, titleMatch: number, updated_at: Date, done = false): number {
  const age = Math.max(0, ctx.now.getTime() - updated_at.getTime())
  const recency = 0.5 ** (age / HALF_LIFE_MS)
  return titleMatch * TITLE_SHARE * (done ? DONE_FACTOR : 1) + recency * (1 - TITLE_SHARE)
}

/** Tasks whose title or key matches the query. */
export async function taskMatches(
  ctx: Context,
  query: string,
  boards: Boards,
  refs: readonly TitleRef[],
): Promise<QuickMatch[]> {
  const named = await tasksNamed(ctx, query, boards)
  const ids = refs.filter(({ kind }) => kind === 'task').map(({ id }) => id)
  const typed = titleWords(query)
  const rows = await statements(ctx.tx).tasks.execute({ ids: idList([...named, ...ids]) })
  return rows.flatMap((row): QuickMatch[] => {
    const board = boards.get(row.project_id)
    const match = named.has(row.task_id) ? 1 : titleScore(typed, titleWords(row.title))
    if (!board || match === undefined) return []
    const done = row.completed_at !== null
    return [
      {
        ...{ kind: 'task', id: row.task_id, title: row.title, key: row.ticket_number, done },
        ...{ board: board.title, project_id: row.project_id },
        url: `${ctx.server.url}/t/${row.ticket_number}`,
        score: named.has(row.task_id) ? 1 : scoreOf(ctx, match, row.updated_at, done),
      },
    ]
  })
}

export async function pageMatches(
  ctx: Context,
  query: string,
  boards: Boards,
  refs: readonly TitleRef[],
): Promise<QuickMatch[]> {
  const ids = refs.filter(({ kind }) => kind === 'page').map(({ id }) => id)
  if (!ids.length) return []
  const typed = titleWords(query)
  const rows = await statements(ctx.tx).pages.execute({ ids: idList(ids) })
  return rows.flatMap((row): QuickMatch[] => {
    const board = boards.get(row.project_id)
    const match = titleScore(typed, titleWords(row.title))
    if (!board || match === undefined) return []
    return [
      {
        ...{ kind: 'page', id: row.page_id, title: row.title, key: row.ticket_number, done: false },
        ...{ board: board.title, project_id: row.project_id },
        url: `${ctx.server.url}/p/${row.public_id}`,
        score: scoreOf(ctx, match, row.updated_at),
      },
    ]
  })
}

/** A number alone is looked up on as many boards. */
const MAX_BOARDS = 100

/** Ids of the tasks with a key such as `HOM-14`, `HOM14`, `#14` or `14`, also a former one. */
async function tasksNamed(ctx: Context, query: string, boards: Boards): Promise<Set<number>> {
  const parts = keyPartsOf(query)
  const found = new Set<number>()
  if (!parts) return found
  const all = [...boards.values()]
  const teams = [...new Set(all.map(({ team_id }) => team_id))]
  const keys = parts.board
    ? teams.map((team_id) => ({ team_id, key: parts.board! }))
    : all.slice(0, MAX_BOARDS)
  for (const { team_id, key } of keys) {
    const task = await taskByTicket(ctx, team_id, `${key}-${parts.number}`)
    if (task) found.add(task.task_id)
  }
  return found
}
