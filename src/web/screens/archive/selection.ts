import { useState } from 'react'

/** The selected rows of the list, by their keys. */
export function useSelection(keys: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [last, setLast] = useState<string>()
  // Rows that have left the list are no longer selected.
  const selected = new Set(keys.filter((key) => chosen.has(key)))
  const toggle = (key: string, isRange = false) => {
    const from = last === undefined ? -1 : keys.indexOf(last)
    const to = keys.indexOf(key)
    setLast(key)
    if (isRange && from >= 0)
      return setChosen(
        new Set([...selected, ...keys.slice(Math.min(from, to), Math.max(from, to) + 1)]),
      )
    const next = new Set(selected)
    if (!next.delete(key)) next.add(key)
    setChosen(next)
  }
  return {
    ...{ selected, toggle },
    selectAll: () => setChosen(new Set(keys)),
    clear: () => setChosen(new Set()),
  }
}
export type Selection = ReturnType<typeof useSelection>
