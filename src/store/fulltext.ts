/**
 * The text index: the only place that knows how each engine stores it. SQLite has a contentless
 * FTS5 table, PostgreSQL a tsvector column. Neither tokenizes: both get the words that
 * `src/search/words/words.ts` makes of a text, so that they find the same.
 */
import type { Database } from 'bun:sqlite'
import { and, count, desc, eq, gte, lte, type SQL, sql } from 'drizzle-orm'
import * as pg from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import type { Tx } from '../kernel/caller.ts'
import { dialect } from './columns.ts'
import { isOneOf } from './id-list.ts'
import { param, prepared } from './prepared.ts'
import { send } from './send.ts'
import { engineQuery, PLACE_PREFIX, type TextQuery } from './text-query.ts'
import { addPagesDue, mergePages, takePagesDue } from './text-segments.ts'

const isPostgres = dialect === 'postgres'

/** A text as a list of words. */
export interface IndexedText {
  id: number
  /** Internal words that say where the text belongs, such as its board. */
  places: readonly string[]
  head: readonly string[]
  body: readonly string[]
}

const vector = pg.customType<{ data: string }>({ dataType: () => 'tsvector' })
const postgresTexts = pg.pgTable('task_texts', {
  id: pg.integer('task_id').primaryKey(),
  words: vector('words').notNull(),
})
const columns = {
  place: sqlite.text('place'),
  head: sqlite.text('head'),
  body: sqlite.text('body'),
}
const sqliteTexts = sqlite.sqliteTable('task_texts', {
  id: sqlite.integer('rowid').primaryKey(),
  ...columns,
})
/** Texts that are indexed just before the commit. */
const queuedTexts = sqlite.sqliteTable('texts_waiting', {
  id: sqlite.integer('id').primaryKey(),
  ...columns,
})

const textTable = isPostgres ? postgresTexts : (sqliteTexts as unknown as typeof postgresTexts)
const asTextTable = (sqliteTable: unknown) => sqliteTable as typeof postgresTexts

/** Statements that replace the index entry of a text. */
const statements = prepared((tx) => {
  const values = { place: param('place'), head: param('head'), body: param('body') }
  const words = sql`${param('words')}::tsvector`
  return isPostgres
    ? {
        put: tx
          .insert(postgresTexts)
          .values({ id: param('id'), words })
          .onConflictDoUpdate({ target: postgresTexts.id, set: { words } })
          .prepare('text_put'),
      }
    : {
        take: tx
          .delete(textTable)
          .where(eq(textTable.id, param('id')))
          .prepare('text_take'),
        put: tx
          .insert(asTextTable(sqliteTexts))
          .values({ id: param('id'), ...values } as never)
          .prepare('text_put'),
      }
})

const queueText = prepared((tx) =>
  tx
    .insert(asTextTable(queuedTexts))
    .values({
      id: param('id'),
      place: param('place'),
      head: param('head'),
      body: param('body'),
    } as never)
    .onConflictDoUpdate({
      target: asTextTable(queuedTexts).id,
      set: {
        place: sql`excluded.place`,
        head: sql`excluded.head`,
        body: sql`excluded.body`,
      } as never,
    })
    .prepare('text_put_off'),
)

/** Connections on which several jobs share a transaction. */
const queueingConnections = new WeakSet<Tx>()

/** Indexes these texts in the transaction of the write. */
export async function indexTexts(tx: Tx, texts: readonly IndexedText[]): Promise<void> {
  for (const text of texts) {
    const { id, places, head, body } = text
    if (isPostgres) {
      await send(tx, statements(tx).put.execute({ id, words: vectorOf(text) }))
      continue
    }
    addPagesDue(tx, head.length + body.length)
    const row = { id, place: places.join(' '), head: head.join(' '), body: body.join(' ') }
    if (queueingConnections.has(tx)) {
      await queueText(tx).execute(row)
      continue
    }
    await statements(tx).take!.execute({ id })
    await statements(tx).put.execute(row)
  }
  const pages = queueingConnections.has(tx) ? 0 : takePagesDue(tx)
  if (pages) await mergePages(tx, pages)
}

/** Removes these texts from the index in the transaction of the write. */
export async function removeTexts(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.delete(textTable).where(isOneOf(textTable.id, ids))
}

/**
 * FTS5 writes a part of its index at every savepoint, and each job has one. Therefore texts of jobs
 * are queued in a temporary table, where a rollback of the job removes them. The returned function
 * indexes the queued texts together and must be called before the commit.
 */
