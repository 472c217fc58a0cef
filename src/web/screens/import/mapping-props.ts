import type { BoardMapping, Mapping } from '../../../import/mapping.ts'
import type { BoardPlan, Plan } from '../../../import/plan.ts'

/** The props of a part of the mapping. */
export interface MappingProps {
  plan: Plan
  mapping: Mapping
  onChange(mapping: Mapping): void
}

/** The props of a part of the mapping of one board. */
export interface BoardProps {
  plan: BoardPlan
  board: BoardMapping
  onChange(change: Partial<BoardMapping>): void
}
