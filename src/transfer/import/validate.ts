import { validate } from '../../kernel/validate.ts'
import {
  addUnique,
  type CheckedBoard,
  type FileCheck,
  InvalidRecord,
} from '../../store/portability/index.ts'
import { childLines, KINDS, linesOf } from '../kinds.ts'
import type { Line } from '../lines.ts'

/** A reference to a record that may come in a later line. */
interface Reference {
  line: number
  what: string
  name: string
}

/** Splits a line into its kind and its record. */
export function parseRecord(line: Line): { kind: string; record: unknown } {
  const [kind, ...others] = Object.keys(line)
  if (!kind || others.length || !linesOf(kind)) {
    const kinds = KINDS.map((lines) => lines.kind).join(', ')
    throw new InvalidRecord(`a line must be one of ${kinds}, not ${kind ?? 'nothing'}`)
  }
  return { kind, record: line[kind] }
}

/** Rejects dates that match the pattern but do not exist, such as February 30. */
function checkMoments(record: Record<string, unknown>): void {
  for (const [field, value] of Object.entries(record)) {
    if (Array.isArray(value))
      for (const item of value) if (item && typeof item === 'object') checkMoments(item)
    const isDate = /(_at|_date)$/.test(field) && typeof value === 'string'
    if (isDate && Number.isNaN(Date.parse(value)))
      throw new InvalidRecord(`${field} is not a valid date: ${value}`)
  }
}

/** Validates the lines of a file in order. Keeps what later lines may refer to. */
export class Validator implements FileCheck {
  readonly counts: Record<string, number> = Object.fromEntries(KINDS.map(({ kind }) => [kind, 0]))
  readonly boards = new Map<string, CheckedBoard>()
  team: { team_uuid: string; name: string } | undefined
  private readonly names = new Map<string, Set<string>>()
  private readonly memories = new Map<string, unknown>()
  private readonly references: Reference[] = []
  private currentTask = ''
  /** The number of lines of each kind when the current task began. */
  private countsBefore = this.counts
  private kindIndex = 0
  private line = 0

  get people(): readonly string[] {
    return [...this.namesOf('people')]
  }

  validateLine(line: Line, number: number): void {
    const { kind, record } = parseRecord(line)
    const lines = linesOf(kind)!
    validate(lines.type, record)
    checkMoments(record as Record<string, unknown>)
    this.line = number
    const kindIndex = KINDS.indexOf(lines)
    // Kinds come in the order of KINDS, but each task is followed by its own children.
    if (kindIndex < this.kindIndex && kind !== 'task')
      throw new InvalidRecord(`a ${kind} is out of order`)
    this.checkPlace(kind, record)
    this.kindIndex = kindIndex
    lines.check(record as never, this)
    this.counts[kind]!++
  }

  /** The team comes first, and a child must follow the line of its task. */
  private checkPlace(kind: string, record: unknown): void {
    if (kind !== 'team' && !this.team) throw new InvalidRecord('the team must come first')
    if (kind === 'team' && this.team) throw new InvalidRecord('it contains two teams')
    if (kind === 'team') this.team = record as Validator['team']
    const child = childLines.find((lines) => lines.kind === kind)
    const { task } = record as { task: string }
    if (child && task !== this.currentTask)
      throw new InvalidRecord(`${child.what} of ${task} does not follow its task`)
    if (kind !== 'task') return
    this.currentTask = (record as { ticket_number: string }).ticket_number
    this.countsBefore = { ...this.counts }
  }

  finish(): void {
    if (!this.team) throw new InvalidRecord('it contains no team')
    for (const { line, what, name } of this.references)
      if (!this.namesOf(what).has(name))
        throw new InvalidRecord(`${name} is referenced, but is not in the file`, line)
    for (const lines of KINDS) lines.checkFile?.(this)
  }

  unique(what: string, name: string): void {
    addUnique(this.namesOf(what), what, name)
  }

  actor(...names: string[]): void {
    for (const name of names)
      if (!this.namesOf('people').has(name) && !this.namesOf('agents').has(name))
        throw new InvalidRecord(`${name} is not in the file`)
  }

  board(what: string, key: string): CheckedBoard {
    const board = this.boards.get(key)
    if (board) return board
    throw new InvalidRecord(`${what} belongs to ${key}, which does not exist`)
  }

  refer(what: string, name: string): void {
    this.references.push({ line: this.line, what, name })
  }

  count(kind: string): number {
    return this.counts[kind]! - this.countsBefore[kind]!
  }

  memory<S>(kind: string, create: () => S): S {
    if (!this.memories.has(kind)) this.memories.set(kind, create())
    return this.memories.get(kind) as S
  }

  private namesOf(what: string): Set<string> {
    const known = this.names.get(what) ?? new Set()
    this.names.set(what, known)
    return known
  }
}
