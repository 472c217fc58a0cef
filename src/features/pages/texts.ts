import { and, asc, desc, eq } from 'drizzle-orm'
import type { Tx } from '../../kernel/caller.ts'
import { param, prepared } from '../../store/prepared.ts'
import { recall } from '../../store/recall.ts'
import { fits, piecesOf } from './rules.ts'
import { pagePieces, pages } from './tables.ts'

interface Ids {
  team_id: number
  page_id: number
}

const own = and(eq(pagePieces.team_id, param('team_id')), eq(pagePieces.page_id, param('page_id')))

const statements = prepared((tx) => {
  const { place, content } = pagePieces
  const pieces = tx.select({ place, content }).from(pagePieces).where(own)
  return {
    all: pieces.orderBy(asc(place)).prepare('page_pieces_all'),
    whole: tx
      .select({ page: pages, content })
      .from(pages)
      .leftJoin(
        pagePieces,
        and(eq(pagePieces.team_id, pages.team_id), eq(pagePieces.page_id, pages.page_id)),
      )
      .where(eq(pages.page_id, param('page_id')))
      .orderBy(asc(place))
      .prepare('page_whole'),
    first: tx
      .select({ place, content })
      .from(pagePieces)
      .where(own)
      .orderBy(asc(place))
      .limit(1)
      .prepare('page_pieces_first'),
    last: tx
      .select({ place, content })
      .from(pagePieces)
      .where(own)
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
      .where(and(own, eq(pagePieces.place, param('place'))))
      .prepare('page_piece_update'),
    clear: tx.delete(pagePieces).where(own).prepare('page_pieces_clear'),
  }
})

const MOST_KEPT = 6000

type Page = typeof pages.$inferSelect

/** A page, and the text that it has at that version. */
export interface Whole {
  page: Page
  text: string
}

/** One statement reads both: a write between two would make a pair that never was. */
const known = recall<number, Whole>({
  key: (page_id) => page_id,
  from: [[pages.page_id], [pagePieces.page_id]],
  async load(tx, ids) {
    const found = new Map<number, Whole>()
    for (const page_id of ids) {
      const rows = await statements(tx).whole.execute({ page_id })
      const text = rows.map(({ content }) => content ?? '').join('')
      if (rows[0]) found.set(page_id, { page: rows[0].page, text })
    }
    return found
  },
  keep: ({ text }) => text.length < MOST_KEPT,
})

/** A page as it is now with its text; it checks nothing, and pages are there for good. */
export const wholeOf = async (tx: Tx, page_id: number): Promise<Whole> =>
  (await known.one(tx, page_id))!

/** The text of a page that nobody else changes meanwhile. */
export async function textOf(tx: Tx, page: Ids): Promise<string> {
  const rows = await statements(tx).all.execute(idsOf(page))
  return rows.map(({ content }) => content).join('')
}

/** Puts a text in the place of what a page holds. */
export async function writeText(tx: Tx, page: Ids, text: string): Promise<void> {
  await statements(tx).clear.execute(idsOf(page))
  await insert(tx, page, piecesOf(text), 0)
}

type End = 'append' | 'prepend'

/** What stands at that end of a page. */
export async function endOf(tx: Tx, page: Ids, end: End) {
  const { first, last } = statements(tx)
  const [piece] = await (end === 'append' ? last : first).execute(idsOf(page))
  return piece!
}

/** Adds a text at one end; the pieces at the other one stay as they are. */
export async function addText(tx: Tx, page: Ids, end: End, text: string): Promise<void> {
  const { place, content } = await endOf(tx, page, end)
  if (fits(content, text)) {
    const grown = end === 'append' ? content + text : text + content
    await statements(tx).update.execute({ ...idsOf(page), place, content: grown })
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
