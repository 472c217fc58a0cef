import type { Line } from '../lines.ts'
import { KINDS, type Kind, records } from '../schema.ts'

/** Why a file cannot be imported. `line` is set if the error is not in the line being read. */
export class InvalidRecord extends Error {
  constructor(
    message: string,
    readonly line?: number,
  ) {
    super(message)
  }
}

/** A reference to a record that may come in a later line. */
export interface Reference {
  line: number
  to: 'boards' | 'tickets' | 'files'
  name: string
}

/** Splits a line into its kind and its record. */
export function parseRecord(line: Line): { kind: Kind; record: unknown } {
  const [kind, ...others] = Object.keys(line)
  if (!kind || others.length || !Object.hasOwn(records, kind))
    throw new InvalidRecord(`a line must be one of ${KINDS.join(', ')}, not ${kind ?? 'nothing'}`)
  return { kind: kind as Kind, record: line[kind] }
}

/** Rejects dates that match the pattern but do not exist, such as February 30. */
export function checkMoments(record: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(record)) {
    if (Array.isArray(value))
      for (const item of value) if (item && typeof item === 'object') checkMoments(item)
    const isDate = /(_at|_date)$/.test(field) && typeof value === 'string'
    if (isDate && Number.isNaN(Date.parse(value)))
      throw new InvalidRecord(`${field} is not a valid date: ${value}`)
  }
}

export function addUnique(set: Set<string>, what: string, name: string): void {
  if (set.has(name)) throw new InvalidRecord(`there are two ${what} ${name}`)
  set.add(name)
}

/** Whether following the parents of `start` leads into a cycle. */
export function isCyclic(parents: ReadonlyMap<string, string>, start: string): boolean {
  const ancestors = new Set([start])
  for (let next = parents.get(start); next; next = parents.get(next)) {
    if (ancestors.has(next)) return true
    ancestors.add(next)
  }
  return false
}
