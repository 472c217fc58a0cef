import { feedbackBoard } from '../features/feedback/index.ts'
import type { Tx } from '../kernel/caller.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Checks that the board for feedback exists, if one is configured. */
export async function checkFeedback(tx: Tx, projectName: string | undefined): Promise<Finding[]> {
  if (!projectName) return []
  const check = 'feedback'
  const board = await feedbackBoard(tx, projectName)
  if (board) return [ok(check, `becomes tickets on the board "${board.title}"`)]
  return [
    warning(
      check,
      `CORK_FEEDBACK_PROJECT names no board, or a key that several have: ${projectName}`,
      'Set it to the number of a board; reports are counted until then, but open no tickets',
    ),
  ]
}
