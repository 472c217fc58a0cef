import type { RefObject } from 'react'
import { cache } from '../../data/cache.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { patchCards } from '../../entities/board/data.ts'
import type { Task } from '../../entities/task/data.ts'
import { useMe } from '../../entities/user/me.ts'
import { PickOne } from '../../kit/pick.tsx'
import { showError, showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'

interface Props {
  task: Task
  button: RefObject<HTMLButtonElement | null>
  onClose(): void
  /** Shows the task under its new key. */
  onShowTask(ticket: string): void
}

/** Moves a task to another board, which gives it a new key. */
export function MoveToBoard({ task, button, onClose, onShowTask }: Props) {
  const boards = useMe()?.boards ?? []
  const { task_id, project_id, section_id, ticket_number } = task
  const move = async (to: number, section?: number) => {
    const moved = await sendWrite('tasks.move', {
      ...{ task_id, target_project_id: to },
      ...(section !== undefined && { target_section_id: section }),
    })
    cache.removeQueries({ queryKey: ['number', ticket_number] })
    onShowTask(moved.ticket_number)
    return moved.ticket_number
  }
  const moveTo = async (to: number) => {
    const revertCards = patchCards(project_id, new Set([task_id]), () => undefined)
    try {
      const key = await move(to)
      const { title } = boards.find((one) => one.project_id === to)!
      showToast(
        t('task.moved_ticket_number_to_title_as_key', { ticket_number, title, key }),
        () => void move(project_id, section_id).catch(showError),
      )
    } catch (error) {
      revertCards()
      showError(error)
    }
  }
  return (
    <PickOne
      label={t('task.move_to_which_board')}
      value={null}
      choices={boards
        .filter((one) => one.project_id !== project_id)
        .map((one) => ({ value: one.project_id, name: one.title }))}
      open
      onOpen={(open) => !open && onClose()}
      anchor={button.current}
      empty={t('task.no_other_boards')}
      onPick={(to) => void moveTo(to)}
    />
  )
}
