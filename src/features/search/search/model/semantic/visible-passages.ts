import type { Context, Tx } from '../../../../../kernel/caller.ts'
import type { Passage, PassageKind } from '../../../../../kernel/services.ts'
import { idList } from '../../../../../store/id-list.ts'
import { actorsOf, asActor } from '../../../../identity/people/model/index.ts'
import { type Task, tasksById } from '../../../../tasks/tasks/model/index.ts'
import {
  commentStatements,
  descriptionStatements,
  fileStatements,
  pageStatements,
} from '../feed/statements.ts'
import { boardsOf } from './boards.ts'
import type { FoundPassage, Source } from './schema.ts'

/** A passage with the current state of its text and task. */
export interface VisiblePassage {
  passage: Passage
  task: Task
  author_id: number
  /** Title of the text it is from. */
  title: string
  written_at: Date
  /** The id in the address of a page. */
  public_id?: string
}

interface CurrentText {
  id: number
  task_id: number
  title: string
  author_id: number
  created_at: Date
  written_at?: Date | null
  archived_at?: Date | null
  public_id?: string
}

/** The passages that still exist and that the caller may read, in the given order. */
export async function visiblePassages(
  ctx: Context,
  passages: readonly Passage[],
  project_id: number | undefined,
): Promise<VisiblePassage[]> {
  if (!passages.length) return []
  const boards = new Set(await boardsOf(ctx, project_id))
  const texts = await currentTexts(ctx, passages)
  const tasks = await tasksById(ctx.tx, [
    ...new Set([...texts.values()].map(({ task_id }) => task_id)),
  ])
  const mayReadPages = ctx.caller.scopes.has('pages:read')
  return passages.flatMap((passage) => {
    const text = texts.get(keyOf(passage))
    const task = text && tasks.get(text.task_id)
    if (!task || task.status === 'Deleted' || !boards.has(task.project_id)) return []
    if (text.archived_at || (passage.kind === 'page' && !mayReadPages)) return []
    const { author_id, title, written_at, created_at, public_id } = text
    const visible = { passage, task, author_id, title, written_at: written_at ?? created_at }
    return [{ ...visible, ...(public_id !== undefined && { public_id }) }]
  })
}

const keyOf = ({ kind, id }: Pick<Passage, 'kind' | 'id'>) => `${kind} ${id}`

const readers: Record<PassageKind, (tx: Tx, ids: string) => Promise<CurrentText[]>> = {
  description: (tx, ids) => descriptionStatements(tx).about.execute({ ids }),
  comment: (tx, ids) => commentStatements(tx).about.execute({ ids }),
  page: (tx, ids) => pageStatements(tx).read.execute({ ids }),
  file: (tx, ids) => fileStatements(tx).read.execute({ ids }),
}

async function currentTexts({ tx }: Context, passages: readonly Passage[]) {
  const texts = new Map<string, CurrentText>()
  for (const [kind, group] of Map.groupBy(passages, (passage) => passage.kind)) {
    const ids = idList([...new Set(group.map(({ id }) => id))])
    for (const row of await readers[kind](tx, ids)) texts.set(keyOf({ kind, id: row.id }), row)
  }
  return texts
}

export async function toFoundPassages(
  ctx: Context,
  visible: readonly VisiblePassage[],
): Promise<FoundPassage[]> {
  const authors = await actorsOf(
    ctx.tx,
    visible.map(({ author_id }) => author_id),
  )
  return visible.map((match) => {
    const { passage, task, title, written_at } = match
    const source: Source = {
      kind: passage.kind,
      id: passage.id,
      ticket_number: task.ticket_number,
      title,
      headings: passage.headings.slice(1),
      url: urlOf(ctx, match),
      task_id: task.task_id,
      project_id: task.project_id,
      author: asActor(authors.get(match.author_id)!),
      updated_at: written_at.toISOString(),
    }
    return { text: passage.text || title, score: roundScore(passage.score), source }
  })
}

export const roundScore = (score: number) => Math.round(score * 10_000) / 10_000

export function urlOf({ server }: Context, { passage, task, public_id }: VisiblePassage): string {
  const url = `${server.url}/t/${task.ticket_number}`
  if (passage.kind === 'comment') return `${url}#comment-${passage.id}`
  return passage.kind === 'page' ? `${server.url}/p/${public_id}` : url
}
