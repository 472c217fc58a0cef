import { getTableName, type Table } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '../kernel/caller.ts'

type Key = string | number

/** Several columns make a key together, with colons between them. */
type From = readonly PgColumn[] | PgTable

interface Recipe<Wanted, Value> {
  /** What a value is kept under. */
  key(wanted: Wanted): Key
  /** What it is made of: rows that hold its key in these columns, or any row of a table. */
  from: readonly From[]
  load(tx: Tx, wanted: readonly Wanted[]): Promise<ReadonlyMap<Key, Value>>
  /** False for what is too large to be kept. */
  keep?(value: Value): boolean
}

/** Rows that somebody may have an interest in: each by its key, or all where it has none. */
export interface Source {
  table: string
  columns: string[]
  /** Who is told. */
  recipe: number
}

export const sources: Source[] = []
let recipes = 0

/**
 * Reads that are remembered until a row they were made of is written. Only a connection that
 * hears of every write has a memory; without one each read goes to the database.
 */
export function recall<Wanted, Value>({ key, from, load, keep }: Recipe<Wanted, Value>) {
  const recipe = recipes++
  for (const source of from) register(source, recipe)
  async function many(tx: Tx, wanted: readonly Wanted[]): Promise<ReadonlyMap<Key, Value>> {
    if (!wanted.length) return new Map()
    const memory = memories.get(tx)
    if (!memory) return load(tx, wanted)
    const shelf = memory.shelf<Value>(recipe)
    const found = new Map<Key, Value>()
    const missing: Wanted[] = []
    for (const one of wanted) {
      const name = key(one)
      const value = shelf.get(name)
      if (value === undefined) missing.push(one)
      else found.set(name, value)
    }
    if (!missing.length) return found
    const { age } = memory
    for (const [name, value] of await load(tx, missing)) {
      found.set(name, value)
      // What was written meanwhile may be missing in what was read.
      if (memory.age === age && (!keep || keep(value))) shelf.set(name, value)
    }
    return found
  }
  /** Not a promise where nothing has to be waited for, which is what most requests are about. */
  function one(tx: Tx, wanted: Wanted): Value | undefined | Promise<Value | undefined> {
    const name = key(wanted)
    const known = memories.get(tx)?.shelf<Value>(recipe).get(name)
    return known ?? many(tx, [wanted]).then((found) => found.get(name))
  }
  return { one, many }
}

function register(from: From, recipe: number) {
  const columns = Array.isArray(from) ? (from as PgColumn[]) : []
  const table = getTableName((columns[0]?.table ?? from) as Table)
  sources.push({ table, columns: columns.map(({ name }) => name), recipe })
}

const MOST = 2000

/** The newest values, and those used since the shelf was last full. */
class Shelf<Value> {
  private young = new Map<Key, Value>()
  private old = new Map<Key, Value>()

  get(key: Key): Value | undefined {
    const value = this.young.get(key)
    if (value !== undefined) return value
    const before = this.old.get(key)
    if (before !== undefined) this.set(key, before)
    return before
  }

  set(key: Key, value: Value) {
    if (this.young.size >= MOST) {
      this.old = this.young
      this.young = new Map()
    }
    this.young.set(key, value)
  }

  delete(key: Key) {
    this.young.delete(key)
    this.old.delete(key)
  }
}

/** A row that was written, by its source's place in the list. */
export interface Touched {
  source: number
  key: Key | null
}

export class Memory {
  /** Grows whenever something was written. */
  age = 0
  private shelves: Shelf<unknown>[] = []

  shelf<Value>(recipe: number): Shelf<Value> {
    this.shelves[recipe] ??= new Shelf()
    return this.shelves[recipe] as Shelf<Value>
  }

  forget(touched: readonly Touched[]) {
    this.age++
    for (const { source, key } of touched) {
      const { recipe } = sources[source]!
      if (key === null) this.shelves[recipe] = new Shelf()
      else this.shelves[recipe]?.delete(key)
    }
  }

  forgetAll() {
    this.age++
    this.shelves = []
  }
}

const memories = new WeakMap<Tx, Memory>()

/** Lets a connection remember. Whoever calls this sees to it that the memory hears of writes. */
export const remember = (tx: Tx, memory: Memory) => void memories.set(tx, memory)
