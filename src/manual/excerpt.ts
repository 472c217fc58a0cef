/** A stretch of text, and whether it is one of the words that were asked for. */
export interface Piece {
  text: string
  isSought: boolean
}

const LENGTH = 220
const AHEAD = 40

/** Where the words that were asked for stand closest together, and what is around them. */
export function excerptOf(text: string, isSought: (word: string) => boolean): Piece[] {
  const line = text.replaceAll('\n', ' ')
  const hits = [...line.matchAll(/[\p{L}\p{N}]+/gu)].filter(([word]) => isSought(word))
  const first = closest(hits.map(({ index }) => index))
  const from = first <= AHEAD ? 0 : line.indexOf(' ', first - AHEAD) + 1
  const to = from + LENGTH >= line.length ? line.length : line.lastIndexOf(' ', from + LENGTH)
  const pieces: Piece[] = from > 0 ? [{ text: '… ', isSought: false }] : []
  let at = from
  for (const { 0: word, index } of hits) {
    if (index < at || index + word.length > to) continue
    pieces.push({ text: line.slice(at, index), isSought: false }, { text: word, isSought: true })
    at = index + word.length
  }
  pieces.push({ text: line.slice(at, to) + (to < line.length ? ' …' : ''), isSought: false })
  return pieces.filter((piece) => piece.text)
}

/** The first of the most places that lie within one excerpt. */
function closest(places: readonly number[]): number {
  let best = [0, 0]
  for (let from = 0, to = 0; from < places.length; from++) {
    while (to < places.length && places[to]! - places[from]! < LENGTH - AHEAD) to++
    if (to - from > best[0]!) best = [to - from, places[from]!]
  }
  return best[1]!
}
