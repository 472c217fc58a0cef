import { eq } from 'drizzle-orm'
import type { Format } from '../content/index.ts'
import { carried, pagePieces, pages, pageVersions } from '../features/pages/index.ts'
import type { Inserter } from '../store/bulk.ts'
import type { RecordOf } from './schema.ts'

interface Ids {
  team_id: number
  task_id: number
}

interface Bound {
  page: readonly RecordOf<'page'>[]
  page_version: readonly RecordOf<'page_version'>[]
}

export interface Binding {
  inserter: Inserter
  /** Ends the open transaction before something that takes long. */
  commit(): Promise<void>
  actorOf(who: string): number
  clean(text: string, format: Format): string
}

const moment = (text: string) => new Date(text)

/** Writes the pages of a task, and then which of them is nested under which. */
export async function bind(binding: Binding, ids: Ids, { page, page_version }: Bound) {
  const numbers = new Map<string, number>()
  const histories = Map.groupBy(page_version, (one) => one.page)
  for (const one of page)
    numbers.set(one.public_id, await write(binding, ids, one, histories.get(one.public_id) ?? []))
  for (const { public_id, parent } of page)
    if (parent !== null) {
      await binding.inserter.ready()
      await binding.inserter.tx
        .update(pages)
        .set({ parent_page_id: numbers.get(parent)! })
        .where(eq(pages.page_id, numbers.get(public_id)!))
    }
}

async function write(
  { inserter, commit, actorOf, clean }: Binding,
  ids: Ids,
  { task: _, parent: __, content, ...own }: RecordOf<'page'>,
  history: readonly RecordOf<'page_version'>[],
): Promise<number> {
  await commit()
  const { pieces, versions, ...measured } = carried(content, history, (text, version) =>
    version.canvas || version.content_type === 'markdown' ? text : clean(text, 'html'),
  )
  const row = {
    ...{ ...ids, ...own, ...measured, parent_page_id: null },
    created_by: actorOf(own.created_by),
    updated_by: actorOf(own.updated_by),
    created_at: moment(own.created_at),
    updated_at: moment(own.updated_at),
    archived_at: own.archived_at === null ? null : moment(own.archived_at),
  }
  const [made] = await inserter.insert(pages, [row], ['page_id'])
  const at = { team_id: ids.team_id, page_id: made!.page_id }
  await inserter.insert(
    pagePieces,
    pieces.map((piece, place) => ({ ...at, place, content: piece })),
  )
  const kept = history.map(
    ({ task: _, page: __, author, back: ___, created_at, ...version }, nth) => ({
      ...{ ...at, ...version, ...versions[nth]! },
      author_id: actorOf(author),
      created_at: moment(created_at),
    }),
  )
  // The first one gets the lowest number, as if they had been written here.
  await inserter.insert(pageVersions, kept.toReversed())
  return at.page_id
}
