import { typosBetween } from '../words/typos.ts'

/** How well a typed word matches a word of a title. */
const WHOLE_WORD = 1
const BEGINNING = 0.7
const BEGINNING_SHARE = 0.2
const TYPO = 0.5
const BEGINNING_WITH_TYPO = 0.35
const PER_TYPO = 0.1
/** Shorter words are not corrected. */
const MIN_TYPO_LENGTH = 3

/** The parts of a score; together they are 1. */
const WEIGHTS = { words: 0.6, firstWord: 0.12, inOrder: 0.08, coverage: 0.2 }

/**
 * How well a title matches typed words, from 0 to 1; undefined unless every typed word matches. It
 * depends on nothing but the title, so titles of other boards cannot change an order.
 */
export function titleScore(typed: readonly string[], title: readonly string[]): number | undefined {
  if (!typed.length) return undefined
  let quality = 0
  let typedLength = 0
  let inOrder = 0
  let before = -1
  let first = title.length
  for (const word of typed) {
    const match = bestMatch(word, title, before)
    if (!match) return undefined
    quality += match.quality
    typedLength += Math.min(word.length, title[match.at]!.length)
    if (match.at > before) inOrder++
    before = match.at
    first = Math.min(first, match.at)
  }
  const length = title.reduce((sum, word) => sum + word.length, 0)
  return (
    (WEIGHTS.words * quality) / typed.length +
    WEIGHTS.firstWord / (1 + first) +
    (WEIGHTS.inOrder * inOrder) / typed.length +
    WEIGHTS.coverage * Math.min(1, typedLength / length)
  )
}

/** The best match; of equal ones the first after the previous match. Typos are compared last. */
const bestMatch = (word: string, title: readonly string[], before: number) =>
  bestBy(exactQuality, word, title, before) ?? bestBy(typoQuality, word, title, before)

function bestBy(
  qualityOf: typeof matchQuality,
  word: string,
  title: readonly string[],
  before: number,
) {
  let best: { at: number; quality: number } | undefined
  for (let at = 0; at < title.length; at++) {
    const quality = qualityOf(word, title[at]!)
    if (!quality) continue
    const isBetter = !best || quality > best.quality
    const isNext = best && quality === best.quality && best.at <= before && at > before
    if (isBetter || isNext) best = { at, quality }
  }
  return best
}

/** How well a typed word matches another word, whole or as its beginning; 0 if it does not. */
export const matchQuality = (typed: string, word: string): number =>
  exactQuality(typed, word) || typoQuality(typed, word)

function exactQuality(typed: string, word: string): number {
  if (typed === word) return WHOLE_WORD
  if (!word.startsWith(typed)) return 0
  return BEGINNING + (BEGINNING_SHARE * typed.length) / word.length
}

function typoQuality(typed: string, word: string): number {
  if (typed.length < MIN_TYPO_LENGTH || word.length < MIN_TYPO_LENGTH - 1) return 0
  const typos = typosBetween(typed, word)
  if (typos !== undefined) return TYPO - PER_TYPO * (typos - 1)
  return hasTypoInBeginning(typed, word) ? BEGINNING_WITH_TYPO : 0
}

/** A word that is still being typed, with a typo after its first letter. */
function hasTypoInBeginning(typed: string, word: string): boolean {
  if (typed[0] !== word[0] || word.length <= typed.length) return false
  for (const length of [typed.length, typed.length + 1, typed.length - 1])
    if (typosBetween(typed, word.slice(0, length)) === 1) return true
  return false
}
