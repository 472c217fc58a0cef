import { useShortcuts } from '../frame/keys.ts'
import { ON_AGENTS } from './table.ts'

const ROWS = '.agents [data-agent] h2 a'

/** The keys of the list: from one agent to the next, and a new one. */
export function useAgentKeys(create: () => unknown) {
  const step = (by: 1 | -1) => {
    const rows = [...document.querySelectorAll<HTMLElement>(ROWS)]
    const at = rows.findIndex((one) =>
      one.closest('[data-agent]')?.contains(document.activeElement),
    )
    const next = at < 0 ? (by === 1 ? 0 : rows.length - 1) : at + by
    rows[Math.max(0, Math.min(next, rows.length - 1))]?.focus()
    return rows.length > 0
  }
  useShortcuts(ON_AGENTS, { next: () => step(1), back: () => step(-1), create })
}
