import { eq } from 'drizzle-orm'
import type { Format } from '../../content/index.ts'
import { historyFromImport, pagePieces, pages, pageVersions } from '../../features/pages/index.ts'
import type { Inserter } from '../../store/bulk.ts'
import type { RecordOf } from '../schema.ts'

interface Ids {
  team_id: number
  task_id: number
}

interface PageRecords {
  page: readonly RecordOf<'page'>[]
  page_version: readonly RecordOf<'page_version'>[]
}

export interface ImportContext {
  inserter: Inserter
  /** Commits the open transaction before slow work, so that other writers need not wait. */
  commit(): Promise<void>
  actorOf(who: string): number
  clean(text: string, format: Format): string
}

const toDate = (text: string) => new Date(text)

/** Inserts the pages of a task, then sets the parent of each nested page. */
export async function insertPages(
  context: ImportContext,
  ids: Ids,
  { page, page_version }: PageRecords,
) {
  const page_ids = new Map<string, number>()
  const histories = Map.groupBy(page_version, (version) => version.page)
  for (const record of page)
    page_ids.set(
      record.public_id,
      await insertPage(context, ids, record, histories.get(record.public_id) ?? []),
    )
  for (const { public_id, parent } of page)
    if (parent !== null) {
      await context.inserter.beforeStatement()
      await context.inserter.tx
        .update(pages)
        .set({ parent_page_id: page_ids.get(parent)! })
        .where(eq(pages.page_id, page_ids.get(public_id)!))
    }
}

async function insertPage(
  { inserter, commit, actorOf, clean }: ImportContext,
  ids: Ids,
  { task: _, parent: __, content, ...own }: RecordOf<'page'>,
  history: readonly RecordOf<'page_version'>[],
): Promise<number> {
  await commit()
  const { pieces, versions, ...measured } = historyFromImport(content, history, (text, version) =>
    version.canvas || version.content_type === 'markdown' ? text : clean(text, 'html'),
  )
  const row = {
    ...{ ...ids, ...own, ...measured, parent_page_id: null },
    created_by: actorOf(own.created_by),
    updated_by: actorOf(own.updated_by),
    created_at: toDate(own.created_at),
    updated_at: toDate(own.updated_at),
    archived_at: own.archived_at === null ? null : toDate(own.archived_at),
  }
  const [inserted] = await inserter.insert(pages, [row], ['page_id'])
  const keys = { team_id: ids.team_id, page_id: inserted!.page_id }
  await inserter.insert(
    pagePieces,
    pieces.map((piece, place) => ({ ...keys, place, content: piece })),
  )
  const versionRows = history.map(
    ({ task: _, page: __, author, back: ___, created_at, ...version }, index) => ({
      ...{ ...keys, ...version, ...versions[index]! },
      author_id: actorOf(author),
      created_at: toDate(created_at),
    }),
  )
  // The oldest version gets the lowest id, as if the versions had been written on this server.
  await inserter.insert(pageVersions, versionRows.toReversed())
  return keys.page_id
}
