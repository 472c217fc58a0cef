import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = join(import.meta.dir, '../../bench/search/similar.jsonl')
/** Non-pairs of tasks about different subjects, per half; the others share their subject. */
const RANDOM = 200

export interface TaskText {
  title: string
  text: string
}

/** Two tasks that mean the same, in different words. */
interface RewordedPair {
  subject: string
  first: TaskText
  second: TaskText
}

export interface SimilarityCases {
  texts: TaskText[]
  pairs: [TaskText, TaskText][]
  /** Four of five are about the same subject. */
  others: [TaskText, TaskText][]
}

/** The cases of every second subject. The even half is for measuring only. */
export function similarityCases(half: 'odd' | 'even'): SimilarityCases {
  const lines = readFileSync(FILE, 'utf8').trim().split('\n')
  const bySubject = Map.groupBy(
    lines.map((line) => JSON.parse(line) as RewordedPair),
    ({ subject }) => subject,
  )
  const groups = [...bySubject.values()].filter((_, at) => (at % 2 === 0) === (half === 'odd'))
  const all = groups.flat()
  const others = groups.flatMap((group) => group.flatMap((one, at) => crossed(one, group, at + 1)))
  const random = Array.from({ length: RANDOM }, (_, at): [TaskText, TaskText] => [
    all[at % all.length]!.first,
    all[(at * 7 + 13 + Math.floor(at / all.length) * 31) % all.length]!.second,
  ]).filter(([first, second]) => !all.some((one) => one.first === first && one.second === second))
  return {
    texts: all.flatMap(({ first, second }) => [first, second]),
    pairs: all.map(({ first, second }) => [first, second]),
    others: [...others, ...random],
  }
}

/** All combinations of a pair's tasks with those of later pairs. */
const crossed = (
  { first, second }: RewordedPair,
  group: readonly RewordedPair[],
  start: number,
): [TaskText, TaskText][] =>
  group.slice(start).flatMap((other): [TaskText, TaskText][] => [
    [first, other.first],
    [first, other.second],
    [second, other.first],
    [second, other.second],
  ])
