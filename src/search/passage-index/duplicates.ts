import { setImmediate } from 'node:timers/promises'
import type { SimilarPair } from '../../kernel/services.ts'
import { hasInCommon, similarity, type TextProfile } from '../ranking/similarity.ts'

/** Tasks that each task is compared with: those with which it has the most in common. */
const MAX_COMPARED = 20
const SLICE_MS = 8

/** All pairs of tasks with at least that score, best first, in time slices. */
export async function similarPairs(
  tasks: readonly number[],
  profileOfTask: (task_id: number) => TextProfile | undefined,
  minScore: number,
): Promise<SimilarPair[]> {
  const pairs: SimilarPair[] = []
  const profiles = new Map<number, TextProfile>()
  const tasksByStem = new Map<string, number[]>()
  let sliceEnd = performance.now() + SLICE_MS
  for (const task_id of tasks) {
    const profile = profileOfTask(task_id)
    if (!profile) continue
    for (const similar_id of nearest(profile, tasksByStem)) {
      const score = similarity(profile, profiles.get(similar_id)!)
      if (score >= minScore) pairs.push({ task_id, similar_id, score })
    }
    profiles.set(task_id, profile)
    for (const stem of profile.all.keys()) {
      const list = tasksByStem.get(stem)
      if (list) list.push(task_id)
      else tasksByStem.set(stem, [task_id])
    }
    if (performance.now() < sliceEnd) continue
    await setImmediate()
    sliceEnd = performance.now() + SLICE_MS
  }
  return pairs.sort(
    (a, b) => b.score - a.score || b.task_id - a.task_id || b.similar_id - a.similar_id,
  )
}

function nearest(profile: TextProfile, tasksByStem: ReadonlyMap<string, number[]>): number[] {
  const inCommon = new Map<number, number>()
  for (const [stem, weight] of profile.all)
    for (const [other, share] of hasInCommon(stem))
      for (const task_id of tasksByStem.get(other) ?? [])
        inCommon.set(task_id, (inCommon.get(task_id) ?? 0) + weight * share)
  return [...inCommon]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_COMPARED)
    .map(([task_id]) => task_id)
}
