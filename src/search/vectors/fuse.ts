export interface Ranked {
  id: number
  score: number
}

/** How little the first places count more than the next ones; what most who fuse rankings take. */
const K = 60

/**
 * Several rankings as one, by their places alone: what they say of words and of meaning cannot be
 * compared. What leads all of them has the score 1.
 */
export function fuse(rankings: readonly (readonly { id: number }[])[]): Ranked[] {
  const scores = new Map<number, number>()
  for (const ranking of rankings)
    for (const [place, { id }] of ranking.entries())
      scores.set(id, (scores.get(id) ?? 0) + (K + 1) / (K + 1 + place) / rankings.length)
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .sort((a, b) => b.score - a.score || a.id - b.id)
}
