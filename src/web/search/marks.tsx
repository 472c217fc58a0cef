import { partsOf } from './query.ts'

const WORD = /[\p{L}\p{M}\p{N}]+/gu
const ENDING = /(ings?|ed|ies|es|ly|[sye])$/
const LEAST = 3

const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
/** Near enough to how the server compares words, to show which ones it found. */
function stem(word: string): string {
  const short = word.replace(ENDING, '')
  return short.length >= LEAST ? short : word
}

/** Says of a word whether a query asks for it. */
export function finder(query: string): (word: string) => boolean {
  const sought = partsOf(query)
    .filter(({ name, not, quoted, text }) => !name && !not && (quoted || text !== 'OR'))
    .flatMap(({ text }) => folded(text).match(WORD) ?? [])
  const stems = new Set(sought.map(stem))
  const last = sought.at(-1) ?? ''
  return (word) => {
    const own = folded(word)
    return stems.has(stem(own)) || (last.length >= LEAST && own.startsWith(last))
  }
}

/** A text cut into what is marked and what is not, each with its place. */
function piecesOf(text: string, isFound: (word: string) => boolean) {
  const pieces: { at: number; text: string; marked: boolean }[] = []
  let from = 0
  const add = (to: number, marked: boolean) => {
    if (to > from) pieces.push({ at: from, text: text.slice(from, to), marked })
    from = to
  }
  for (const found of text.matchAll(WORD)) {
    if (!isFound(found[0])) continue
    add(found.index, false)
    add(found.index + found[0].length, true)
  }
  add(text.length, false)
  return pieces
}

/** A text, and in it the words that were found. */
export const Marked = ({ text, query }: { text: string; query: string }) =>
  piecesOf(text, finder(query)).map(({ at, text: piece, marked }) =>
    marked ? <mark key={at}>{piece}</mark> : <span key={at}>{piece}</span>,
  )

/** What the server marked between two stars each. */
export const Snippet = ({ text }: { text: string }) => {
  let at = 0
  return text.split('**').map((piece, index) => {
    at += piece.length + 2
    return index % 2 ? <mark key={at}>{piece}</mark> : <span key={at}>{piece}</span>
  })
}

const LENGTH = 320

/** The stretch of a passage in which most of the words stand, whole at its edges. */
export function excerpt(text: string, query: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  if (plain.length <= LENGTH) return plain
  const isFound = finder(query)
  const places = [...plain.matchAll(WORD)].filter(([word]) => isFound(word)).map((one) => one.index)
  const many = (from: number) => places.filter((at) => at >= from && at < from + LENGTH).length
  const best = places.toSorted((a, b) => many(b) - many(a))[0] ?? 0
  const near = Math.max(0, Math.min(best - LENGTH / 4, plain.length - LENGTH))
  const from = near ? plain.indexOf(' ', near) + 1 : 0
  const end = from + LENGTH
  const to = end >= plain.length ? plain.length : plain.lastIndexOf(' ', end)
  return `${from ? '…' : ''}${plain.slice(from, to)}${to < plain.length ? '…' : ''}`
}
