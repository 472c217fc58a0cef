import { fault } from '../../kernel/fault.ts'
import { closestWord } from '../../kernel/validate.ts'
import { wordsOf } from '../words/words.ts'
import { openTerms, type Term } from './open-terms.ts'

export type { Term } from './open-terms.ts'

/** A filter from an operator such as `is:open`. */
export interface OperatorFilter {
  operator: string
  /** A task must match one of these. */
  values: readonly string[]
  not: boolean
}

/**
 * A parsed query. A task must match one member of each group in `words` and in `filters`, and none of
 * `without`.
 */
export interface Query {
  words: Term[][]
  without: Term[]
  filters: OperatorFilter[][]
  /** The text is not blank but contains no word. */
  isVoid: boolean
}

const MAX_PARTS = 40
const MAX_VALUES = 20
/** A shorter incomplete word after a minus would exclude too much. */
const MIN_EXCLUDED_PREFIX = 3

const KEY = /^[A-Za-z][A-Za-z0-9]*-\d{1,9}$/

/** A ticket key as a single word. Its parts are joined by a letter that occurs in no key. */
export const keyWordOf = (text: string): string | undefined =>
  KEY.test(text) ? text.toLowerCase().replace('-', 'ː') : undefined

/** What may be a ticket key, also without its dash or its board: HOM-1, hom1, #1 and 1. */
export function keyPartsOf(text: string): { board?: string; number: number } | undefined {
  const [, board, number] = /^#?(?:([a-z][a-z0-9]*?)[\s_-]*)?(\d{1,9})$/i.exec(text.trim()) ?? []
  if (number === undefined) return undefined
  return { ...(board && { board: board.toUpperCase() }), number: Number(number) }
}

/** Parses a query: words, "phrases", -without, operator:value, and OR between them. */
export function parse(text: string, operators: readonly string[], field = 'query'): Query {
  const parser = new Parser(operators, field)
  for (const part of partsOf(text)) parser.add(part)
  return parser.finish(text)
}

/**
 * Splits a question into its operators and excluded words, and the words of the question as they
 * were written. Sentences are no search syntax: OR and `note: this` are words, and there may be any
 * number of words.
 */
export function parseQuestion(text: string, operators: readonly string[], field = 'query') {
  const parts = [...partsOf(text)]
  const isOperator = ({ name, text, quoted }: Part) =>
    name !== undefined && operators.includes(name) && (quoted || text !== '')
  const isExcluded = (part: Part) => part.not && part.name === undefined
  const parser = new Parser(operators, field)
  for (const part of parts)
    if (isOperator(part) || isExcluded(part)) parser.add({ ...part, last: false })
  const query = parser.finish('')
  if (!query.filters.length && !query.without.length) return { query, words: text }
  const rest = parts.filter((part) => !isOperator(part) && !isExcluded(part))
  return { query, words: rest.map(asTyped).join(' ') }
}

const asTyped = ({ not, name, text, quoted }: Part): string =>
  `${not ? '-' : ''}${name === undefined ? '' : `${name}:`}${quoted ? `"${text}"` : text}`

/** A query that requires everything that both queries require. */
export const mergeQueries = (a: Query, b: Query): Query => ({
  words: [...a.words, ...b.words],
  without: [...a.without, ...b.without],
  filters: [...a.filters, ...b.filters],
  isVoid: a.isVoid || b.isVoid,
})

/** A part of a query as typed. An unclosed quote extends to the end. */
interface Part {
  not: boolean
  name?: string
  text: string
  quoted: boolean
  /** Nothing follows it, not even a space, so it may be an incomplete word. */
  last: boolean
}

const PART = /(-)?(?:([A-Za-z_]+):)?(?:"([^"]*)(?:"|$)|([^\s"]+))/g

