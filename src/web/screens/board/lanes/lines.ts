import { useCallback, useState } from 'react'
import { storageName } from '../../../kit/base-path.ts'
import type { Lane } from './model.ts'

/** A row of the board: the head of a lane, one card of each of its cells, or its last row. */
export type Line = { key: string; lane: Lane; at: number } & (
  | { is: 'head'; isCollapsed: boolean }
  | { is: 'cards'; row: number }
  | { is: 'end' }
)

export const longestCell = ({ cells }: Lane) => Math.max(...cells.map((cards) => cards.length), 0)

export function linesOf(lanes: readonly Lane[], collapsed: ReadonlySet<string>): Line[] {
  return lanes.flatMap((lane, at) => {
    const isCollapsed = collapsed.has(lane.key)
    const head = { key: `head ${lane.key}`, lane, at, is: 'head' as const, isCollapsed }
    if (isCollapsed) return [head]
    const rows = Array.from({ length: longestCell(lane) }, (_, row) => ({
      ...{ key: `${lane.key} ${row}`, lane, at, is: 'cards' as const, row },
    }))
    return [head, ...rows, { key: `end ${lane.key}`, lane, at, is: 'end' as const }]
  })
}

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
