import { currentBoard } from '../../../entities/board/data.ts'
import { showErrorToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { moveCards } from '../moves.ts'

/** Moves cards to the first done column, or back to the first open one. */
export function markDone(project_id: number, ids: readonly number[], isDone: boolean) {
  const sections = currentBoard(project_id)?.sections ?? []
  const section = sections.find(({ done, hidden }) => done === isDone && !hidden)
  if (section)
    return void moveCards(project_id, ids, { section_id: section.section_id, above_task_id: null })
  showErrorToast(isDone ? t('board.no_done_column') : t('board.no_open_column'))
}
