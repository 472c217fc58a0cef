import type { Board } from '../../record.ts'
import { cut } from './texts.ts'

const COLOR = /^#?([0-9a-f]{6})$/i

/** The labels of a board, each once. */
export class Labels {
  private readonly byName = new Map<string, string | undefined>()

  /** Adds a label. Returns its name, or undefined if it is empty. */
  add(name: string, color?: string): string | undefined {
    const fitting = cut(name.trim(), 100)
    if (!fitting) return
    const [, hex] = COLOR.exec(color ?? '') ?? []
    if (hex || !this.byName.has(fitting)) this.byName.set(fitting, hex && `#${hex.toLowerCase()}`)
    return fitting
  }

  list(): Board['labels'] {
    return [...this.byName].map(([name, color]) => ({ name, ...(color && { color }) }))
  }
}
