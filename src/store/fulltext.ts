/**
 * The text index: the one place that knows how each engine keeps it. SQLite has a table of FTS5 that
 * stores no texts, PostgreSQL a column of tsvector. Neither takes words apart: both are given the
 * words that `src/search/words.ts` makes of a text, so that they find the same.
 */
import type { Database } from 'bun:sqlite'
import { and, count, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import * as P from 'drizzle-orm/pg-core'
import * as L from 'drizzle-orm/sqlite-core'
import type { Tx } from '../kernel/caller.ts'
import { dialect } from './columns.ts'
import { param, prepared } from './prepared.ts'
import { PLACE, questionOf, type Sought } from './question.ts'

const isPostgres = dialect === 'postgres'

/** A text as its words. */
export interface Text {
  id: number
  /** Words that nobody types: where the text belongs. */
  places: readonly string[]
  head: readonly string[]
  body: readonly string[]
}

const vector = P.customType<{ data: string }>({ dataType: () => 'tsvector' })
const onServer = P.pgTable('task_texts', {
  id: P.integer('task_id').primaryKey(),
  words: vector('words').notNull(),
})
const columns = { place: L.text('place'), head: L.text('head'), body: L.text('body') }
const inFile = L.sqliteTable('task_texts', { id: L.integer('rowid').primaryKey(), ...columns })
/** What a transaction has put off until it commits. */
const waiting = L.sqliteTable('texts_waiting', { id: L.integer('id').primaryKey(), ...columns })

const of = isPostgres ? onServer : (inFile as unknown as typeof onServer)
const rowsOf = (made: unknown) => made as typeof onServer

/** A row of each kind, as it is written again. */
const writes = prepared((tx) => {
  const values = { place: param('place'), head: param('head'), body: param('body') }
  const words = sql`${param('words')}::tsvector`
  return isPostgres
    ? {
        put: tx
          .insert(onServer)
          .values({ id: param('id'), words })
          .onConflictDoUpdate({ target: onServer.id, set: { words } })
          .prepare('text_put'),
      }
    : {
        take: tx
          .delete(of)
          .where(eq(of.id, param('id')))
          .prepare('text_take'),
        put: tx
          .insert(rowsOf(inFile))
          .values({ id: param('id'), ...values } as never)
          .prepare('text_put'),
      }
})

const putOff = prepared((tx) =>
  tx
    .insert(rowsOf(waiting))
    .values({
      id: param('id'),
      place: param('place'),
      head: param('head'),
      body: param('body'),
    } as never)
    .onConflictDoUpdate({
      target: rowsOf(waiting).id,
      set: {
        place: sql`excluded.place`,
        head: sql`excluded.head`,
        body: sql`excluded.body`,
      } as never,
    })
    .prepare('text_put_off'),
)

/** Connections on which many jobs share a transaction. */
const gathering = new WeakSet<Tx>()

/** The index knows these texts once the transaction of this write commits, and not otherwise. */
export async function keepTexts(tx: Tx, texts: readonly Text[]): Promise<void> {
  for (const text of texts) {
    const { id, places, head, body } = text
    if (isPostgres) {
      await writes(tx).put.execute({ id, words: vectorOf(text) })
      continue
    }
    const row = { id, place: places.join(' '), head: head.join(' '), body: body.join(' ') }
    if (gathering.has(tx)) {
      await putOff(tx).execute(row)
      continue
    }
    await writes(tx).take!.execute({ id })
    await writes(tx).put.execute(row)
  }
}

/** The index forgets these texts with the transaction of this write. */
export async function dropTexts(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.delete(of).where(among(of.id, ids))
}

/**
 * FTS5 writes a part of its index at every savepoint. Where each job has one, its texts wait beside
 * it, are undone with it, and reach the index together: the answer calls that before the commit.
 */
export function gatherTexts(database: Database, tx: Tx): () => void {
  database.run(
    'create temp table texts_waiting (id integer primary key, place text, head text, body text)',
  )
  gathering.add(tx)
  const some = database.query('select 1 from texts_waiting limit 1')
  const take = database.query(
    'delete from task_texts where rowid in (select id from texts_waiting)',
  )
  const put = database.query(
    'insert into task_texts (rowid, place, head, body) select id, place, head, body from texts_waiting',
  )
  const clear = database.query('delete from texts_waiting')
  return () => {
    if (!some.get()) return
    take.run()
    put.run()
    clear.run()
  }
}

/** Between title and text, so that no phrase begins in one and ends in the other. */
const GAP = 8

/** Words are letters and digits, so nothing in them has to be quoted. */
function vectorOf({ places, head, body }: Text): string {
  const at = new Map<string, number[]>()
  const note = (word: string, position: number) => {
    const before = at.get(word)
    if (before) before.push(position)
    else at.set(word, [position])
  }
  for (const [index, word] of head.entries()) note(word, index + 1)
  for (const [index, word] of body.entries()) note(word, head.length + GAP + index)
  const words = [...at].map(([word, positions]) => `'${word}':${positions.join()}`)
  return [...places.map((place) => `'${PLACE}${place}'`), ...words].join(' ')
}

const fits = (question: string): SQL =>
  isPostgres ? sql`${of.words} @@ ${question}::tsquery` : sql`task_texts match ${question}`

/**
 * For a select from the index that is joined crosswise with the rows its texts are of. SQLite keeps
 * to the order of a cross join: it begins with the index, which yields its texts newest first.
 */
export const textsOf = (id: P.PgColumn, question: string) => ({
  texts: of,
  fits: and(fits(question), eq(of.id, id))!,
  newest: desc(of.id),
  since: (floor: number | undefined) => (floor === undefined ? undefined : gte(of.id, floor)),
})

/**
 * The id of the first text beyond the newest `many` that fit; nothing where there are fewer. Those
 * above `upto` do not count.
 */
export async function floorOf(
  tx: Tx,
  question: string,
  many: number,
  upto?: number,
): Promise<number | undefined> {
  const [row] = await tx
    .select({ id: of.id })
    .from(of)
    .where(and(fits(question), upto === undefined ? undefined : lte(of.id, upto)))
    .orderBy(desc(of.id))
    .limit(1)
    .offset(many)
  return row?.id
}

/** Whether the index has this text under these words. */
export async function isKept(tx: Tx, id: number, sought: Sought): Promise<boolean> {
  const found = await tx
    .select({ id: of.id })
    .from(of)
    .where(and(fits(questionOf(sought)), eq(of.id, id)))
  return found.length > 0
}

/** How many texts the index knows. */
export async function textsKept(tx: Tx): Promise<number> {
  // What FTS5 keeps of each text; its own table has nothing to be counted quickly.
  const counted = isPostgres ? of : sql`task_texts_docsize`
  const [row] = await tx.select({ many: count() }).from(counted)
  return Number(row!.many)
}

/** Rows with one of these ids, however many there are. */
export const among = (column: P.PgColumn, ids: readonly number[]): SQL =>
  amongListed(column, listed(ids))

/** Ids as the one value that a prepared statement is given of them. */
export const listed = (ids: readonly number[]): string =>
  isPostgres ? `{${ids.join()}}` : JSON.stringify(ids)

export const amongListed = (column: P.PgColumn, ids: unknown): SQL =>
  isPostgres
    ? sql`${column} = any(${ids}::int[])`
    : inArray(column, sql`(select value from json_each(${ids}))`)
