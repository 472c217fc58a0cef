import type { Change } from './change-stream.ts'
import { dependenciesOf } from './operation-table.ts'

interface Ids {
  task_id?: unknown
  page_id?: unknown
}

export interface Query {
  queryKey: readonly unknown[]
  state: { data: unknown }
}

export const isList = ({ queryKey: [name] }: Query) => dependenciesOf(String(name)).startsWith('+')

/** Whether a change makes the response of a query stale. */
export const isStale = (query: Query, change: Change): boolean =>
  dependenciesOf(String(query.queryKey[0]))
    .replace('+', '')
    .split(' ')
    .some((dependency) => {
      if (!dependency) return false
      const [kind, subject] = dependency.split('@') as [string, string?]
      return isOfKind(change.type, kind) && (!subject || isAbout(subject, query, change))
    })

/** A kind is a type or a noun. A noun does not include transcripts: see `ChangeKind`. */
const isOfKind = (type: string, kind: string) =>
  type === kind || (type.startsWith(kind && `${kind}.`) && type !== 'run.transcript')

function isAbout(subject: string, { queryKey, state }: Query, { data }: Change): boolean {
  const [, input] = queryKey as [string, Ids | undefined]
  const answer = state.data as Ids | undefined
  const key = subject === 'page' ? 'page_id' : 'task_id'
  const ids = [input?.[key], answer?.[key]].filter((id) => typeof id === 'number')
  if (subject === 'subtasks') return ids.some((id) => parentIdsIn(data).includes(id))
  const changedId = data[key]
  if (changedId === undefined) return false
  // A query without an id, for example one by ticket number, may be about any task.
  if (!ids.length || ids.includes(changedId)) return true
  return subject === 'tasks' && mentionsTask(answer, changedId)
}

const parentIdsIn = ({ parent_task_id, before, after }: Change['data']) => [
  ...[parent_task_id, before?.parent_task_id, after?.parent_task_id],
]

const mentionsTask = (answer: unknown, task_id: number) =>
  new RegExp(`_id":${task_id}\\b`).test(JSON.stringify(answer) ?? '')
