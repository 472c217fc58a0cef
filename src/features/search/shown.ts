import { plainOf, readWords } from '../../content/index.ts'
import type { Context } from '../../kernel/caller.ts'
import type { Term } from '../../search/query.ts'
import { scorer } from '../../search/score.ts'
import { snippetOf, termsOf } from '../../search/snippet.ts'
import { among } from '../../store/fulltext.ts'
import { type Sought, shownTasks, type Task, tasks } from '../tasks/index.ts'
import type { FoundTask } from './schema.ts'

/** Of a long description; reading more would keep everybody else waiting. */
const MOST_READ = 60_000
/** The words of a longer description are read in a worker. */
const SHORT = 2000

/** These tasks in their order as they are shown, with score and the passage that was found. */
export async function shownFound(
  ctx: Context,
  ids: readonly number[],
  { query, hits = [] }: Sought,
  withText: boolean,
): Promise<FoundTask[]> {
  const terms = termsOf(query)
  const named = new Set(hits.filter(({ isNamed }) => isNamed).map(({ task_id }) => task_id))
  const score = scorer(query)
  const rows = await rowsOf(ctx, ids)
  const long = rows.filter(({ description }) => description && description.length > SHORT)
  if (terms.length) readWords(ctx, ...long)
  const shown = await shownTasks(
    ctx,
    rows.map(({ description, ...row }) => (withText ? { ...row, description } : row)),
  )
  return shown.map((task, at) => ({
    ...task,
    score: score(task.title, named.has(task.task_id)),
    snippet: passageOf(rows[at]!, terms),
  }))
}

async function rowsOf(ctx: Context, ids: readonly number[]): Promise<Task[]> {
  const found = await ctx.tx.select().from(tasks).where(among(tasks.task_id, ids))
  const byId = new Map(found.map((row) => [row.task_id, row]))
  return ids.map((task_id) => byId.get(task_id)!)
}

function passageOf({ title, description, content_type }: Task, terms: readonly Term[]) {
  if (!terms.length) return null
  const text = plainOf(description ?? '', content_type).slice(0, MOST_READ)
  return snippetOf(text, terms) ?? snippetOf(title, terms) ?? null
}
