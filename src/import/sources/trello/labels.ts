import { type BoardLabels, nameLabels } from '../shared/board-labels.ts'
import { type Json, listOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { colorName, colorOf } from './colors.ts'

/** Labels of old exports have no ids. */
const keyOf = (label: Json): string =>
  stringOf(label.id) || `${stringOf(label.color)}\n${stringOf(label.name)}`

export const labelIds = (card: Json): string[] => {
  const ids = listOf(card.idLabels).map(stringOf).filter(Boolean)
  return ids.length ? ids : objectsOf(card.labels).map(keyOf)
}

/** Trello gives each board unnamed labels of all colors; those that no card has are left out. */
export function labelsOf(board: Json, cards: readonly Json[]): BoardLabels {
  const used = new Set(cards.flatMap(labelIds))
  const labels = new Map<string, Json>()
  const named = objectOf(board.labelNames)
  for (const label of [...objectsOf(board.labels), ...cards.flatMap((c) => objectsOf(c.labels))])
    if (!labels.has(keyOf(label)) && (stringOf(label.name) || used.has(keyOf(label))))
      labels.set(keyOf(label), label)
  return nameLabels(
    [...labels].map(([id, label]) => {
      const color = stringOf(label.color)
      return {
        id,
        name: stringOf(label.name) || (label.id ? '' : stringOf(named[color])),
        colorName: colorName(color),
        color: colorOf(color),
      }
    }),
  )
}
