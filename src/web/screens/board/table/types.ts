import type { Input, Output } from '../../../data/client.ts'
import type { Board, Card, Column, Label, Section } from '../../../entities/board/data.ts'
import type { Actor, ActorKey } from '../../../entities/user/actor.ts'

export type TaskDetails = Output<'projects.board_details'>['tasks'][number]
export type CustomField = Output<'custom_fields.list'>['items'][number]
export type TaskChange = Input<'tasks.update_each'>['changes'][number]

/** A task as a row of the table. */
export interface Row {
  card: Card
  /** Undefined until they are loaded; only some columns need them. */
  details: TaskDetails | undefined
}

/** The value of a cell. Null, 0, '' and an empty list mean that it is not set. */
export type Value = string | number | boolean | null | readonly ActorKey[]

export type Kind =
  | 'key'
  | 'title'
  | 'section'
  | 'people'
  | 'agents'
  | 'choice'
  | 'labels'
  | 'parent'
  | 'date'
  | 'moment'
  | 'number'
  | 'duration'
  | 'progress'
  | 'text'
  | 'url'
  | 'select'
  | 'checkbox'

/** A field of tasks, which the table shows as a column. */
export interface Field {
  /** As the address and stored displays name it. */
  name: string
  label: string
  kind: Kind
  width: number
  read(row: Row): Value
  /** What an edit writes; undefined for a field that cannot be edited. */
  toChange?(value: Value): Partial<TaskChange>
  /** The card with another value. Custom fields are in the details instead. */
  patch?(card: Card, value: Value): Card
  needsDetails?: true
  /** The mode by which the board is sorted by it. */
  sort: string
  custom?: CustomField
}

/** What cells are formatted, parsed and grouped with. */
export interface TableContext {
  board: Board
  sections: readonly Section[]
  /** The board's columns that are shown, which are groups even if they are empty. */
  shown: readonly Column[]
  labels: ReadonlyMap<number, Label>
  actors: ReadonlyMap<ActorKey, Actor>
  /** Who can be assigned. */
  members: readonly Actor[]
  cardsById: ReadonlyMap<number, Card>
}

export const isEmpty = (value: Value) =>
  value === null || value === '' || value === 0 || (Array.isArray(value) && !value.length)

export const isSameValue = (a: Value, b: Value) =>
  a === b || (isEmpty(a) && isEmpty(b)) || JSON.stringify(a) === JSON.stringify(b)
