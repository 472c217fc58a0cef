import type { Line } from './lines.ts'
import { KINDS, type Kind, records } from './schema.ts'

/** Why a file cannot be taken in; the line where it is not the one that is read. */
export class Wrong extends Error {
  constructor(
    message: string,
    readonly line?: number,
  ) {
    super(message)
  }
}

/** Names something that may come in a later line. */
export interface Reference {
  line: number
  to: 'boards' | 'tickets' | 'files'
  name: string
}

/** The kind of a line, and what it holds. */
export function recordIn(line: Line): { kind: Kind; record: unknown } {
  const [kind, ...others] = Object.keys(line)
  if (!kind || others.length || !Object.hasOwn(records, kind))
    throw new Wrong(`a line holds one of ${KINDS.join(', ')}, not ${kind ?? 'nothing'}`)
  return { kind: kind as Kind, record: line[kind] }
}

/** A moment can look like one and not be in the calendar. */
export function checkMoments(record: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(record)) {
    if (Array.isArray(value))
      for (const one of value) if (one && typeof one === 'object') checkMoments(one)
    const isDate = /(_at|_date)$/.test(field) && typeof value === 'string'
    if (isDate && Number.isNaN(Date.parse(value)))
      throw new Wrong(`${field} is not in the calendar: ${value}`)
  }
}

export function addOnce(set: Set<string>, what: string, name: string): void {
  if (set.has(name)) throw new Wrong(`there are two ${what} ${name}`)
  set.add(name)
}

/** Whether somebody is above itself in the end. */
export function isInCircle(parents: ReadonlyMap<string, string>, one: string): boolean {
  const above = new Set([one])
  for (let next = parents.get(one); next; next = parents.get(next)) {
    if (above.has(next)) return true
    above.add(next)
  }
  return false
}
