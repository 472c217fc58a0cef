import en from './messages/en.json'
import type { TextKey, Texts } from './texts.ts'

/** Matches an English error message of the catalog. The groups capture its values. */
interface Pattern {
  key: TextKey
  names: string[]
  shape: RegExp
  /** How much of it is fixed. */
  literal: number
}

let patterns: readonly Pattern[] | undefined

/** Errors without values first, then the most specific ones. */
const allPatterns = () =>
  Object.entries(en.errors)
    .map(([name, message]) => patternOf(`errors.${name}` as TextKey, message))
    .toSorted((one, other) => other.literal - one.literal)

const PLACEHOLDER = /\{(\w+)\}/

function patternOf(key: TextKey, message: string): Pattern {
  const parts = message.split(PLACEHOLDER)
  const texts = parts.filter((_, at) => at % 2 === 0)
  return {
    key,
    names: parts.filter((_, at) => at % 2),
    shape: new RegExp(`^${texts.map((text) => RegExp.escape(text)).join('([^]+?)')}$`),
    literal: texts.join('').length - (parts.length > 1 ? 0 : -1000),
  }
}

/** An English error in another language. Undefined if the catalog does not have it. */
export function translateError({ text }: Texts, message: string): string | undefined {
  patterns ??= allPatterns()
  for (const { key, names, shape } of patterns) {
    const match = shape.exec(message)
    if (match) return text(key, Object.fromEntries(names.map((name, at) => [name, match[at + 1]!])))
  }
  return undefined
}