export function queueTexts(database: Database, tx: Tx): () => void {
  database.run(
    'create temp table texts_waiting (id integer primary key, place text, head text, body text)',
  )
  queueingConnections.add(tx)
  const hasQueued = database.query('select 1 from texts_waiting limit 1')
  const take = database.query(
    'delete from task_texts where rowid in (select id from texts_waiting)',
  )
  const put = database.query(
    'insert into task_texts (rowid, place, head, body) select id, place, head, body from texts_waiting',
  )
  const clear = database.query('delete from texts_waiting')
  const merge = database.query("insert into task_texts (task_texts, rank) values ('merge', ?)")
  return () => {
    if (!hasQueued.get()) return
    take.run()
    put.run()
    clear.run()
    const pages = takePagesDue(tx)
    if (pages) merge.run(pages)
  }
}

/** Positions between title and body, so that no phrase matches across both. */
const GAP = 8

/** Words consist of letters and digits, so they need no escaping. */
function vectorOf({ places, head, body }: IndexedText): string {
  const positionsByWord = new Map<string, number[]>()
  const addPosition = (word: string, position: number) => {
    const before = positionsByWord.get(word)
    if (before) before.push(position)
    else positionsByWord.set(word, [position])
  }
  for (const [index, word] of head.entries()) addPosition(word, index + 1)
  for (const [index, word] of body.entries()) addPosition(word, head.length + GAP + index)
  const words = [...positionsByWord].map(([word, positions]) => `'${word}':${positions.join()}`)
  return [...places.map((place) => `'${PLACE_PREFIX}${place}'`), ...words].join(' ')
}

/** FTS5 reads all entries of a term for a place, also if few texts contain the other words. */
export const arePlacesSlow = !isPostgres

const matchesQuery = (query: unknown): SQL =>
  isPostgres ? sql`${textTable.words} @@ ${query}::tsquery` : sql`task_texts match ${query}`

/**
 * For a select from the index that is cross-joined with the rows of its texts. SQLite keeps the
 * order of a cross join, so it begins with the index, which yields texts newest first.
 */
export const textsOf = (id: pg.PgColumn, query: string) => ({
  texts: textTable,
  matches: and(matchesQuery(query), eq(textTable.id, id))!,
  newest: desc(textTable.id),
  /** Whether a text also matches another query; undefined if the engine cannot tell. */
  alsoMatches: (other: string): SQL<boolean> | undefined =>
    isPostgres ? (matchesQuery(other) as SQL<boolean>) : undefined,
  since: (floor: number | undefined) =>
    floor === undefined ? undefined : gte(textTable.id, floor),
})

const skipNewest = prepared((tx) => {
  const beyond = (where: SQL | undefined, name: string) =>
    tx
      .select({ id: textTable.id })
      .from(textTable)
      .where(and(matchesQuery(param('query')), where))
      .orderBy(desc(textTable.id))
      .limit(1)
      .offset(param('skip'))
      .prepare(name)
  return {
    all: beyond(undefined, 'texts_beyond'),
    upto: beyond(lte(textTable.id, param('upto')), 'texts_beyond_upto'),
  }
})

/**
 * The id of the next matching text after the newest `skip` ones; undefined if there are fewer. Ids
 * above `upto` are ignored.
 */
export async function idBeyondNewest(
  tx: Tx,
  query: string,
  skip: number,
  upto?: number,
): Promise<number | undefined> {
  const { all, upto: withLimit } = skipNewest(tx)
  const [row] = await (upto === undefined ? all : withLimit).execute({ query, skip, upto })
  return row?.id
}

const selectBetween = prepared((tx) =>
  tx
    .select({ id: textTable.id })
    .from(textTable)
    .where(
      and(
        matchesQuery(param('query')),
        gte(textTable.id, param('from')),
        lte(textTable.id, param('upto')),
      ),
    )
    .orderBy(desc(textTable.id))
    .limit(param('limit'))
    .prepare('texts_between'),
)

/** The ids of the newest matching texts in a range of ids. */
export async function newestIdsBetween(
  tx: Tx,
  query: string,
  range: { from: number; upto: number },
  limit: number,
): Promise<number[]> {
  const rows = await selectBetween(tx).execute({ query, ...range, limit })
  return rows.map(({ id }) => id)
}

/** Whether the index finds this text by this query. */
export async function isIndexed(tx: Tx, id: number, query: TextQuery): Promise<boolean> {
  const found = await tx
    .select({ id: textTable.id })
    .from(textTable)
    .where(and(matchesQuery(engineQuery(query)), eq(textTable.id, id)))
  return found.length > 0
}

/** Number of texts in the index. */
export async function countIndexedTexts(tx: Tx): Promise<number> {
  // FTS5 has one row per text in this table; counting its main table is slow.
  const counted = isPostgres ? textTable : sql`task_texts_docsize`
  const [row] = await tx.select({ many: count() }).from(counted)
  return Number(row!.many)
}
