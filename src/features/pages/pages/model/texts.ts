import { and, asc, desc, eq } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import { cachedLoader } from '../../../../store/cache.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { fitsOnePiece, piecesOf } from './rules.ts'
import { pagePieces, pages } from './tables.ts'

interface Ids {
  team_id: number
  page_id: number
}

const ofPage = and(
  eq(pagePieces.team_id, param('team_id')),
  eq(pagePieces.page_id, param('page_id')),
)

const statements = prepared((tx) => {
  const { place, content } = pagePieces
  const pieces = tx.select({ place, content }).from(pagePieces).where(ofPage)
  return {
    all: pieces.orderBy(asc(place)).prepare('page_pieces_all'),
    first: tx
      .select({ place, content })
      .from(pagePieces)
      .where(ofPage)
      .orderBy(asc(place))
      .limit(1)
      .prepare('page_pieces_first'),
    last: tx
      .select({ place, content })
      .from(pagePieces)
      .where(ofPage)
      .orderBy(desc(place))
      .limit(1)
      .prepare('page_pieces_last'),
    insert: tx
      .insert(pagePieces)
      .values({
        team_id: param('team_id'),
        page_id: param('page_id'),
        place: param('place'),
        content: param('content'),
      })
      .prepare('page_piece_insert'),
    update: tx
      .update(pagePieces)
      .set({ content: param('content') })
      .where(and(ofPage, eq(pagePieces.place, param('place'))))
      .prepare('page_piece_update'),
    clear: tx.delete(pagePieces).where(ofPage).prepare('page_pieces_clear'),
  }
})

const pageWithPieces = prepared((tx) =>
  tx
    .select({ page: pages, content: pagePieces.content })
    .from(pages)
    .leftJoin(
      pagePieces,
      and(eq(pagePieces.team_id, pages.team_id), eq(pagePieces.page_id, pages.page_id)),
    )
    .where(eq(pages.page_id, param('page_id')))
    .orderBy(asc(pagePieces.place))
    .prepare('page_whole'),
)

const MAX_CACHED_LENGTH = 6000

type Page = typeof pages.$inferSelect

/** A page with its text at that version. */
export interface PageWithText {
  page: Page
  text: string
}

/**
 * One statement reads both. With two, a write in between could combine a page with a wrong text.
 */
const cache = cachedLoader<number, PageWithText>({
  key: (page_id) => page_id,
  dependsOn: [[pages.page_id], [pagePieces.page_id]],
  async load(tx, ids) {
    const found = new Map<number, PageWithText>()
    for (const page_id of ids) {
      const rows = await pageWithPieces(tx).execute({ page_id })
      const text = rows.map(({ content }) => content ?? '').join('')
      if (rows[0]) found.set(page_id, { page: rows[0].page, text })
    }
    return found
  },
  shouldCache: ({ text }) => text.length < MAX_CACHED_LENGTH,
})

/**
 * Loads a page with its present text, without any access check. Rows of pages are never deleted.
 */
export const loadPageWithText = async (tx: Tx, page_id: number): Promise<PageWithText> =>
  (await cache.get(tx, page_id))!

/** Loads the present text of a page. The caller must hold the lock of the task. */
export async function textOf(tx: Tx, page: Ids): Promise<string> {
  const rows = await statements(tx).all.execute(idsOf(page))
  return rows.map(({ content }) => content).join('')
}

/** Replaces the text of a page. */
export async function writeText(tx: Tx, page: Ids, text: string): Promise<void> {
  await statements(tx).clear.execute(idsOf(page))
  await insert(tx, page, piecesOf(text), 0)
}

type End = 'append' | 'prepend'

/** Returns the first or the last piece of a page. */
export async function endPiece(tx: Tx, page: Ids, end: End) {
  const { first, last } = statements(tx)
  const [piece] = await (end === 'append' ? last : first).execute(idsOf(page))
  return piece!
}

/** Adds a text at one end. All pieces but the one at that end stay as they are. */
export async function addText(tx: Tx, page: Ids, end: End, text: string): Promise<void> {
  const { place, content } = await endPiece(tx, page, end)
  if (fitsOnePiece(content, text)) {
    const extended = end === 'append' ? content + text : text + content
    await statements(tx).update.execute({ ...idsOf(page), place, content: extended })
    return
  }
  const pieces = piecesOf(text)
  await insert(tx, page, pieces, end === 'append' ? place + 1 : place - pieces.length)
}

async function insert(tx: Tx, page: Ids, pieces: readonly string[], from: number) {
  for (const [index, content] of pieces.entries())
    await statements(tx).insert.execute({ ...idsOf(page), place: from + index, content })
}

const idsOf = ({ team_id, page_id }: Ids) => ({ team_id, page_id })
