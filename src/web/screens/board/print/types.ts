import type { Board, Column } from '../../../entities/board/data.ts'
import type { BoardQuery } from '../board-query.ts'
import type { Shared } from '../card/card.tsx'

export interface PrintProps extends Shared {
  board: Board
  shown: readonly Column[]
  boardQuery: BoardQuery
}
