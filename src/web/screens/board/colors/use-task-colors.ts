import { useMemo } from 'react'
import type { Card } from '../../../entities/board/data.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { type ColorKind, legendOf, type TaskColor, taskColor } from './model.ts'

type Props = Pick<BoardLayoutProps, 'board' | 'shown' | 'labels' | 'actors' | 'boardQuery'>

/** The colors of the tasks, as the display of the view says. */
export function useTaskColors({ board, shown, labels, actors, boardQuery }: Props) {
  const { display, changeDisplay } = boardQuery
  const { color: kind = 'column' } = display
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
  return { ...colors, kind, choose: (color: ColorKind) => changeDisplay({ color }) }
}
export type TaskColors = ReturnType<typeof useTaskColors>
