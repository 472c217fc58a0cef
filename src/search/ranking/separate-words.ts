import type { Corpus } from '../segments/corpus.ts'
import { STOPS } from '../words/stop-words.ts'
import { termOf } from './question-words.ts'

const MIN_PART = 2
/** Passages read to see whether two words stand side by side. */
const MAX_READ = 200

/**
 * The terms of two words that a word consists of and that some passage has side by side: `node.js`
 * for `nodejs`, `oauth 2` for `oauth2`.
 */
export function separateWords(word: string, corpus: Corpus): number[] {
  for (let at = 1; at < word.length; at++) {
    const parts = [word.slice(0, at), word.slice(at)]
    const isNumbered = /\p{L}$/u.test(parts[0]!) && /^\p{N}+$/u.test(parts[1]!)
    if (!isNumbered && parts.some((part) => part.length < MIN_PART || STOPS.has(part))) continue
    const [first, second] = parts.map((part) => termOf(part, corpus)) as [number, number]
    if (areAdjacent(first, second, corpus)) return [first, second]
  }
  return []
}

function areAdjacent(first: number, second: number, corpus: Corpus): boolean {
  const [before, after] = [corpus.documentFrequency(first), corpus.documentFrequency(second)]
  if (!before || !after) return false
  let read = 0
  let isFound = false
  corpus.eachSegment(before < after ? first : second, (segment, number) => {
    const [one, other] = [segment.find(first), segment.find(second)]
    if (one < 0 || other < 0) return
    segment.eachPassage(number, (row) => {
      if (isFound || read++ >= MAX_READ) return
      const terms = segment.read(row)
      isFound = terms.some((term, at) => term === one && terms[at + 1] === other)
    })
  })
  return isFound
}
