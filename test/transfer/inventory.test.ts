import { expect, test } from 'bun:test'
import { getTableColumns } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { labels } from '../../src/features/boards/labels/model/index.ts'
import { kindOf } from '../../src/store/column-kinds.ts'
import { int, table } from '../../src/store/columns.ts'
import {
  actor,
  moment,
  plain,
  portabilityOf,
  portableRows,
  ShortText,
} from '../../src/store/portability/index.ts'
import { referencesOf, tableName } from '../../src/store/scan.ts'
import { KINDS } from '../../src/transfer/kinds.ts'
import { inOrderOfReferences, savedTables, tables } from '../../src/transfer/tables.ts'
import { tables as declaredTables } from '../support/tables.ts'

const names = (some: readonly PgTable[]) => some.map(tableName).sort()

/** The names of the tables that a list does not contain. */
const missing = (from: readonly PgTable[], expected: readonly PgTable[]) =>
  names(expected.filter((table) => !from.includes(table)))

test('every declared table is in the list of tables, and a backup omits only four', () => {
  const [first, ...rest] = declaredTables
  expect(missing(rest, [first!])).toEqual([tableName(first!)])
  expect(missing(tables, declaredTables)).toEqual([])
  expect(missing(savedTables, declaredTables)).toEqual([
    ...['imported_actors', 'imports', 'signing_keys', 'sweeps'],
  ])
})

test('each table comes after those it refers to', () => {
  const misplaced = (order: readonly PgTable[]) =>
    order.filter((table, at) =>
      referencesOf(table).some(({ foreignTable }) => order.indexOf(foreignTable) > at),
    )
  expect(misplaced(tables.toReversed()).length).toBeGreaterThan(30)
  expect(misplaced(tables)).toEqual([])
  expect(misplaced(inOrderOfReferences(tables.toReversed()))).toEqual([])
})

test('lines carry every exported table and no other, and other tables give a reason', () => {
  const carriedBy = (kinds: typeof KINDS) =>
    kinds.flatMap(({ rows }) => rows.map(({ table }) => table))
  const exported = declaredTables.filter((table) => portabilityOf(table).exported === true)
  const fewer = KINDS.filter(({ kind }) => kind !== 'comment')
  expect(missing(carriedBy(fewer), exported)).toEqual([
    ...['comment_mentions', 'comment_reactions', 'comments'],
  ])
  expect(missing(carriedBy(KINDS), exported)).toEqual([])
  expect(missing(exported, carriedBy(KINDS))).toEqual([])
  for (const { exported, unsaved, unstaged } of declaredTables.map(portabilityOf))
    for (const reason of [exported, unsaved, unstaged])
      if (typeof reason === 'string') expect(reason.length).toBeGreaterThan(5)
})

test('a table, or a column of an exported one, without a declaration does not compile', () => {
  // @ts-expect-error: It does not say whether exports carry its rows.
  expect(table('notes', {}, { n: int('n').primaryKey() })).toBeObject()
  const name = plain(ShortText)
  const color = plain(ShortText)
  const generated = { label_id: 'generated' }
  expect(portableRows(labels, { name, color, created_at: moment }, generated)).toBeObject()
  // @ts-expect-error: The column `color` has neither a field nor a reason.
  expect(portableRows(labels, { name, created_at: moment }, generated)).toBeObject()
  // @ts-expect-error: The column `created_at` holds no id of an actor.
  expect(portableRows(labels, { name, color, created_at: actor }, generated)).toBeObject()
})

test('every column has a known kind for backups', () => {
  for (const table of declaredTables)
    for (const column of Object.values(getTableColumns(table))) expect(kindOf(column)).toBeString()
})
