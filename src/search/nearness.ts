import type { Concept } from './concept.ts'
import type { Floor, Spot } from './floor.ts'
import type { Shelf } from './shelf.ts'
import { STOP_TERMS } from './terms.ts'

/** Words further apart have nothing to do with each other. */
const WINDOW = 10
const MOST_CONCEPTS = 64

/** Tells what it is worth that words which were asked for stand near each other in a leaf. */
export function nearness(concepts: readonly Concept[], floor: Floor): (spot: Spot) => number {
  const worths = concepts.map(({ terms, weight }) => weight * floor.rarity(terms[0]!.term))
  const known = new Map<Shelf, Map<number, number>>()
  return ({ stack: { shelf }, leaf }) => {
    const of = known.get(shelf) ?? numbersOn(shelf, concepts)
    known.set(shelf, of)
    let sum = 0
    for (const [pair, worth] of pairsOf(shelf.read(leaf), of)) {
      const one = worths[Math.floor(pair / MOST_CONCEPTS)]!
      sum += worth * Math.min(one, worths[pair % MOST_CONCEPTS]!)
    }
    return sum
  }
}

/** Which concept a term of the shelf says. */
function numbersOn(shelf: Shelf, concepts: readonly Concept[]): Map<number, number> {
  const of = new Map<number, number>()
  for (const [at, { terms }] of concepts.entries())
    for (const { term } of terms) {
      const number = shelf.find(term)
      if (number >= 0 && !of.has(number)) of.set(number, at)
    }
  return of
}

/** Of every two concepts the least number of words between them, as a share. */
function pairsOf(words: Uint32Array, of: ReadonlyMap<number, number>): Map<number, number> {
  const last = new Map<number, number>()
  const pairs = new Map<number, number>()
  for (let at = 0; at < words.length; at++) {
    const concept = of.get(words[at]!)
    if (concept === undefined) continue
    for (const [other, where] of last) {
      if (other === concept || at - where > WINDOW) continue
      const pair = Math.min(concept, other) * MOST_CONCEPTS + Math.max(concept, other)
      pairs.set(pair, Math.max(pairs.get(pair) ?? 0, 1 / (at - where)))
    }
    last.set(concept, at)
  }
  return pairs
}

/** How many of the phrases stand in a leaf, as a share; 0 where none were asked for. */
export function phraseShare({ stack, leaf }: Spot, phrases: readonly number[][]): number {
  if (!phrases.length) return 0
  const { shelf } = stack
  const read = shelf.read(leaf).filter((number) => !STOP_TERMS.has(shelf.terms[number]!))
  const held = phrases.filter((phrase) => {
    const numbers = phrase.map((term) => shelf.find(term))
    return read.some((_, at) => numbers.every((number, on) => read[at + on] === number))
  })
  return held.length / phrases.length
}
