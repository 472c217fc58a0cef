import type { Board } from './fixture.ts'
import { seededRandom } from './random.ts'

interface TaskInput {
  title: string
  priority: number
  description?: string
  labels?: number[]
  assignee_ids?: number[]
}

const random = seededRandom(7)
const TITLES = Array.from({ length: 500 }, () => random.words(5))
const TEXTS = Array.from({ length: 50 }, () => `<p>${random.words(40)}</p>`)

/** The input of the nth created task. If people are given, it has text, labels and an assignee. */
export function taskInputAt(
  { labels }: Board,
  nth: number,
  people: readonly number[] = [],
): TaskInput {
  const plain = { title: TITLES[nth % TITLES.length]!, priority: nth % 5 }
  if (!people.length) return plain
  return {
    ...plain,
    description: TEXTS[nth % TEXTS.length]!,
    labels: [labels[nth % labels.length]!, labels[(nth + 1) % labels.length]!],
    assignee_ids: [people[nth % people.length]!],
  }
}
