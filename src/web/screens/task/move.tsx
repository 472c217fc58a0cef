import { type RefObject, useState } from 'react'
import { useQuickFind } from '../../entities/quick-find/quick-find.ts'
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
  const [text, setText] = useState('')
  const { boards, list } = useFoundBoards(text)
  const moveTo = (to: number) => {
    const board = boards.find((one) => one.project_id === to)!
    void moveToBoard(task.project_id, [task], board, onShowTask)
  }
  return (
    <PickOne
      label={t('task.move_to_which_board')}
      value={null}
      choices={boards
        .filter((one) => one.project_id !== task.project_id)
        .map((one) => ({ value: one.project_id, name: one.title }))}
      open
      onOpen={(open) => !open && onClose()}
      anchor={button.current}
      empty={list ? t('task.no_matching_boards') : t('task.no_other_boards')}
      {...(list && { source: { of: list, what: t('common.boards_inline') } })}
      onPick={moveTo}
      onSearch={setText}
    />
  )
}

const MAX_BOARDS = 20

/**
 * The boards whose title or key matches, in spite of typos; without a text, those of the sidebar. A
 * person may see more boards than are loaded there.
 */
function useFoundBoards(text: string) {
  const loaded = useMe()?.boards ?? []
  const { matches, list } = useQuickFind(text, { kinds: 'board', limit: MAX_BOARDS })
  if (!text.trim()) return { boards: loaded, list: undefined }
  return { boards: matches.map(({ id, title }) => ({ project_id: Number(id), title })), list }
}
