import { generateKeyBetween } from 'fractional-indexing'
import { useState } from 'react'
import { useAct } from '../data/cache.ts'
import { type Input, wordsOf } from '../data/client.ts'
import { useDraft } from '../data/drafts.ts'
import { readDraft } from '../data/kept.ts'
import { complain } from '../frame/toasts.tsx'
import { isComposing } from '../parts/composing.ts'
import { boardNow, type Card, type Column, patchCards, putCards } from './data.ts'
import { useWayBack } from './way-back.ts'

/** So that what is added fits the filter that it is added under. */
export type Usual = Pick<
  Input<'tasks.create'>,
  'labels' | 'assignee_ids' | 'priority' | 'estimate' | 'parent_task_id' | 'due_date'
>

interface Props {
  project_id: number
  column: Pick<Column, 'section_id' | 'title'>
  usual: Usual
  /** Where it is put, where that is more than a column. */
  place?: string
  onMade?(task_id: number): void
  onAdded(): void
  onClose(): void
  /** Something was refused that is in the field again. */
  onLost(): void
}

/** A title and Enter make a task; the field stays for the next one. */
export function QuickAdd({ project_id, column, usual, onAdded, onClose, onLost, ...rest }: Props) {
  const { section_id } = column
  const { place = `in ${column.title}`, onMade } = rest
  const draft = useDraft(`new-task:${section_id}`)
  const [title, setTitle] = useState(draft.found?.text ?? '')
  const put = (next: string) => {
    draft.keep(next)
    setTitle(next)
  }
  const goBack = useWayBack()
  const add = useAdd(project_id, onMade, (lost) => {
    // What was typed is not lost, whatever was typed since, and whether or not the field is there.
    draft.look()
    put([lost, readDraft(draft.name)?.text].filter(Boolean).join(' '))
    draft.look()
    onLost()
  })
  return (
    <form
      className="quick-add"
      onSubmit={(event) => {
        event.preventDefault()
        if (!title.trim()) return
        add({ project_id, title: title.trim(), section_id, ...usual })
        put('')
        requestAnimationFrame(onAdded)
      }}
    >
      <input
        className="field"
        dir="auto"
        aria-label={`New task ${place}`}
        placeholder="What is to be done?"
        maxLength={500}
        // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked to type here
        autoFocus
        value={title}
        onChange={(event) => put(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || isComposing(event)) return
          onClose()
          goBack()
        }}
        onBlur={() => !title.trim() && onClose()}
      />
    </form>
  )
}

/** Until the server has given it a number, a task has one below nought. */
let next = -1
const ghosts = new WeakMap<object, number>()

/** Somebody has asked for one that is not made yet. */
let wanted: { ghost: number; open(ticket_number: string): void } | undefined
export const whenMade = (next: typeof wanted) => {
  wanted = next
}

/** Shown at the end of its column at once, and with its key when the server has made it. */
function useAdd(
  project_id: number,
  made: ((task_id: number) => void) | undefined,
  lost: (title: string) => void,
) {
  const { act } = useAct('tasks.create', {
    // The next one comes below it.
    line: `tasks of ${project_id}`,
    ahead(input) {
      const ghost = next--
      ghosts.set(input, ghost)
      putCards(project_id, [ghostOf(project_id, ghost, input)])
      return () => patchCards(project_id, new Set([ghost]), () => undefined)
    },
    done({ task_id, ticket_number }, input) {
      const ghost = ghosts.get(input)!
      const isThere = boardNow(project_id)?.cards.some((card) => card.task_id === task_id)
      patchCards(project_id, new Set([ghost]), (card) =>
        isThere ? undefined : { ...card, task_id, ticket_number },
      )
      made?.(task_id)
      if (wanted?.ghost === ghost) {
        wanted.open(ticket_number)
        wanted = undefined
      }
    },
    failed(error, { title }) {
      lost(title)
      complain(`“${title}” was not added. ${wordsOf(error)}`)
    },
  })
  return act
}

function ghostOf(project_id: number, task_id: number, input: Input<'tasks.create'>): Card {
  const { title, section_id = 0, priority, estimate, labels, assignee_ids } = input
  const { parent_task_id, due_date } = input
  const last = boardNow(project_id)?.cards.findLast((card) => card.section_id === section_id)
  return {
    ...{ task_id, title, section_id, ticket_number: '…' },
    rank: generateKeyBetween(last?.rank ?? null, null),
    ...(typeof priority === 'number' && { priority }),
    ...(typeof estimate === 'number' && { estimate }),
    ...(labels && { labels: labels as number[] }),
    ...(assignee_ids && { assignees: assignee_ids }),
    ...(parent_task_id && { parent_task_id }),
    ...(due_date && { due_date }),
  }
}