function* partsOf(text: string): Generator<Part> {
  for (const match of text.matchAll(PART)) {
    const [whole, minus, name, phrase, bare] = match
    const not = minus !== undefined
    const rest = { not, last: match.index + whole.length === text.length }
    // http://…, std::vector and 10:30 are words with a colon, not operators.
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

class Parser {
  private readonly query: Query = { words: [], without: [], filters: [], isVoid: false }
  private parts = 0
  /** The group of the previous part, which OR can extend. */
  private lastGroup: Term[] | OperatorFilter[] | undefined
  private isAfterOr = false

  constructor(
    private readonly operators: readonly string[],
    private readonly field: string,
  ) {}

  add(part: Part): void {
    if (++this.parts > MAX_PARTS)
      throw this.invalid('too_long', `takes at most ${MAX_PARTS} words and operators`)
    if (part.text === 'OR' && !part.quoted && !part.not && part.name === undefined)
      this.isAfterOr = this.lastGroup !== undefined
    else if (part.name === undefined) this.addTerm(part)
    else this.addFilter({ ...part, name: part.name })
  }

  finish(text: string): Query {
    const { words, without, filters } = this.query
    const isEmpty = !words.length && !without.length && !filters.length
    return { ...this.query, isVoid: isEmpty && text.trim() !== '' }
  }

  private addTerm({ text, not, quoted, last }: Part): void {
    const words = wordsOf(text)
    const isJoined = this.takeOr()
    if (!words.length) return
    const isOpen = !quoted && (text.endsWith('*') || last)
    const keyWord = keyWordOf(text)
    const term: Term = {
      ...{ words, prefix: false, text },
      ...(quoted && { isQuoted: true }),
      ...(keyWord && { keyWord }),
    }
    if (not && isJoined) throw this.ambiguousOr(`-${text}`)
    if (not) {
      const isLong = text.endsWith('*') || words.at(-1)!.length >= MIN_EXCLUDED_PREFIX
      this.query.without.push({ ...term, prefix: isOpen && isLong })
      this.lastGroup = undefined
      return
    }
    this.lastGroup = this.append(this.query.words, isOpen ? openTerms(term) : [term], isJoined)
  }

  private addFilter({ name, text, not, quoted }: Part & { name: string }): void {
    if (!this.operators.includes(name)) throw this.unknownOperator(name, text)
    const values = quoted ? [text] : text.split(',').filter((value) => value !== '')
    if (!values.length || values.some((value) => !value.trim()))
      throw this.invalid(
        'required',
        `${name}: needs a value`,
        `Write ${name}:value, without a space`,
      )
    if (values.length > MAX_VALUES)
      throw this.invalid('too_long', `${name}: takes at most ${MAX_VALUES} values`)
    const filter = { operator: name, values, not }
    this.lastGroup = this.append(this.query.filters, [filter], this.takeOr())
  }

  private takeOr(): boolean {
    const isAfterOr = this.isAfterOr
    this.isAfterOr = false
    return isAfterOr
  }

  private append<T extends Term | OperatorFilter>(
    groups: T[][],
    items: readonly T[],
    isJoined: boolean,
  ): T[] {
    const before = groups.at(-1)
    if (isJoined && before !== (this.lastGroup as unknown)) throw this.ambiguousOr('OR')
    if (isJoined && before) {
      before.push(...items)
      return before
    }
    const group = [...items]
    groups.push(group)
    return group
  }

  private ambiguousOr = (what: string) =>
    this.invalid(
      'invalid_format',
      `${what} cannot join a word with an operator`,
      'OR joins words with words, or operators with operators',
    )

  private unknownOperator(name: string, text: string) {
    const closest = closestWord(name, this.operators)
    const known = `Operators are ${this.operators.map((operator) => `${operator}:`).join(' ')}`
    const quote = `to search for the words themselves, write "${name}:${text.slice(0, 50)}"`
    return fault.invalid(
      this.field,
      'unknown_field',
      `${name}: is not an operator`,
      `${name}:${text}`,
      `${closest ? `Did you mean ${closest}:? ` : ''}${known}; ${quote}`,
    )
  }

  private invalid = (
    code: 'too_long' | 'required' | 'invalid_format',
    rule: string,
    hint?: string,
  ) => fault.invalid(this.field, code, `${this.field} ${rule}`, undefined, hint)
}
