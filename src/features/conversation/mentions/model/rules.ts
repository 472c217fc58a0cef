import { type Format, proseOf } from '../../../../content/index.ts'

/** A word after an @, with the text that follows it, because a name may have several words. */
export interface AtWord {
  word: string
  /** The text from the word on. */
  rest: string
}

const MAX_NAME_LENGTH = 200
/** Excludes email addresses, paths, package names and function calls. */
const AT_WORD =
  /(?<![\p{L}\p{N}_.+@/-])@(\p{L}[\p{L}\p{N}_-]{0,60})(?![\p{L}\p{N}_-]|\.?[\p{L}\p{N}@/(])/gu

/** Limits the work per text. No real text has this many mentions. */
const MAX_SCANNED = 1000

/** Returns the words of a text that look like mentions, each once. Code is skipped. */
export function atWords(text: string, format: Format): AtWord[] {
  if (!text.includes('@') && !text.includes('&')) return []
  const prose = proseOf(text, format)
  const found = new Map<string, AtWord>()
  for (const { 1: word = '', index } of prose.matchAll(AT_WORD).take(MAX_SCANNED)) {
    const rest = prose.slice(index + 1, index + 2 + MAX_NAME_LENGTH)
    const key = word.toLowerCase()
    if (!found.has(key)) found.set(key, { word, rest })
  }
  return [...found.values()]
}

/** Whether the text begins with the name, followed by a word boundary. */
export function matchesName({ rest }: AtWord, name: string): boolean {
  if (!name || !rest.toLowerCase().startsWith(name.toLowerCase())) return false
  return !/^[\p{L}\p{N}_]/u.test(rest.slice(name.length))
}
