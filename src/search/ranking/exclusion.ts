import type { LiveSegment } from '../segments/corpus.ts'
import type { Segment } from '../segments/segment.ts'
import { hashOf, readWords, STOP_TERMS, termsOf, withoutStopWords } from '../words/terms.ts'

/** The segments without the passages that contain one of these words or phrases. */
export function withoutWords(
  segments: readonly LiveSegment[],
  words: readonly string[] = [],
): readonly LiveSegment[] {
  const phrases = words.map(phraseOf).filter((terms) => terms.length)
  if (!phrases.length) return segments
  return segments.map((live) => {
    const excluded = excludedIds(live, phrases)
    if (!excluded.size) return live
    return { ...live, isDeleted: (id) => excluded.has(id) || live.isDeleted(id) }
  })
}

/** Whether a text contains one of these words or phrases. */
export function containsAny(text: string, words: readonly string[]): boolean {
  if (!words.length) return false
  const terms = termsOf(text)
  return words.map(phraseOf).some((phrase) => {
    const read = terms.filter((term) => phrase.includes(term) || !STOP_TERMS.has(term))
    return phrase.length && read.some((_, at) => isAt(read, at, phrase))
  })
}

/** Longer texts are indexed without their stop words, so phrases are compared without them. */
function phraseOf(text: string): number[] {
  const words = readWords(text)
  const rest = withoutStopWords(words)
  return (rest.length > 1 ? rest : words).map(({ stem }) => hashOf(stem))
}

function excludedIds({ segment }: LiveSegment, phrases: readonly number[][]): Set<number> {
  const ids = segment.column('id')
  const excluded = new Set<number>()
  for (const terms of phrases) {
    const numbers = terms.map((term) => segment.find(term))
    const [first = -1] = numbers
    if (numbers.some((number) => number < 0)) continue
    segment.eachPassage(first, (row) => {
      if (numbers.length === 1 || hasPhrase(segment, row, numbers)) excluded.add(ids[row]!)
    })
  }
  return excluded
}

function hasPhrase(segment: Segment, row: number, numbers: readonly number[]): boolean {
  const isKept = (number: number) =>
    numbers.includes(number) || !STOP_TERMS.has(segment.terms[number]!)
  const terms = segment.read(row).filter(isKept)
  return terms.some((_, at) => isAt(terms, at, numbers))
}

const isAt = (terms: Uint32Array, at: number, phrase: readonly number[]): boolean =>
  phrase.every((term, offset) => terms[at + offset] === term)
