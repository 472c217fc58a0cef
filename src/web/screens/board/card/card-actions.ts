import { createContext } from 'react'
import type { Card } from '../../../entities/board/data.ts'
import type { EditableField } from '../keys.ts'

/** What somebody does with a card without opening it. */
export interface CardActions {
  me: number | undefined
  /** Opens the picker of a field beside its chip. */
  edit(card: Card, what: EditableField, chip: Element): void
  openMenu(card: Card, button: Element): void
  toggleDone(card: Card): void
  assignMe(card: Card): void
}

/** Undefined where cards cannot be changed, as on paper and on an archived board. */
export const CardActionsContext = createContext<CardActions | undefined>(undefined)
