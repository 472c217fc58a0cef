import { generateKeyBetween } from 'fractional-indexing'
import { useState } from 'react'
import { readDraft } from '../../data/browser-storage.ts'
import { useOperationMutation } from '../../data/cache.ts'
import type { Input } from '../../data/client.ts'
import { useDraft } from '../../data/drafts.ts'
import {
  type Card,
  type Column,
  currentBoard,
  patchCards,
  upsertCards,
} from '../../entities/board/data.ts'
import { SimilarTitle } from '../../entities/task/similar-title.tsx'
import { isComposing } from '../../kit/composing.ts'
import { errorText } from '../../kit/errors.ts'
import { Form } from '../../kit/form.tsx'
import { useRestoreFocus } from '../../kit/restore-focus.ts'
import { showErrorToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'

/** Initial values for a new task, so that it matches the active filter. */
export type NewTaskDefaults = Pick<
  Input<'tasks.create'>,
  'labels' | 'assignee_ids' | 'priority' | 'estimate' | 'parent_task_id' | 'due_date' | 'start_date'
>

interface Props {
  project_id: number
  column: Pick<Column, 'section_id' | 'title'>
  newTaskDefaults: NewTaskDefaults
  /** A name for the place, if it is not just a column. */
  placeName?: string
  onCreated?(task_id: number): void
  onAdded(): void
  onClose(): void
  /** The server refused a task; its title is in the field again. */
  onRefused(): void
}

/** A field for new tasks: Enter creates one, and the field stays open. */
export function QuickAdd({
  project_id,
  column,
  newTaskDefaults,
  onAdded,
  onClose,
  onRefused,
  ...rest
}: Props) {
  const { section_id } = column
  const { placeName = `in ${column.title}`, onCreated } = rest
  const draft = useDraft(`new-task:${section_id}`)
  const [title, setTitle] = useState(draft.stored?.text ?? '')
  const updateTitle = (next: string) => {
    draft.save(next)
    setTitle(next)
  }
  const restoreFocus = useRestoreFocus()
  const createTask = useCreateTask(project_id, onCreated, (refusedTitle) => {
    // The refused title goes back into the draft, before anything typed since, even if the field is
    // closed.
    draft.reload()
    updateTitle([refusedTitle, readDraft(draft.name)?.text].filter(Boolean).join(' '))
    draft.reload()
    onRefused()
  })
  return (
    <Form
      className="quick-add"
      onSubmit={() => {
        if (!title.trim()) return
        createTask({ project_id, title: title.trim(), section_id, ...newTaskDefaults })
        updateTitle('')
        requestAnimationFrame(onAdded)
      }}
    >
      <input
        className="field"
        dir="auto"
        aria-label={t('board.new_task_place', { place: placeName })}
        placeholder={t('board.what_needs_to_be_done')}
        maxLength={500}
        // biome-ignore lint/a11y/noAutofocus: the user opened this field to type
        autoFocus
        value={title}
        onChange={(event) => updateTitle(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || isComposing(event)) return
          onClose()
          restoreFocus()
        }}
        onBlur={() => !title.trim() && onClose()}
      />
      <SimilarTitle project_id={project_id} title={title} />
    </Form>
  )
}

/** A task has a negative id until the server has created it. */
let nextPlaceholderId = -1
const placeholderIds = new WeakMap<object, number>()

/** A task to open as soon as the server has created it. */
let openWhenCreated: { placeholderId: number; open(ticket_number: string): void } | undefined
export const setOpenWhenCreated = (next: typeof openWhenCreated) => {
  openWhenCreated = next
}

/**
 * Creates a task: shows it at the end of its column at once, and adds its ticket number when the
 * server has created it.
 */
function useCreateTask(
  project_id: number,
  onCreated: ((task_id: number) => void) | undefined,
  onRefused: (title: string) => void,
) {
  const { mutate } = useOperationMutation('tasks.create', {
    // Tasks are created in order, so that the next one goes below this one.
    line: `tasks of ${project_id}`,
    optimistic(input) {
      const placeholderId = nextPlaceholderId--
      placeholderIds.set(input, placeholderId)
      upsertCards(project_id, [placeholderCard(project_id, placeholderId, input)])
      return () => patchCards(project_id, new Set([placeholderId]), () => undefined)
    },
    onDone({ task_id, ticket_number }, input) {
      const placeholderId = placeholderIds.get(input)!
      const isLoaded = currentBoard(project_id)?.cards.some((card) => card.task_id === task_id)
      patchCards(project_id, new Set([placeholderId]), (card) =>
        isLoaded ? undefined : { ...card, task_id, ticket_number },
      )
      onCreated?.(task_id)
      if (openWhenCreated?.placeholderId === placeholderId) {
        openWhenCreated.open(ticket_number)
        openWhenCreated = undefined
      }
    },
    onFailed(error, { title }) {
      onRefused(title)
      showErrorToast(t('board.title_was_not_added_error', { title, error: errorText(error) }))
    },
  })
  return mutate
}

function placeholderCard(project_id: number, task_id: number, input: Input<'tasks.create'>): Card {
  const { title, section_id = 0, priority, estimate, labels, assignee_ids } = input
  const { parent_task_id, due_date, start_date } = input
  const last = currentBoard(project_id)?.cards.findLast((card) => card.section_id === section_id)
  return {
    ...{ task_id, title, section_id, ticket_number: '…' },
    rank: generateKeyBetween(last?.rank ?? null, null),
    ...(typeof priority === 'number' && { priority }),
    ...(typeof estimate === 'number' && { estimate }),
    ...(labels && { labels: labels as number[] }),
    ...(assignee_ids && { assignees: assignee_ids }),
    ...(parent_task_id && { parent_task_id }),
    ...(due_date && { due_date }),
    ...(start_date && { start_date }),
  }
}
