import { useLocation, useSearchParams } from 'wouter'
import { type Card, currentBoard } from '../../entities/board/data.ts'
import { cachedTask } from '../../entities/task/data.ts'
import { selectedTasks } from '../../entities/task/selected-tasks.ts'
import { type ActorKey, keyOf } from '../../entities/user/actor.ts'
import { countName } from './change-tasks.ts'

/** The tasks that a command of the palette changes, and what all of them have. */
export interface Targets {
  project_id: number
  task_ids: readonly number[]
  /** The key of the task, or their number. */
  name: string
  assignees: readonly ActorKey[]
  labels: readonly number[]
}

/** The open task; otherwise the selected cards or the active card of the board. */
export function useTargets(): Targets | undefined {
  const [path] = useLocation()
  const [query] = useSearchParams()
  const ticket = query.get('task') ?? /^\/t\/([^/]+)/.exec(path)?.[1]
  return ticket ? targetOf(decodeURIComponent(ticket)) : targetsOfSelection()
}

function targetOf(ticket: string): Targets | undefined {
  const task = cachedTask(ticket)
  if (!task || task.status === 'Deleted') return undefined
  const { project_id, task_id, ticket_number: name } = task
  return {
    ...{ project_id, task_ids: [task_id], name },
    assignees: task.assignees.map(keyOf),
    labels: task.labels.map(({ label_id }) => label_id),
  }
}

function targetsOfSelection(): Targets | undefined {
  const selection = selectedTasks()
  if (!selection) return undefined
  const { project_id, task_ids } = selection
  const ids = new Set(task_ids)
  const cards = currentBoard(project_id)?.cards.filter(({ task_id }) => ids.has(task_id)) ?? []
  if (!cards.length) return undefined
  return {
    ...{ project_id, task_ids: cards.map(({ task_id }) => task_id) },
    name: cards.length === 1 ? cards[0]!.ticket_number : countName(cards.length),
    assignees: common(cards, ({ assignees }) => assignees),
    labels: common(cards, ({ labels }) => labels),
  }
}

/** The values that all cards have. */
const common = <V>(cards: readonly Card[], valuesOf: (card: Card) => readonly V[] | undefined) =>
  (valuesOf(cards[0]!) ?? []).filter((value) =>
    cards.every((card) => valuesOf(card)?.includes(value)),
  )
