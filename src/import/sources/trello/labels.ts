import { type BoardLabels, nameLabels } from '../shared/board-labels.ts'
import { type Loose, listOf, objectOf, objectsOf, stringOf } from '../shared/loose-json.ts'
import { colorName, colorOf } from './colors.ts'

/** Labels of old exports have no ids. */
const keyOf = (label: Loose): string =>
  stringOf(label.id) || `${stringOf(label.color)}\n${stringOf(label.name)}`

export const labelIds = (card: Loose): string[] => {
  const ids = listOf(card.idLabels).map(stringOf).filter(Boolean)
  return ids.length ? ids : objectsOf(card.labels).map(keyOf)
}

/** Trello gives each board unnamed labels of all colors; those that no card has are left out. */
export function labelsOf(board: Loose, cards: readonly Loose[]): BoardLabels {
  const used = new Set(cards.flatMap(labelIds))
  const labels = new Map<string, Loose>()
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
