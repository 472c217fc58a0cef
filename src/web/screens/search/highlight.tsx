import { partsOf } from './query.ts'

const WORD = /[\p{L}\p{M}\p{N}]+/gu
const ENDING = /(ings?|ed|ies|es|ly|[sye])$/
const LEAST = 3

const normalize = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
/** Approximates the server's stemming, which is enough to highlight the matched words. */
function stem(word: string): string {
  const short = word.replace(ENDING, '')
  return short.length >= LEAST ? short : word
}

/** Returns a function that tells whether a query matches a word. */
export function matcherFor(query: string): (word: string) => boolean {
  const queryWords = partsOf(query)
    .filter(({ name, not, quoted, text }) => !name && !not && (quoted || text !== 'OR'))
    .flatMap(({ text }) => normalize(text).match(WORD) ?? [])
  const stems = new Set(queryWords.map(stem))
  const last = queryWords.at(-1) ?? ''
  return (word) => {
    const normalized = normalize(word)
    return stems.has(stem(normalized)) || (last.length >= LEAST && normalized.startsWith(last))
  }
}

/** Splits a text into highlighted and plain pieces with their offsets. */
function splitMatches(text: string, isMatch: (word: string) => boolean) {
  const pieces: { at: number; text: string; isMarked: boolean }[] = []
  let from = 0
  const add = (to: number, isMarked: boolean) => {
    if (to > from) pieces.push({ at: from, text: text.slice(from, to), isMarked })
    from = to
  }
  for (const match of text.matchAll(WORD)) {
    if (!isMatch(match[0])) continue
    add(match.index, false)
    add(match.index + match[0].length, true)
  }
  add(text.length, false)
  return pieces
}

/** A text with the matched words highlighted. */
export const HighlightedText = ({ text, query }: { text: string; query: string }) =>
  splitMatches(text, matcherFor(query)).map(({ at, text: part, isMarked }) =>
    isMarked ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
  )

/** A snippet whose matches the server marked with `**`. */
export const Snippet = ({ text }: { text: string }) => {
  let at = 0
  return text.split('**').map((part, index) => {
    at += part.length + 2
    return index % 2 ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>
  })
}

const MAX_EXCERPT = 320

/** The part of a passage with the most matches, cut at word boundaries. */
export function excerpt(text: string, query: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  if (plain.length <= MAX_EXCERPT) return plain
  const isMatch = matcherFor(query)
  const matches = [...plain.matchAll(WORD)]
    .filter(([word]) => isMatch(word))
    .map((one) => one.index)
  const matchesFrom = (from: number) =>
    matches.filter((position) => position >= from && position < from + MAX_EXCERPT).length
  const best = matches.toSorted((a, b) => matchesFrom(b) - matchesFrom(a))[0] ?? 0
  const idealStart = Math.max(0, Math.min(best - MAX_EXCERPT / 4, plain.length - MAX_EXCERPT))
  const from = idealStart ? plain.indexOf(' ', idealStart) + 1 : 0
  const end = from + MAX_EXCERPT
  const to = end >= plain.length ? plain.length : plain.lastIndexOf(' ', end)
  return `${from ? '…' : ''}${plain.slice(from, to)}${to < plain.length ? '…' : ''}`
}
