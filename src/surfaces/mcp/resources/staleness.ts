import type { Dependency } from '../../../kernel/changes.ts'
import type { Subject } from './kinds.ts'

/** A change as live streams send it. */
export interface LiveChange {
  type: string
  project_id: number | null
  data: Record<string, unknown>
}

/** Whether a change makes a resource stale, by the dependencies of the operations that read it. */
export const isStale = (
  subject: Subject,
  dependencies: readonly Dependency[],
  change: LiveChange,
): boolean => dependencies.some((dependency) => matches(subject, dependency, change))

function matches(subject: Subject, dependency: Dependency, change: LiveChange): boolean {
  if (typeof dependency === 'string')
    return isOfKind(change.type, dependency) && isOnBoard(subject, change)
  const { about, changes } = dependency
  if (changes && !changes.some((kind) => isOfKind(change.type, kind))) return false
  const field = about === 'page' ? 'page_id' : 'task_id'
  return subject[field] !== undefined && change.data[field] === subject[field]
}

/** A kind is a type or a noun. A noun does not include transcripts: see `ChangeKind`. */
const isOfKind = (type: string, kind: string) =>
  type === kind || (type.startsWith(`${kind}.`) && type !== 'run.transcript')

/** Changes without a board, such as a person's new name, may concern every board. */
const isOnBoard = ({ project_id }: Subject, change: LiveChange) =>
  change.project_id === null || project_id === undefined || change.project_id === project_id
