import { type Format, proseOf } from '../../content/index.ts'

/** A word after an @, with what follows it: a name may have several words. */
export interface AtWord {
  word: string
  /** What begins with the word. */
  rest: string
}

const LONGEST_NAME = 200
/** No e-mail address, no path, no package, no call. */
const AT_WORD =
  /(?<![\p{L}\p{N}_.+@/-])@(\p{L}[\p{L}\p{N}_-]{0,60})(?![\p{L}\p{N}_-]|\.?[\p{L}\p{N}@/(])/gu

/** Nobody mentions so many; to look at all of them would keep others waiting. */
const MOST_READ = 1000

/** What reads like a mention in the words of a text, each word once; code mentions nobody. */
export function atWords(text: string, format: Format): AtWord[] {
  if (!text.includes('@') && !text.includes('&')) return []
  const prose = proseOf(text, format)
  const found = new Map<string, AtWord>()
  for (const { 1: word = '', index } of prose.matchAll(AT_WORD).take(MOST_READ)) {
    const rest = prose.slice(index + 1, index + 2 + LONGEST_NAME)
    const key = word.toLowerCase()
    if (!found.has(key)) found.set(key, { word, rest })
  }
  return [...found.values()]
}

/** Whether the name stands there, and not only the beginning of a longer word. */
export function names({ rest }: AtWord, name: string): boolean {
  if (!name || !rest.toLowerCase().startsWith(name.toLowerCase())) return false
  return !/^[\p{L}\p{N}_]/u.test(rest.slice(name.length))
}
