import type { PassageQuery } from '../../kernel/services.ts'
import { numberOf, type Source } from './sources.ts'

/** A filter for the texts that may answer a question; undefined if all may. */
export function sourceFilter(question: PassageQuery): ((source: Source) => boolean) | undefined {
  const { kinds, tasks, authors, since, beside } = question
  const isAny = !kinds && !tasks && !authors && !since && beside === undefined
  if (isAny) return undefined
  const ofKinds = kinds && new Set<number>(kinds.map(numberOf))
  const ofTasks = tasks && new Set(tasks)
  const ofAuthors = authors && new Set(authors)
  const from = since?.getTime() ?? Number.NEGATIVE_INFINITY
  return ({ kind, task, author, written_at }) =>
    (!ofKinds || ofKinds.has(kind)) &&
    (!ofTasks || ofTasks.has(task)) &&
    (!ofAuthors || ofAuthors.has(author)) &&
    written_at >= from &&
    task !== beside
}
