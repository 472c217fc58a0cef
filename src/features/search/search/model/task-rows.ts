import { plainOf, readWords } from '../../../../content/index.ts'
import type { Context } from '../../../../kernel/caller.ts'
import type { Passage } from '../../../../kernel/services.ts'
import { highlightedTerms } from '../../../../search/query/highlight.ts'
import type { Term } from '../../../../search/query/query.ts'
import { scorer } from '../../../../search/query/score.ts'
import { plainSnippet, snippetOf, termsOf } from '../../../../search/query/snippet.ts'
import { isOneOf } from '../../../../store/id-list.ts'
import { toTaskRows } from '../../../tasks/records/model/index.ts'
import { type Task, tasks } from '../../../tasks/tasks/model/index.ts'
import type { FoundPage } from './find-tasks.ts'
import type { FoundTask } from './schema.ts'

/** Characters read of a long description; reading more would block other requests. */
const MAX_READ = 60_000
/** Words of longer descriptions are read in a worker. */
const INLINE_LENGTH = 2000

/** The rows of found tasks in the given order, with score and snippet. */
export async function toFoundTasks(
  ctx: Context,
  { ids, partial, search: { query, hits = [] } }: FoundPage,
  withText: boolean,
): Promise<FoundTask[]> {
  const terms = termsOf(query)
  const hitsById = new Map(hits.map((hit) => [hit.task_id, hit]))
  const score = scorer(query)
  const rows = await rowsOf(ctx, ids)
  const longRows = rows.filter(
    ({ description }) => description && description.length > INLINE_LENGTH,
  )
  if (terms.length) readWords(ctx, ...longRows)
  const taskRows = await toTaskRows(
    ctx,
    rows.map(({ description, ...row }) => (withText ? { ...row, description } : row)),
  )
  return taskRows.map((task, index) => ({
    ...task,
    score:
      partial.get(task.task_id)?.score ??
      score({ isNamed: false, isConsecutive: false, ...hitsById.get(task.task_id), ...task }),
    snippet: snippetFor(rows[index]!, terms, partial.get(task.task_id)?.passage),
    partial: partial.has(task.task_id),
  }))
}

async function rowsOf(ctx: Context, ids: readonly number[]): Promise<Task[]> {
  const found = await ctx.tx.select().from(tasks).where(isOneOf(tasks.task_id, ids))
  const byId = new Map(found.map((row) => [row.task_id, row]))
  return ids.map((task_id) => byId.get(task_id)!)
}

function snippetFor(
  { title, description, content_type }: Task,
  terms: readonly Term[],
  passage: Passage | undefined,
) {
  if (!terms.length) return null
  if (passage) return similarSnippet(passage.text, title, terms)
  const text = plainOf(description ?? '', content_type).slice(0, MAX_READ)
  return snippetOf(text, terms) ?? snippetOf(title, terms) ?? null
}

/** A snippet of a partial match. A passage found by meaning alone may contain none of the words. */
function similarSnippet(passage: string, title: string, terms: readonly Term[]): string {
  for (const text of [passage, title]) {
    const snippet = snippetOf(text, highlightedTerms(text, terms))
    if (snippet) return snippet
  }
  return plainSnippet(passage || title)
}
