import { isPlain, tokensOf } from '../words/words.ts'
import type { Query, Term } from './query.ts'
import { placesOf, termsOf } from './snippet.ts'

/** Scores of a term in the title: a whole word, or a prefix of one. */
const WHOLE = 1
const PREFIX = 0.8
/** Scores of a term outside the title: part of a matching phrase, or a separate word. */
const CONSECUTIVE = 0.35
const ELSEWHERE = 0.2
/** Bonus for a title that consists of matching words only. */
const COVERAGE_BONUS = 0.15
const TICKET_MATCH = 10

/** What is known of a task that matches. */
export interface Match {
  title: string
  /** The query is its key. */
  isNamed: boolean
  /** The words of the query are consecutive somewhere in its texts. */
  isConsecutive: boolean
}

/**
 * Scores a task by its title and its entry in the text index, independently of other tasks, so that
 * cursors stay valid while others write. Descriptions are not read.
 */
export function scorer(query: Query): (match: Match) => number {
  const { words } = query
  const terms = termsOf(query)
  const stubs = terms.map(stubOf)
  return ({ title, isNamed, isConsecutive }) => {
    if (isNamed) return TICKET_MATCH
    if (!words.length) return 0
    const elsewhere = isConsecutive ? CONSECUTIVE : ELSEWHERE
    return mayMatch(title, stubs) ? scoreOf(words, terms, title, elsewhere) : elsewhere
  }
}

/** A substring of every ASCII title that contains the term, whatever the ending of the word. */
const stubOf = ({ words: [first = ''] }: Term) => (first.endsWith('i') ? first.slice(0, -1) : first)

/** A quick check that saves splitting most titles into words. */
function mayMatch(title: string, stubs: readonly string[]): boolean {
  if (!isPlain(title)) return true
  const lowered = title.toLowerCase()
  return stubs.some((stub) => lowered.includes(stub))
}

function scoreOf(
  words: Query['words'],
  terms: readonly Term[],
  title: string,
  elsewhere: number,
): number {
  const tokens = tokensOf(title)
  const best = new Map<Term, number>()
  const covered = new Set<number>()
  for (const [first, last, term] of placesOf(tokens, terms)) {
    const isWhole = tokens[last]!.word === term.words.at(-1)
    best.set(term, Math.max(best.get(term) ?? 0, isWhole ? WHOLE : PREFIX))
    for (let at = first; at <= last; at++) covered.add(at)
  }
  const sum = words
    .map((alternatives) => Math.max(...alternatives.map((term) => best.get(term) ?? elsewhere)))
    .reduce((total, score) => total + score, 0)
  const share = tokens.length ? covered.size / tokens.length : 0
  return Math.round((sum / words.length + COVERAGE_BONUS * share) * 1000) / 1000
}
