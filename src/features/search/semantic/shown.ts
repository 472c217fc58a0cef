import type { Context } from '../../../kernel/caller.ts'
import type { Passage } from '../../../kernel/outside.ts'
import { listed } from '../../../store/fulltext.ts'
import { actorsOf, asActor } from '../../people/index.ts'
import { type Task, tasksById } from '../../tasks/index.ts'
import { ofComments, ofDescriptions, ofPages } from '../feed/statements.ts'
import { boardsOf } from './boards.ts'
import type { FoundPassage, Source } from './schema.ts'

/** A passage beside what it is from, as that is by now. */
export interface Seen {
  passage: Passage
  task: Task
  author_id: number
  /** Of the text it is from. */
  title: string
  written_at: Date
  /** What stands in the address of a page. */
  public_id?: string
}

interface Now {
  id: number
  task_id: number
  title: string
  author_id: number
  created_at: Date
  written_at: Date | null
  archived_at?: Date | null
  public_id?: string
}

/** Those that are still there, where the caller may read them; the best first, as they came. */
export async function stillSeen(
  ctx: Context,
  passages: readonly Passage[],
  project_id: number | undefined,
): Promise<Seen[]> {
  if (!passages.length) return []
  const boards = new Set(await boardsOf(ctx, project_id))
  const texts = await textsNow(ctx, passages)
  const tasks = await tasksById(ctx.tx, [
    ...new Set([...texts.values()].map(({ task_id }) => task_id)),
  ])
  const mayPages = ctx.caller.scopes.has('pages:read')
  return passages.flatMap((passage) => {
    const text = texts.get(nameOf(passage))
    const task = text && tasks.get(text.task_id)
    if (!task || task.status === 'Deleted' || !boards.has(task.project_id)) return []
    if (text.archived_at || (passage.kind === 'page' && !mayPages)) return []
    const { author_id, title, written_at, created_at, public_id } = text
    const seen = { passage, task, author_id, title, written_at: written_at ?? created_at }
    return [{ ...seen, ...(public_id !== undefined && { public_id }) }]
  })
}

const nameOf = ({ kind, id }: Pick<Passage, 'kind' | 'id'>) => `${kind} ${id}`

async function textsNow({ tx }: Context, passages: readonly Passage[]) {
  const found = new Map<string, Now>()
  for (const [kind, some] of Map.groupBy(passages, (passage) => passage.kind)) {
    const ids = listed([...new Set(some.map(({ id }) => id))])
    const rows: Now[] =
      kind === 'description'
        ? await ofDescriptions(tx).about.execute({ ids })
        : kind === 'comment'
          ? await ofComments(tx).about.execute({ ids })
          : await ofPages(tx).read.execute({ ids })
    for (const row of rows) found.set(nameOf({ kind, id: row.id }), row)
  }
  return found
}

export async function shownPassages(ctx: Context, seen: readonly Seen[]): Promise<FoundPassage[]> {
  const authors = await actorsOf(
    ctx.tx,
    seen.map(({ author_id }) => author_id),
  )
  return seen.map((one) => {
    const { passage, task, title, written_at } = one
    const source: Source = {
      ...{ kind: passage.kind, id: passage.id, ticket_number: task.ticket_number, title },
      headings: passage.headings.slice(1),
      url: urlOf(ctx, one),
      ...{ task_id: task.task_id, project_id: task.project_id },
      author: asActor(authors.get(one.author_id)!),
      updated_at: written_at.toISOString(),
    }
    return { text: passage.text || title, score: rounded(passage.score), source }
  })
}

export const rounded = (score: number) => Math.round(score * 10_000) / 10_000

export function urlOf({ server }: Context, { passage, task, public_id }: Seen): string {
  const url = `${server.url}/t/${task.ticket_number}`
  if (passage.kind === 'comment') return `${url}#comment-${passage.id}`
  return passage.kind === 'page' ? `${server.url}/p/${public_id}` : url
}
