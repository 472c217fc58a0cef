import type { Column, KnownColumn } from './csv-columns.ts'

/** A row with the columns by their present names. */
export interface Row {
  line: number
  all(name: KnownColumn): string[]
  get(name: KnownColumn): string
  known: ReadonlyMap<string, string[]>
  groups: { column: Column; values: string[] }[]
}
