import type { Weighted } from './concept.ts'
import type { Floor } from './floor.ts'
import { STOP_TERMS } from './terms.ts'

export interface Keeping {
  company: number
  companyWords: number
}

/** How many leaves are read of a word, and how many of their words are counted everywhere. */
const MOST_READ = 48
const MOST_COUNTED = 24
/** In so many leaves two words must stand together. */
const LEAST_TOGETHER = 3
/** A word in a larger share of the leaves keeps company with all others. */
const COMMON = 0.1

/** Words that stand where a word stands, more often than they do elsewhere on these shelves. */
export function companyOf(
  term: number,
  floor: Floor,
  { company, companyWords }: Keeping,
): Weighted[] {
  const spread = floor.spread(term)
  if (spread < LEAST_TOGETHER || spread > floor.size * COMMON) return []
  const { counts, read } = together(term, spread, floor)
  const often = [...counts]
    .filter(([other, { count }]) => count >= LEAST_TOGETHER && !STOP_TERMS.has(other))
    .map(([other, { count, rarity }]) => ({ other, count, worth: count * rarity }))
    .sort((a, b) => b.worth - a.worth || a.other - b.other)
    .slice(0, MOST_COUNTED)
  const near: Weighted[] = []
  for (const { other, count } of often) {
    const all = floor.spread(other)
    if (count <= (2 * read * all) / floor.size) continue
    // How much of either stands with the other.
    const both = (count / read) * Math.min(1, (count * spread) / read / all)
    near.push({ term: other, weight: company * Math.sqrt(both) })
  }
  return near.sort((a, b) => b.weight - a.weight || a.term - b.term).slice(0, companyWords)
}

function together(term: number, spread: number, floor: Floor) {
  const counts = new Map<number, { count: number; rarity: number }>()
  const every = Math.max(1, Math.ceil(spread / MOST_READ))
  let at = 0
  let read = 0
  floor.eachShelf(term, (shelf, number, stack) => {
    const ids = shelf.column('id')
    shelf.each(number, (leaf) => {
      if (at++ % every || floor.stacks[stack]!.isGone(ids[leaf]!)) return
      read++
      const words = shelf.read(leaf).sort()
      for (let on = 0; on < words.length; on++) {
        const other = words[on]!
        if (other === number || other === words[on - 1]) continue
        const hash = shelf.terms[other]!
        const before = counts.get(hash)
        if (before) before.count++
        else
          counts.set(hash, { count: 1, rarity: Math.log((shelf.size + 1) / shelf.spread(other)) })
      }
    })
  })
  return { counts, read }
}
