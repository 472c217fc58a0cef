import { useMemo, useState } from 'react'
import type { Card } from '../../../entities/board/data.ts'
import { storageName } from '../../../kit/base-path.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { COLOR_KINDS, type ColorKind, legendOf, type TaskColor, taskColor } from './model.ts'

const PARAM = 'color'
const isKind = (text: string | null | undefined): text is ColorKind =>
  COLOR_KINDS.some((kind) => kind === text)

/** What colors the tasks of a layout: as the address says, otherwise as it was last time. */
export function useTaskColors({
  board,
  shown,
  labels,
  actors,
  boardQuery,
}: Pick<BoardLayoutProps, 'board' | 'shown' | 'labels' | 'actors' | 'boardQuery'>) {
  const storage = storageName(`colors:${board.project_id}`)
  const [kind, setKind] = useState<ColorKind>(() => {
    const param = new URLSearchParams(location.search).get(PARAM)
    if (isKind(param)) return param
    const stored = readStored(storage)
    return isKind(stored) ? stored : 'column'
  })
  const { sections } = board
  const colors = useMemo(() => {
    const source = { sections, labels, actors }
    // The same card gets the same object, so that its bar does not render again.
    const known = new Map<Card, TaskColor | undefined>()
    return {
      colorOf(card: Card) {
        if (!known.has(card)) known.set(card, taskColor(kind, card, source))
        return known.get(card)
      },
      legend: legendOf(kind, shown, source),
    }
  }, [kind, shown, sections, labels, actors])
  const choose = (next: ColorKind) => {
    setKind(next)
    boardQuery.updateAddress((query) => query.set(PARAM, next))
    store(storage, next)
  }
  return { ...colors, kind, choose }
}
export type TaskColors = ReturnType<typeof useTaskColors>

function readStored(name: string) {
  try {
    return localStorage.getItem(name)
  } catch {
    return undefined
  }
}

function store(name: string, kind: ColorKind) {
  try {
    localStorage.setItem(name, kind)
  } catch {
    // Without storage the address keeps the choice until the board is closed.
  }
}
