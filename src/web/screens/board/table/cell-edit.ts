import type { Card } from '../../../entities/board/data.ts'
import type { Field, Row, Value } from './types.ts'

/** Another value for one cell. */
export interface CellEdit {
  card: Card
  field: Field
  before: Value
  value: Value
}

/** The most tasks of one write. */
export const MAX_ROWS = 500

export const editOf = (row: Row, field: Field, value: Value): CellEdit => ({
  ...{ card: row.card, field, value },
  before: field.read(row),
})
