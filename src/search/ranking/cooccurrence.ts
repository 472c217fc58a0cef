import type { Corpus } from '../segments/corpus.ts'
import { STOP_TERMS } from '../words/terms.ts'
import type { WeightedTerm } from './concept.ts'

export interface CooccurrenceTuning {
  company: number
  companyWords: number
}

/** Passages read per word, and candidates whose frequency is checked. */
const MAX_READ = 48
const MAX_COUNTED = 24
/** Passages in which two words must occur together. */
const MIN_TOGETHER = 3
/** Words in a larger share of the passages co-occur with everything. */
const MAX_SHARE = 0.1

/** Words that co-occur with a word more often than chance. */
export function cooccurringTerms(
  term: number,
  corpus: Corpus,
  { company, companyWords }: CooccurrenceTuning,
): WeightedTerm[] {
  const frequency = corpus.documentFrequency(term)
  if (frequency < MIN_TOGETHER || frequency > corpus.size * MAX_SHARE) return []
  const { counts, read } = countCooccurrences(term, frequency, corpus)
  const candidates = [...counts]
    .filter(([other, { count }]) => count >= MIN_TOGETHER && !STOP_TERMS.has(other))
    .map(([other, { count, rarity }]) => ({ other, count, worth: count * rarity }))
    .sort((a, b) => b.worth - a.worth || a.other - b.other)
    .slice(0, MAX_COUNTED)
  const related: WeightedTerm[] = []
  for (const { other, count } of candidates) {
    const total = corpus.documentFrequency(other)
    if (count <= (2 * read * total) / corpus.size) continue
    // The share of either word's passages that contain the other.
    const strength = (count / read) * Math.min(1, (count * frequency) / read / total)
    related.push({ term: other, weight: company * Math.sqrt(strength) })
  }
  return related.sort((a, b) => b.weight - a.weight || a.term - b.term).slice(0, companyWords)
}

function countCooccurrences(term: number, frequency: number, corpus: Corpus) {
  const counts = new Map<number, { count: number; rarity: number }>()
  const step = Math.max(1, Math.ceil(frequency / MAX_READ))
  let at = 0
  let read = 0
  corpus.eachSegment(term, (segment, number, index) => {
    const ids = segment.column('id')
    segment.eachPassage(number, (row) => {
      if (at++ % step || corpus.segments[index]!.isDeleted(ids[row]!)) return
      read++
      const words = segment.read(row).sort()
      for (let i = 0; i < words.length; i++) {
        const other = words[i]!
        if (other === number || other === words[i - 1]) continue
        const hash = segment.terms[other]!
        const before = counts.get(hash)
        if (before) before.count++
        else
          counts.set(hash, {
            count: 1,
            rarity: Math.log((segment.size + 1) / segment.documentFrequency(other)),
          })
      }
    })
  })
  return { counts, read }
}
