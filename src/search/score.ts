import type { Query, Term } from './query.ts'
import { placesOf, termsOf } from './snippet.ts'
import { isPlain, tokensOf } from './words.ts'

/** In the title; as the beginning of a word of it; only elsewhere. */
const WHOLE = 1
const BEGUN = 0.8
const ELSEWHERE = 0.2
/** For a title that consists of nothing else. */
const ALONE = 0.15
const NAMED = 10

/**
 * Tells how well a task fits, by its title: what the other tasks are has no part in it, so that a
 * place in the list stays the same place while others write.
 */
export function scorer(query: Query): (title: string, isNamed: boolean) => number {
  const { words } = query
  const terms = termsOf(query)
  const stubs = terms.map(stubOf)
  return (title, isNamed) => {
    if (isNamed) return NAMED
    if (!words.length) return 0
    return mayHold(title, stubs) ? scoreOf(words, terms, title) : ELSEWHERE
  }
}

/** What stands in every ASCII title that holds the term, however the word ends there. */
const stubOf = ({ words: [first = ''] }: Term) => (first.endsWith('i') ? first.slice(0, -1) : first)

/** Most titles hold none of the words, and need not be taken apart. */
function mayHold(title: string, stubs: readonly string[]): boolean {
  if (!isPlain(title)) return true
  const read = title.toLowerCase()
  return stubs.some((stub) => read.includes(stub))
}

function scoreOf(words: Query['words'], terms: readonly Term[], title: string): number {
  const tokens = tokensOf(title)
  const best = new Map<Term, number>()
  const held = new Set<number>()
  for (const [first, last, term] of placesOf(tokens, terms)) {
    const isWhole = tokens[last]!.word === term.words.at(-1)
    best.set(term, Math.max(best.get(term) ?? 0, isWhole ? WHOLE : BEGUN))
    for (let at = first; at <= last; at++) held.add(at)
  }
  const sum = words
    .map((any) => Math.max(...any.map((term) => best.get(term) ?? ELSEWHERE)))
    .reduce((all, one) => all + one, 0)
  const share = tokens.length ? held.size / tokens.length : 0
  return Math.round((sum / words.length + ALONE * share) * 1000) / 1000
}
