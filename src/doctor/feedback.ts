import { feedbackBoard } from '../features/reports/feedback/model/index.ts'
import type { Tx } from '../kernel/caller.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Checks that the board for feedback exists, if one is configured. */
export async function checkFeedback(tx: Tx, projectName: string | undefined): Promise<Finding[]> {
  if (!projectName) return []
  const check = 'feedback'
  const board = await feedbackBoard(tx, projectName)
  if (board) return [ok(check, `creates tasks on the board "${board.title}"`)]
  return [
    warning(
      check,
      `CORK_FEEDBACK_PROJECT is not a board, or a key that several boards have: ${projectName}`,
      'Set it to the number of a board; until then reports are counted but create no tasks',
    ),
  ]
}
