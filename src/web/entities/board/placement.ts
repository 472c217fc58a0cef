import type { Board, Card } from './data.ts'

/** Where a move puts a card. */
export interface Placement {
  section_id: number
  /** The card to be placed above; null means the end, undefined keeps the current rank. */
  above_task_id: number | null | undefined
}

/** The current placement of a card, for the undo of a move. */
export function placementOf(board: Board, card: Card) {
  const column = board.cards.filter(({ section_id }) => section_id === card.section_id)
  const index = column.findIndex(({ task_id }) => task_id === card.task_id)
  return { section_id: card.section_id, above_task_id: column[index + 1]?.task_id ?? null }
}
