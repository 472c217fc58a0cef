import { useCallback, useState } from 'react'
import { storageName } from '../../../kit/base-path.ts'

/** The lanes that are collapsed, stored in this browser. */
export function useCollapsedLanes(name: string) {
  const [collapsed, setCollapsed] = useState(() => readCollapsed(name))
  const toggle = useCallback(
    (key: string) =>
      setCollapsed((current) => {
        const next = new Set(current)
        if (!next.delete(key)) next.add(key)
        saveCollapsed(name, next)
        return next
      }),
    [name],
  )
  return { collapsed, toggle }
}

function readCollapsed(name: string): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(storageName(name)) ?? '[]'))
  } catch {
    return new Set()
  }
}

function saveCollapsed(name: string, collapsed: ReadonlySet<string>) {
  try {
    if (collapsed.size) localStorage.setItem(storageName(name), JSON.stringify([...collapsed]))
    else localStorage.removeItem(storageName(name))
  } catch {
    // Without storage the lane stays collapsed until a reload.
  }
}
