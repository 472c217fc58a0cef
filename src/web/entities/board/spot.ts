import type { Board, Card } from './data.ts'

export interface Placement {
  section_id: number
  /** The card to go above; null puts them at the end, undefined keeps their place. */
  above_task_id: number | null | undefined
}

/** The current spot of a card, to move it back to. */
export function placementOf(board: Board, card: Card) {
  const column = board.cards.filter(({ section_id }) => section_id === card.section_id)
  const index = column.findIndex(({ task_id }) => task_id === card.task_id)
  return { section_id: card.section_id, above_task_id: column[index + 1]?.task_id ?? null }
}
