import type { BoardQuery } from '../board-query.ts'
import type { Shared } from '../card.tsx'
import type { Board, Column } from '../data.ts'

export interface PrintProps extends Shared {
  board: Board
  shown: readonly Column[]
  boardQuery: BoardQuery
}
