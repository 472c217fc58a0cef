import { useShortcuts } from '../../kit/shortcuts.ts'
import { ON_AGENTS } from './shortcuts.ts'

const ROWS = '.agents [data-agent] h2 a'

/** The shortcuts of the list of agents. */
export function useAgentKeys(create: () => unknown) {
  const step = (by: 1 | -1) => {
    const rows = [...document.querySelectorAll<HTMLElement>(ROWS)]
    const index = rows.findIndex((row) =>
      row.closest('[data-agent]')?.contains(document.activeElement),
    )
    const next = index < 0 ? (by === 1 ? 0 : rows.length - 1) : index + by
    rows[Math.max(0, Math.min(next, rows.length - 1))]?.focus()
    return rows.length > 0
  }
  useShortcuts(ON_AGENTS, { next: () => step(1), back: () => step(-1), create })
}
