import { distance } from 'fastest-levenshtein'
import { companyOf } from './company.ts'
import type { Concept, Weighted } from './concept.ts'
import type { Floor } from './floor.ts'
import { STOPS } from './stops.ts'
import { synonymsOf } from './synonyms.ts'
import { hashOf, readWords, telling, type Word } from './terms.ts'

export interface Wanted {
  concepts: Concept[]
  /** Terms that must stand one after the other. */
  phrases: number[][]
}

export interface Wanting {
  /** Of a synonym, where its word weighs 1. */
  synonym: number
  /** Of a word that was meant by a misspelt one. */
  repaired: number
  /** Of the word that two make together. */
  joined: number
  /** Of words that stand where it stands, and how many of them. */
  company: number
  companyWords: number
}

/** What is read of a question, and how many of its words are looked for. */
const MOST_READ = 10_000
const MOST_CONCEPTS = 32
const MOST_PHRASES = 5
const MOST_JOINED = 40
const LEAST_JOINED = 5
const MOST_REPAIRED = 8
/** Letters: shorter words are near to too many others, and longer ones may have two slips. */
const SHORT = 4
const LONG = 8

export function wantedOf(
  text: string,
  floor: Floor,
  near: (word: string) => readonly string[],
  tuning: Wanting,
): Wanted {
  const words = telling(readWords(text, MOST_READ))
  const chosen = salient(words, floor)
  const joins = joinsOf(words, floor)
  let repairs = 0
  const concepts = chosen.map(({ word, weight }): Concept => {
    const term = hashOf(word.stem)
    const isMissing = floor.spread(term) === 0 && repairs++ < MOST_REPAIRED
    const terms = [
      { term, weight: 1 },
      ...(isMissing ? repaired(word.word, floor, near, tuning.repaired) : []),
      ...(joins.get(word.stem) ?? []).map((join) => ({ term: join, weight: tuning.joined })),
      ...[...synonymsOf(word.stem)].map((stem) => ({ term: hashOf(stem), weight: tuning.synonym })),
      ...companyOf(term, floor, tuning),
    ]
    return { terms: terms.filter((one) => floor.spread(one.term) > 0), weight }
  })
  return { concepts: concepts.filter(({ terms }) => terms.length), phrases: phrasesOf(text) }
}

/** Of the words those that tell most here, each with how often it was said. */
function salient(words: readonly Word[], floor: Floor): { word: Word; weight: number }[] {
  const counts = new Map<string, { word: Word; count: number }>()
  for (const word of words) {
    const before = counts.get(word.stem)
    if (before) before.count++
    else counts.set(word.stem, { word, count: 1 })
  }
  const weighed = [...counts.values()].map(({ word, count }) => ({
    word,
    weight: Math.sqrt(count),
  }))
  if (weighed.length <= MOST_CONCEPTS) return weighed
  const rank = ({ word, weight }: { word: Word; weight: number }) =>
    floor.spread(hashOf(word.stem)) ? weight * floor.rarity(hashOf(word.stem)) : 0
  return weighed
    .map((one) => ({ one, rank: rank(one) }))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, MOST_CONCEPTS)
    .map(({ one }) => one)
}

/** What is written as one word here and was asked for as two: for each of them. */
function joinsOf(words: readonly Word[], floor: Floor): Map<string, number[]> {
  const joins = new Map<string, number[]>()
  for (const [at, { word, stem }] of words.slice(0, MOST_JOINED).entries()) {
    const next = words[at + 1]
    if (!next || word.length + next.word.length < LEAST_JOINED) continue
    const join = hashOf(readWords(word + next.word)[0]?.stem ?? '')
    if (!floor.spread(join)) continue
    for (const one of [stem, next.stem]) joins.set(one, [...(joins.get(one) ?? []), join])
  }
  return joins
}

/** What was meant by a word that nothing here holds: two words in one, or a slip. */
function repaired(
  word: string,
  floor: Floor,
  near: (word: string) => readonly string[],
  weight: number,
): Weighted[] {
  for (const other of near(word).filter((one) => isSlip(word, one))) {
    const term = hashOf(readWords(other)[0]?.stem ?? '')
    if (floor.spread(term)) return [{ term, weight }]
  }
  for (let at = 3; at <= word.length - 3; at++) {
    const parts = [word.slice(0, at), word.slice(at)].map((part) => readWords(part)[0]?.stem ?? '')
    const terms = parts.map(hashOf)
    if (terms.every((term) => floor.spread(term))) return terms.map((term) => ({ term, weight }))
  }
  return []
}

/** One letter wrong, missing, too much or at its neighbour's place; in a long word two. */
function isSlip(word: string, other: string): boolean {
  const most = word.length >= SHORT ? (word.length >= LONG ? 2 : 1) : 0
  const away = distance(word, other)
  if (away <= most) return true
  const at = [...word].findIndex((letter, on) => letter !== other[on])
  const swapped = word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
  return most > 0 && swapped === other
}

function phrasesOf(text: string): number[][] {
  return [...text.slice(0, MOST_READ).matchAll(/"([^"]{2,200})"/g)]
    .slice(0, MOST_PHRASES)
    .map(([, phrase = '']) => readWords(phrase).filter(({ word }) => !STOPS.has(word)))
    .filter((words) => words.length > 1)
    .map((words) => words.map(({ stem }) => hashOf(stem)))
}
