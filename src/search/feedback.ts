import type { Concept } from './concept.ts'
import type { Floor } from './floor.ts'
import { STOP_TERMS } from './terms.ts'
import type { Wanted } from './wanted.ts'
import type { Scored } from './weighing.ts'

export interface Feeding {
  feedbackTerms: number
  feedback: number
}

/** Words of the best leaves that tell something and were not asked for. */
export function expand(
  best: readonly Scored[],
  wanted: Wanted,
  floor: Floor,
  { feedbackTerms, feedback }: Feeding,
): Concept[] {
  const asked = new Set(wanted.concepts.flatMap(({ terms }) => terms.map(({ term }) => term)))
  const chosen = wordsOf(best, floor)
    .filter(({ term }) => !asked.has(term) && !STOP_TERMS.has(term))
    .slice(0, feedbackTerms * 2)
    .filter(({ term }) => floor.spread(term) > 1)
    .map(({ term, share }) => ({ term, worth: share * floor.rarity(term) }))
    .sort((a, b) => b.worth - a.worth || a.term - b.term)
    .slice(0, feedbackTerms)
  const most = chosen[0]?.worth ?? 1
  return chosen.map(({ term, worth }) => ({
    terms: [{ term, weight: 1 }],
    weight: (feedback * worth) / most,
  }))
}

/** The words of leaves, those first that are in most of them and in few others on their shelves. */
function wordsOf(best: readonly Scored[], floor: Floor): { term: number; share: number }[] {
  const top = best[0]?.score ?? 0
  const words = new Map<number, { term: number; share: number; rarity: number }>()
  for (const { place, score } of best) {
    const { stack, leaf } = floor.spot(place)
    const { shelf } = stack
    const counts = new Map<number, number>()
    for (const number of shelf.read(leaf)) counts.set(number, (counts.get(number) ?? 0) + 1)
    for (const [number, count] of counts) {
      const term = shelf.terms[number]!
      const rarity = Math.log((shelf.size + 1) / shelf.spread(number))
      const word = words.get(term) ?? { term, share: 0, rarity }
      word.share += (score / top) * (count / (count + 1))
      words.set(term, word)
    }
  }
  return [...words.values()].sort(
    (a, b) => b.share * b.rarity - a.share * a.rarity || a.term - b.term,
  )
}
