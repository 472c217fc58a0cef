import type { Board } from '../../record.ts'
import { uniqueNames } from './names.ts'

export interface SourceLabel {
  id: string
  name: string
  /** The name that the product gives to the color. */
  colorName: string
  color: string | undefined
}

export interface BoardLabels {
  labels: Board['labels']
  /** The names of the labels by their ids. */
  names: Map<string, string>
}

/**
 * Names each label once: labels without a name get that of their color, and labels of the same name
 * but of different colors get the color behind their name.
 */
export function nameLabels(sources: readonly SourceLabel[]): BoardLabels {
  const unique = uniqueNames(100)
  const labels: Board['labels'] = []
  const names = new Map<string, string>()
  const known = new Map<string, string>()
  const taken = new Set<string>()
  for (const { id, name, colorName, color } of sources) {
    const plain = name.trim() || colorName || 'Label'
    const key = `${plain.toLowerCase()}\n${colorName}`
    let label = known.get(key)
    if (label === undefined) {
      const isTaken = taken.has(plain.toLowerCase())
      label = unique(isTaken && colorName ? `${plain} (${colorName})` : plain)
      labels.push({ name: label, ...(color && { color }) })
      known.set(key, label)
      taken.add(plain.toLowerCase())
    }
    names.set(id, label)
  }
  return { labels, names }
}
