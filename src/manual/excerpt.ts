/** A piece of an excerpt, and whether it is a matching word. */
export interface Piece {
  text: string
  isMatch: boolean
}

const LENGTH = 220
const AHEAD = 40

/** The part of a text where matching words are closest together, with its surroundings. */
export function excerptOf(text: string, isMatch: (word: string) => boolean): Piece[] {
  const line = text.replaceAll('\n', ' ')
  const hits = [...line.matchAll(/[\p{L}\p{N}]+/gu)].filter(([word]) => isMatch(word))
  const first = densestStart(hits.map(({ index }) => index))
  const from = first <= AHEAD ? 0 : line.indexOf(' ', first - AHEAD) + 1
  const to = from + LENGTH >= line.length ? line.length : line.lastIndexOf(' ', from + LENGTH)
  const pieces: Piece[] = from > 0 ? [{ text: '… ', isMatch: false }] : []
  let at = from
  for (const { 0: word, index } of hits) {
    if (index < at || index + word.length > to) continue
    pieces.push({ text: line.slice(at, index), isMatch: false }, { text: word, isMatch: true })
    at = index + word.length
  }
  pieces.push({ text: line.slice(at, to) + (to < line.length ? ' …' : ''), isMatch: false })
  return pieces.filter((piece) => piece.text)
}

/** The start of the excerpt that contains the most positions. */
function densestStart(positions: readonly number[]): number {
  let best = [0, 0]
  for (let from = 0, to = 0; from < positions.length; from++) {
    while (to < positions.length && positions[to]! - positions[from]! < LENGTH - AHEAD) to++
    if (to - from > best[0]!) best = [to - from, positions[from]!]
  }
  return best[1]!
}
