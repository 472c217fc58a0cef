import type { LiveSegment } from './corpus.ts'
import { hashOf, readWords } from './terms.ts'

/** The segments without the passages that contain one of these words or phrases. */
export function withoutWords(
  segments: readonly LiveSegment[],
  words: readonly string[] = [],
): readonly LiveSegment[] {
  const phrases = words
    .map((text) => readWords(text).map(({ stem }) => hashOf(stem)))
    .filter((terms) => terms.length)
  if (!phrases.length) return segments
  return segments.map((live) => {
    const excluded = excludedIds(live, phrases)
    if (!excluded.size) return live
    return { ...live, isDeleted: (id) => excluded.has(id) || live.isDeleted(id) }
  })
}

function excludedIds({ segment }: LiveSegment, phrases: readonly number[][]): Set<number> {
  const ids = segment.column('id')
  const excluded = new Set<number>()
  for (const terms of phrases) {
    const numbers = terms.map((term) => segment.find(term))
    const [first = -1] = numbers
    if (numbers.some((number) => number < 0)) continue
    segment.eachPassage(first, (row) => {
      if (numbers.length === 1 || hasPhrase(segment.read(row), numbers)) excluded.add(ids[row]!)
    })
  }
  return excluded
}

const hasPhrase = (terms: Uint32Array, numbers: readonly number[]): boolean =>
  terms.some((_, at) => numbers.every((number, offset) => terms[at + offset] === number))
