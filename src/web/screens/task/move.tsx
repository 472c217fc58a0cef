import type { RefObject } from 'react'
import type { Task } from '../../entities/task/data.ts'
import { moveToBoard } from '../../entities/task/move-to-board.ts'
import { useMe } from '../../entities/user/me.ts'
import { PickOne } from '../../kit/pick.tsx'
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
  const { project_id } = task
  const boards = (useMe()?.boards ?? []).filter((one) => one.project_id !== project_id)
  const moveTo = (to: number) => {
    const board = boards.find((one) => one.project_id === to)!
    void moveToBoard(project_id, [task], board, onShowTask)
  }
  return (
    <PickOne
      label={t('task.move_to_which_board')}
      value={null}
      choices={boards.map((one) => ({ value: one.project_id, name: one.title }))}
      open
      onOpen={(open) => !open && onClose()}
      anchor={button.current}
      empty={t('task.no_other_boards')}
      onPick={moveTo}
    />
  )
}
