import { everydaySynonymsOf } from '../words/everyday-synonyms.ts'
import { STOPS } from '../words/stop-words.ts'
import { synonymsOf } from '../words/synonyms.ts'
import { readWords, type Word } from '../words/terms.ts'

/** Weight of a word in its collection: the rarer, the higher. */
export type WordWeight = (stem: string) => number

/** A text as it is compared with others: its distinct stems by field, with their weights. */
export interface TextProfile {
  title: Map<string, number>
  /** Stems of the title and of the beginning of the text. */
  all: Map<string, number>
  /** Adjacent words, by the stem of the word that they make together. */
  compounds: Map<string, readonly [string, string]>
}

/** Words of a text that are compared; its subject is clear by then. */
const MAX_WORDS = 150
const TITLE = 2
/** Exponent of the weight of a word. */
const RARITY = 2.5
/** Weight of the titles alone, beside that of the whole texts. */
const TITLES_ALONE = 0.2
const SYNONYM = 0.6
const COMPOUND = 0.9
/** Words that many tasks share, whatever they are about. */
const GENERIC = 0.2
const GENERIC_STEMS = new Set(
  readWords(
    `add allow make create fix bug issue problem error update change improve support implement new
    when use get set need should please wrong broken fail work show missing button page screen user`,
  ).map(({ stem }) => stem),
)

export function profileOf(title: string, text: string, weightOf: WordWeight): TextProfile {
  const titleWords = readWords(title, MAX_WORDS)
  const textWords = readWords(text, MAX_WORDS)
  const inTitle = new Map<string, number>()
  const all = new Map<string, number>()
  const weigh = (stem: string) => weightOf(stem) ** RARITY * (GENERIC_STEMS.has(stem) ? GENERIC : 1)
  for (const { stem } of significant(titleWords)) inTitle.set(stem, weigh(stem))
  for (const { stem } of significant(textWords)) all.set(stem, weigh(stem))
  for (const [stem, weight] of inTitle) all.set(stem, weight * TITLE)
  return { title: inTitle, all, compounds: compoundsOf([titleWords, textWords]) }
}

const significant = (words: readonly Word[]) => words.filter(({ word }) => !STOPS.has(word))

function compoundsOf(fields: readonly (readonly Word[])[]): TextProfile['compounds'] {
  const compounds = new Map<string, readonly [string, string]>()
  for (const words of fields)
    for (const [at, { word, stem }] of words.entries()) {
      const next = words[at + 1]
      if (next) compounds.set(readWords(word + next.word)[0]?.stem ?? '', [stem, next.stem])
    }
  return compounds
}

/** How alike two texts are, from 0 to 1. Equal texts score 1, and the order does not matter. */
export function similarity(a: TextProfile, b: TextProfile): number {
  const titles = balanced(coverage(a, b, 'title', 'title'), coverage(b, a, 'title', 'title'))
  const texts = balanced(coverage(a, b, 'all', 'all'), coverage(b, a, 'all', 'all'))
  return calibrated(TITLES_ALONE * titles + (1 - TITLES_ALONE) * texts)
}

const balanced = (forth: number, back: number) => Math.sqrt(forth * back)

/** Maps the score above which almost all texts mean the same to 0.6. */
const THRESHOLD = 0.35
const EXPONENT = Math.log(0.6) / Math.log(THRESHOLD)
const calibrated = (score: number) => Math.min(1, score ** EXPONENT)

/** The share of the words of a text that another one has. */
function coverage(
  from: TextProfile,
  to: TextProfile,
  field: 'title' | 'all',
  otherField: 'title' | 'all',
): number {
  let total = 0
  let matched = 0
  const split = partsOf(from, to[otherField])
  for (const [stem, weight] of from[field]) {
    total += weight
    matched += weight * matchOf(stem, to, otherField, split)
  }
  return total ? matched / total : 0
}

/** Words of a text that another one writes together with their neighbour. */
function partsOf(from: TextProfile, to: ReadonlyMap<string, number>): Set<string> {
  const parts = new Set<string>()
  for (const [compound, pair] of from.compounds)
    if (to.has(compound)) for (const part of pair) parts.add(part)
  return parts
}

function matchOf(
  stem: string,
  to: TextProfile,
  field: 'title' | 'all',
  split: ReadonlySet<string>,
): number {
  const words = to[field]
  if (words.has(stem)) return 1
  if (split.has(stem)) return COMPOUND
  if (to.compounds.has(stem)) return COMPOUND
  return isSynonymIn(stem, words) ? SYNONYM : 0
}

/** A stem and its synonyms, with how much each of them counts as a match. */
export function hasInCommon(stem: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const synonyms of [synonymsOf(stem), everydaySynonymsOf(stem)])
    for (const other of synonyms) found.set(other, SYNONYM)
  return found.set(stem, 1)
}

function isSynonymIn(stem: string, words: ReadonlyMap<string, number>): boolean {
  for (const other of synonymsOf(stem)) if (words.has(other)) return true
  for (const other of everydaySynonymsOf(stem)) if (words.has(other)) return true
  return false
}
