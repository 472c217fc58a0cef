import { expand } from './feedback.ts'
import { Floor, type Spot, type Stack } from './floor.ts'
import { nearness, phraseShare } from './nearness.ts'
import { bodyOf, goesOn } from './overlap.ts'
import { wantedOf } from './wanted.ts'
import { Scores } from './weighing.ts'

export type { Stack } from './floor.ts'

export interface Asked {
  /** A question, or a text to find others like it. */
  text: string
  limit: number
}

export interface Reader {
  stacks: readonly Stack[]
  /** Spellings near a word that nothing holds, the nearest first. */
  near(word: string): readonly string[]
}

export interface Hit {
  id: number
  score: number
}

export interface Tuning {
  k1: number
  title: number
  headings: number
  titleB: number
  bodyB: number
  synonym: number
  repaired: number
  joined: number
  company: number
  companyWords: number
  rarity: number
  shortest: number
  /** Share of what the rest of its text is worth. */
  source: number
  /** For what holds more of what is asked. */
  coverage: number
  feedbackLeaves: number
  feedbackTerms: number
  feedback: number
  nearness: number
  /** For what holds the phrases that were asked for. */
  phrase: number
}

export const TUNED: Tuning = {
  k1: 1,
  title: 2,
  headings: 2,
  titleB: 0.4,
  bodyB: 0.75,
  synonym: 0.5,
  repaired: 0.8,
  joined: 0.5,
  company: 0.15,
  companyWords: 3,
  rarity: 0.65,
  shortest: 0.3,
  source: 0.8,
  coverage: 0.25,
  feedbackLeaves: 5,
  feedbackTerms: 25,
  feedback: 0.12,
  nearness: 0.35,
  phrase: 1,
}

/** How many are looked at closely, and where words must stand in a row. */
const CLOSE = 200
const CLOSE_FOR_PHRASES = 2000

/** The leaves that answer a question, the best first. */
export function rank(asked: Asked, reader: Reader, tuning: Tuning = TUNED): Hit[] {
  const floor = new Floor(reader.stacks)
  const wanted = wantedOf(asked.text, floor, (word) => reader.near(word), tuning)
  if (!wanted.concepts.length) return []
  const scores = new Scores(floor, tuning)
  for (const concept of wanted.concepts) scores.ask(concept)
  const best = scores.best(tuning.feedbackLeaves)
  for (const concept of expand(best, wanted, floor, tuning)) scores.suggest(concept)
  const nearnessOf = nearness(wanted.concepts, floor)
  const most = wanted.phrases.length ? CLOSE_FOR_PHRASES : CLOSE
  const close = scores.best(Math.max(most, asked.limit)).map(({ place, score }): Close => {
    const spot = floor.spot(place)
    const both = score + tuning.nearness * nearnessOf(spot)
    const share = phraseShare(spot, wanted.phrases)
    return { spot, score: both * (1 + tuning.phrase * share) }
  })
  close.sort((a, b) => b.score - a.score || idOf(a.spot) - idOf(b.spot))
  return apart(close, asked.limit).map(({ spot, score }) => ({ id: idOf(spot), score }))
}

interface Close {
  spot: Spot
  score: number
}

const idOf = ({ stack, leaf }: Spot) => stack.shelf.column('id')[leaf]!

/** Without those that begin where a better one of the same text ends, or the other way about. */
function apart(close: readonly Close[], limit: number): Close[] {
  const kept: Close[] = []
  const bySource = new Map<number, Uint32Array[]>()
  for (const one of close) {
    if (kept.length === limit) break
    const { stack, leaf } = one.spot
    const source = stack.shelf.column('source')[leaf]!
    const others = bySource.get(source) ?? []
    const body = bodyOf(stack.shelf, leaf)
    if (others.some((other) => goesOn(other, body) || goesOn(body, other))) continue
    kept.push(one)
    bySource.set(source, [...others, body])
  }
  return kept
}
