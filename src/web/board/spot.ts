import type { Board, Card } from './data.ts'

export interface Spot {
  section_id: number
  /** The card that the others go above; null: below all; nothing: where they stand already. */
  above: number | null | undefined
}

/** Where a card stands now, so that it can be put back. */
export function spotOf(board: Board, card: Card) {
  const column = board.cards.filter(({ section_id }) => section_id === card.section_id)
  const at = column.findIndex(({ task_id }) => task_id === card.task_id)
  return { section_id: card.section_id, above: column[at + 1]?.task_id ?? null }
}
