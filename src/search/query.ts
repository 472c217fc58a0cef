import { fault } from '../kernel/fault.ts'
import { nearest } from '../kernel/validate.ts'
import { wordsOf } from './words.ts'

/** Words that stand one after the other; mostly there is one. */
export interface Term {
  words: readonly string[]
  /** The last word may go on. */
  prefix: boolean
  /** As it was typed. */
  text: string
  /** Where that may be the key of a ticket: the word that stands for it in the index. */
  place?: string
}

/** What an operator asks of a task. */
export interface Ask {
  operator: string
  /** Any of these. */
  values: readonly string[]
  not: boolean
}

/** All of `words` and `asks`, of each any; none of `without`. */
export interface Query {
  words: Term[][]
  without: Term[]
  asks: Ask[][]
  /** Something was typed, and none of it is a word. */
  isVoid: boolean
}

const MOST_PARTS = 40
const MOST_VALUES = 20
/** Shorter ones begin too many words. */
const LEAST_PREFIX = 3

const KEY = /^[A-Za-z][A-Za-z0-9]*-\d{1,9}$/

/** A ticket's key as one word; a letter that no key has stands between its parts. */
export const placeOfKey = (text: string): string | undefined =>
  KEY.test(text) ? text.toLowerCase().replace('-', 'ː') : undefined

/** Reads what somebody typed: words, "phrases", -without, operator:value, and OR between them. */
export function parse(text: string, operators: readonly string[], field = 'query'): Query {
  const reader = new Reader(operators, field)
  for (const part of partsOf(text)) reader.take(part)
  return reader.finish(text)
}

/** Everything that both ask for. */
export const both = (one: Query, other: Query): Query => ({
  words: [...one.words, ...other.words],
  without: [...one.without, ...other.without],
  asks: [...one.asks, ...other.asks],
  isVoid: one.isVoid || other.isVoid,
})

/** A part as it was typed; a quote that nothing closes goes on to the end. */
interface Part {
  not: boolean
  name?: string
  text: string
  quoted: boolean
  /** Nothing follows it, not even a space: it may be half a word. */
  last: boolean
}

const PART = /(-)?(?:([A-Za-z_]+):)?(?:"([^"]*)(?:"|$)|([^\s"]+))/g

function* partsOf(text: string): Generator<Part> {
  for (const found of text.matchAll(PART)) {
    const [whole, minus, name, phrase, bare] = found
    const not = minus !== undefined
    const rest = { not, last: found.index + whole.length === text.length }
    // http://…, std::vector and 10:30 are words with a colon in them.
    const isWord = name !== undefined && bare !== undefined && /^[/:]/.test(bare)
    if (isWord) yield { ...rest, text: `${name}:${bare}`, quoted: false }
    else
      yield {
        ...rest,
        ...(name !== undefined && { name: name.toLowerCase() }),
        text: phrase ?? bare ?? '',
        quoted: phrase !== undefined,
      }
  }
}

class Reader {
  private readonly query: Query = { words: [], without: [], asks: [], isVoid: false }
  private parts = 0
  /** The part before, where another may join it by OR. */
  private open: Term[] | Ask[] | undefined
  private joins = false

  constructor(
    private readonly operators: readonly string[],
    private readonly field: string,
  ) {}

  take(part: Part): void {
    if (++this.parts > MOST_PARTS)
      throw this.wrong('too_long', `takes at most ${MOST_PARTS} words and operators`)
    if (part.text === 'OR' && !part.quoted && !part.not && part.name === undefined)
      this.joins = this.open !== undefined
    else if (part.name === undefined) this.word(part)
    else this.ask({ ...part, name: part.name })
  }

  finish(text: string): Query {
    const { words, without, asks } = this.query
    const isEmpty = !words.length && !without.length && !asks.length
    return { ...this.query, isVoid: isEmpty && text.trim() !== '' }
  }

  private word({ text, not, quoted, last }: Part): void {
    const words = wordsOf(text)
    const joins = this.joined()
    if (!words.length) return
    const prefix = !quoted && (text.endsWith('*') || (last && words.at(-1)!.length >= LEAST_PREFIX))
    const place = placeOfKey(text)
    const term = { words, prefix, text, ...(place && { place }) }
    if (not && joins) throw this.unclear(`-${text}`)
    if (not) {
      this.query.without.push(term)
      this.open = undefined
    } else this.open = this.place(this.query.words, term, joins)
  }

  private ask({ name, text, not, quoted }: Part & { name: string }): void {
    if (!this.operators.includes(name)) throw this.unknown(name, text)
    const values = quoted ? [text] : text.split(',').filter((value) => value !== '')
    if (!values.length || values.some((value) => !value.trim()))
      throw this.wrong('required', `${name}: needs a value`, `Write ${name}:value, without a space`)
    if (values.length > MOST_VALUES)
      throw this.wrong('too_long', `${name}: takes at most ${MOST_VALUES} values`)
    this.open = this.place(this.query.asks, { operator: name, values, not }, this.joined())
  }

  private joined(): boolean {
    const joins = this.joins
    this.joins = false
    return joins
  }

  private place<T extends Term | Ask>(all: T[][], one: T, joins: boolean): T[] {
    const before = all.at(-1)
    if (joins && before !== (this.open as unknown)) throw this.unclear('OR')
    if (joins && before) {
      before.push(one)
      return before
    }
    const alone = [one]
    all.push(alone)
    return alone
  }

  private unclear = (what: string) =>
    this.wrong(
      'invalid_format',
      `${what} stands between a word and something else`,
      'OR joins words with words, or operators with operators',
    )

  private unknown(name: string, text: string) {
    const near = nearest(name, this.operators)
    const known = `Operators are ${this.operators.map((one) => `${one}:`).join(' ')}`
    const quote = `to search for the words themselves, write "${name}:${text.slice(0, 50)}"`
    return fault.invalid(
      this.field,
      'unknown_field',
      `${name}: is no operator`,
      `${name}:${text}`,
      `${near ? `Did you mean ${near}:? ` : ''}${known}; ${quote}`,
    )
  }

  private wrong = (code: 'too_long' | 'required' | 'invalid_format', rule: string, hint?: string) =>
    fault.invalid(this.field, code, `${this.field} ${rule}`, undefined, hint)
}
