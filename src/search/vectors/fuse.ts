export interface Ranked {
  id: number
  score: number
}

/** The usual constant of reciprocal rank fusion; larger values flatten the ranks. */
const K = 60

/**
 * Fuses rankings by reciprocal rank, because scores by words and by vectors are not comparable. A
 * passage that is first in all rankings scores 1.
 */
export function fuse(rankings: readonly (readonly { id: number }[])[]): Ranked[] {
  const scores = new Map<number, number>()
  for (const ranking of rankings)
    for (const [index, { id }] of ranking.entries())
      scores.set(id, (scores.get(id) ?? 0) + (K + 1) / (K + 1 + index) / rankings.length)
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
}
