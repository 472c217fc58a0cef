import type { Caller } from './caller.ts'

const MOST_ROWS = 4000
/** A board, or a long text: who asks for that again is rarely quick enough. */
const MOST_OF_ONE = 500
const ROW_CHARS = 500
const MOST_INPUT = 20_000

/** Whether an input is too long to be worth writing out as the key of an answer. */
export const isLong = (input: unknown): boolean =>
  Object.values(Object(input)).some((part) => typeof part === 'string' && part.length > MOST_INPUT)

/**
 * The answers since the last write. Agents ask the same again and again while nothing happens.
 * What is overdue or has ended changes by the clock alone, so each second begins anew as well.
 */
export class Memo<Answer extends { data: unknown }> {
  private readonly answers = new Map<string, { caller: Caller; answer: Answer }>()
  private rows = 0
  private age = -1
  private second = 0

  /** Another caller object is another caller, though the credential be the same. */
  find(caller: Caller, ask: string): Answer | undefined {
    const kept = this.answers.get(`${caller.credential} ${ask}`)
    return kept?.caller === caller ? kept.answer : undefined
  }

  keep(caller: Caller, ask: string, answer: Answer) {
    const rows = 1 + ask.length / ROW_CHARS + weightOf(answer.data)
    if (rows > MOST_OF_ONE) return
    if (this.rows + rows > MOST_ROWS) this.clear()
    this.rows += rows
    this.answers.set(`${caller.credential} ${ask}`, { caller, answer })
  }

  /** What was answered at another age, or in another second, no longer counts. */
  at(age: number, now: Date): this {
    const second = Math.floor(now.getTime() / 1000)
    if (age === this.age && second === this.second) return this
    this.clear()
    this.age = age
    this.second = second
    return this
  }

  private clear() {
    this.answers.clear()
    this.rows = 0
  }
}

/** Rows, or as much text as some have. */
function weightOf(data: unknown): number {
  if (Array.isArray(data)) return data.length
  let weight = 0
  for (const part of Object.values(Object(data)))
    if (Array.isArray(part)) weight += part.length
    else if (typeof part === 'string') weight += part.length / ROW_CHARS
  return weight
}
