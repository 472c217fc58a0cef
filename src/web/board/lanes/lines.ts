import { useCallback, useState } from 'react'
import type { Lane } from './model.ts'

/** A line of the board: the head of a lane, one card of each of its cells, or what ends it. */
export type Line = { key: string; lane: Lane; at: number } & (
  | { is: 'head'; isShut: boolean }
  | { is: 'cards'; row: number }
  | { is: 'end' }
)

export const deepest = ({ cells }: Lane) => Math.max(...cells.map((some) => some.length), 0)

export function linesOf(lanes: readonly Lane[], shut: ReadonlySet<string>): Line[] {
  return lanes.flatMap((lane, at) => {
    const isShut = shut.has(lane.key)
    const head = { key: `head ${lane.key}`, lane, at, is: 'head' as const, isShut }
    if (isShut) return [head]
    const rows = Array.from({ length: deepest(lane) }, (_, row) => ({
      ...{ key: `${lane.key} ${row}`, lane, at, is: 'cards' as const, row },
    }))
    return [head, ...rows, { key: `end ${lane.key}`, lane, at, is: 'end' as const }]
  })
}

/** The lanes of a board that somebody has shut, in this browser. */
export function useShut(name: string) {
  const [shut, setShut] = useState(() => read(name))
  const turn = useCallback(
    (key: string) =>
      setShut((now) => {
        const next = new Set(now)
        if (!next.delete(key)) next.add(key)
        keep(name, next)
        return next
      }),
    [name],
  )
  return { shut, turn }
}

function read(name: string): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(name) ?? '[]'))
  } catch {
    return new Set()
  }
}

function keep(name: string, shut: ReadonlySet<string>) {
  try {
    if (shut.size) localStorage.setItem(name, JSON.stringify([...shut]))
    else localStorage.removeItem(name)
  } catch {
    // It is shut until the page is loaded again.
  }
}
