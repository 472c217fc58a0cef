import { feedbackBoard } from '../features/feedback/index.ts'
import type { Tx } from '../kernel/caller.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Where an operator wants reports as tickets, they can come. */
export async function checkFeedback(tx: Tx, named: string | undefined): Promise<Finding[]> {
  if (!named) return []
  const check = 'feedback'
  const board = await feedbackBoard(tx, named)
  if (board) return [ok(check, `becomes tickets on the board "${board.title}"`)]
  return [
    warning(
      check,
      `CORK_FEEDBACK_PROJECT names no board, or a key that several have: ${named}`,
      'Set it to the number of a board; reports are counted until then, but open no tickets',
    ),
  ]
}
