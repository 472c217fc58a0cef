import { generateKeyBetween } from 'fractional-indexing'
import { useOperationMutation } from '../../../data/cache.ts'
import type { Input } from '../../../data/client.ts'
import { type Card, currentBoard, patchCards, upsertCards } from '../../../entities/board/data.ts'
import { errorText } from '../../../kit/errors.ts'
import { showErrorToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { assignAgent } from '../change.ts'

/** Initial values for a new task, so that it matches the active filter. */
export type NewTaskDefaults = Pick<
  Input<'tasks.create'>,
  | 'labels'
  | 'assignee_ids'
  | 'priority'
  | 'estimate'
  | 'parent_task_id'
  | 'due_date'
  | 'start_date'
  | 'recurrence'
>
type CreateInput = Input<'tasks.create'>

/** What else is done with a new task. */
export interface NewTask {
  /** The typed line, which goes back into the field if the server refuses the task. */
  line: string
  agent_ids?: readonly string[]
  /** Called with the id of the card, and again when the server has created the task. */
  onCard?(task_id: number): void
  onCreated?(task: { task_id: number; ticket_number: string }): void
}

/** A task has a negative id until the server has created it. */
let nextPlaceholderId = -1
const pending = new WeakMap<CreateInput, NewTask & { placeholderId: number }>()

/** A task to open as soon as the server has created it. */
let openWhenCreated: { placeholderId: number; open(ticket_number: string): void } | undefined
export const setOpenWhenCreated = (next: typeof openWhenCreated) => {
  openWhenCreated = next
}

/**
 * Creates a task: shows it at the end of its column at once, and adds its ticket number when the
 * server has created it.
 */
export function useCreateTask(project_id: number, onRefused: (line: string) => void) {
  const { mutateAsync } = useOperationMutation('tasks.create', {
    // Tasks are created in order, so that the next one goes below this one.
    line: `tasks of ${project_id}`,
    optimistic(input) {
      const { placeholderId } = pending.get(input)!
      upsertCards(project_id, [placeholderCard(project_id, placeholderId, input)])
      return () => patchCards(project_id, new Set([placeholderId]), () => undefined)
    },
    onDone(created, input) {
      const { task_id, ticket_number } = created
      const { placeholderId, agent_ids = [], onCard, onCreated } = pending.get(input)!
      const isLoaded = currentBoard(project_id)?.cards.some((card) => card.task_id === task_id)
      patchCards(project_id, new Set([placeholderId]), (card) =>
        isLoaded ? undefined : { ...card, task_id, ticket_number },
      )
      for (const agent_id of agent_ids) assignAgent(project_id, task_id, agent_id)
      onCard?.(task_id)
      onCreated?.(created)
      if (openWhenCreated?.placeholderId === placeholderId) {
        openWhenCreated.open(ticket_number)
        openWhenCreated = undefined
      }
    },
    onFailed(error, input) {
      onRefused(pending.get(input)!.line)
      const { title } = input
      showErrorToast(t('board.title_was_not_added_error', { title, error: errorText(error) }))
    },
  })
  return (input: CreateInput, task: NewTask) => {
    const placeholderId = nextPlaceholderId--
    pending.set(input, { ...task, placeholderId })
    task.onCard?.(placeholderId)
    return mutateAsync(input)
  }
}

function placeholderCard(project_id: number, task_id: number, input: CreateInput): Card {
  const { title, section_id = 0, priority, estimate, labels = [], assignee_ids } = input
  const { parent_task_id, due_date, start_date, recurrence } = input
  const board = currentBoard(project_id)
  const last = board?.cards.findLast((card) => card.section_id === section_id)
  const labelIds = labels.flatMap((label) =>
    typeof label === 'number'
      ? label
      : (board?.labels.find(({ name }) => name === label)?.label_id ?? []),
  )
  return {
    ...{ task_id, title, section_id, ticket_number: '…' },
    rank: generateKeyBetween(last?.rank ?? null, null),
    ...(typeof priority === 'number' && { priority }),
    ...(typeof estimate === 'number' && { estimate }),
    ...(labelIds.length && { labels: labelIds }),
    ...(assignee_ids && { assignees: assignee_ids }),
    ...(parent_task_id && { parent_task_id }),
    ...(due_date && { due_date }),
    ...(start_date && { start_date }),
    ...(recurrence && { recurrence }),
  }
}
