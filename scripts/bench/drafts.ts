import type { Board } from './facts.ts'
import { chance } from './words.ts'

interface Draft {
  title: string
  priority: number
  description?: string
  labels?: number[]
  assignee_ids?: number[]
}

const dice = chance(7)
const TITLES = Array.from({ length: 500 }, () => dice.words(5))
const TEXTS = Array.from({ length: 50 }, () => `<p>${dice.words(40)}</p>`)

/** The task to be created next: a plain one, or one with all that people usually give it. */
export function draftAt({ labels }: Board, at: number, people: readonly number[] = []): Draft {
  const plain = { title: TITLES[at % TITLES.length]!, priority: at % 5 }
  if (!people.length) return plain
  const two = [labels[at % labels.length]!, labels[(at + 1) % labels.length]!]
  return {
    ...plain,
    description: TEXTS[at % TEXTS.length]!,
    labels: two,
    assignee_ids: [people[at % people.length]!],
  }
}
