/**
 * The segments of SQLite's text index. FTS5 appends one at every commit, and a search looks into
 * each of them, so they have to be merged.
 */
import { sql } from 'drizzle-orm'
import type * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import type { Tx } from '../kernel/caller.ts'
import { dialect } from './columns.ts'
import { param, prepared } from './prepared.ts'

/** A command of FTS5 is an insert into the column that is named like its table. */
const commands = sqlite.sqliteTable('task_texts', {
  command: sqlite.text('task_texts'),
  pages: sqlite.integer('rank'),
}) as unknown as pg.PgTable

const id = sql<number>`id`
const statements = prepared((tx) => ({
  merge: tx
    .insert(commands)
    .values({ command: 'merge', pages: param('pages') } as never)
    .prepare('texts_merge'),
  lastPage: tx
    .select({ id })
    .from(sql`task_texts_data`)
    .where(sql`${id} < ${param('end')}`)
    .orderBy(sql`${id} desc`)
    .limit(1)
    .prepare('texts_last_page'),
}))

/**
 * By itself FTS5 merges in bursts that take 100 ms, so a migration turned that off. Instead, each
 * write merges `pagesPerWord` pages for every word that was indexed, once they are `minPages`,
 * because a merge has a fixed cost.
 */
const MERGE = { pagesPerWord: 0.07, minPages: 64, maxPages: 256 }
const pagesDue = new WeakMap<Tx, number>()

export function addPagesDue(tx: Tx, words: number): void {
  pagesDue.set(tx, (pagesDue.get(tx) ?? 0) + MERGE.pagesPerWord * words)
}

/** The number of pages to merge now, or 0 if there are not enough for a step. */
export function takePagesDue(tx: Tx): number {
  const due = pagesDue.get(tx) ?? 0
  if (due < MERGE.minPages) return 0
  const pages = Math.min(Math.floor(due), MERGE.maxPages)
  pagesDue.set(tx, due - pages)
  return pages
}

/** Merges about this many pages of segments of a similar size, or of all if negative. */
export const mergePages = (tx: Tx, pages: number) => statements(tx).merge.execute({ pages })

/**
 * FTS5 numbers pages by 2^37 times their segment plus their position in it. From 2^31 on, the
 * positions are those of other data.
 */
const SEGMENT = 2 ** 37
const MAX_PAGES = 2 ** 31
const MAX_SEGMENTS = 2000

/** The pages of each segment. Those of a segment that is being merged include the removed ones. */
export async function segmentSizes(tx: Tx): Promise<number[]> {
  const lastBefore = async (end: number) =>
    (await statements(tx).lastPage.execute({ end }))[0]?.id ?? 0
  const sizes: number[] = []
  for (let segment = MAX_SEGMENTS + 1; ; ) {
    segment = Math.floor((await lastBefore(segment * SEGMENT)) / SEGMENT)
    if (!segment) return sizes
    sizes.push((await lastBefore(segment * SEGMENT + MAX_PAGES)) % SEGMENT)
  }
}

/**
 * All segments are merged into one as soon as the others have grown to `growth` of the largest,
 * which bounds how often a text is written again. A step takes a few milliseconds.
 */
const COMPACTION = { minSegments: 8, growth: 0.1, pages: 256 }

/** Whether it is worth merging all segments. PostgreSQL has none. */
export async function isFragmented(tx: Tx): Promise<boolean> {
  if (dialect === 'postgres') return false
  const sizes = await segmentSizes(tx)
  const largest = Math.max(0, ...sizes)
  const others = sizes.reduce((sum, size) => sum + size, 0) - largest
  return sizes.length >= COMPACTION.minSegments && others >= COMPACTION.growth * largest
}

/** Begins or continues to merge all segments. Returns false if nothing is left to merge. */
export async function compactTexts(tx: Tx, isFirst: boolean): Promise<boolean> {
  const before = await segmentSizes(tx)
  await mergePages(tx, isFirst ? -COMPACTION.pages : COMPACTION.pages)
  return String(await segmentSizes(tx)) !== String(before)
}
