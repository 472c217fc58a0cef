import { useMemo } from 'react'
import type { Command } from '../../entities/command/commands.ts'
import { t } from '../../messages/t.ts'
import type { BoardQuery } from './board-query.ts'
import { KINDS, type LaneKind, type Layout } from './layout-address.ts'

const NAMES = {
  assignee: t('board.swimlanes_by_assignee'),
  label: t('board.swimlanes_by_label'),
  parent: t('board.swimlanes_by_parent'),
} as const
const ICONS = { assignee: 'mine', label: 'tag', parent: 'subtasks' } as const

/** Writes the layout to the address; the default leaves no parameter. */
function setLayout(query: URLSearchParams, layout: Layout, lanes: LaneKind | undefined) {
  query.delete('layout')
  query.delete('lanes')
  if (layout !== 'board') query.set('layout', layout)
  if (lanes) query.set('lanes', lanes)
}

/**
 * Switches to the layout of a digit after V. Repeating the digit for lanes goes on to the next kind
 * of lane.
 */
export function selectLayout(digit: string, { layout, lanes, updateAddress }: BoardQuery) {
  const next = layout === 'board' ? KINDS[lanes ? KINDS.indexOf(lanes) + 1 : 0] : lanes
  const layouts: Record<string, [Layout, LaneKind | undefined]> = {
    1: ['board', undefined],
    2: ['list', undefined],
    3: ['board', next ?? 'assignee'],
    4: ['calendar', undefined],
    5: ['timeline', lanes],
  }
  updateAddress((query) => setLayout(query, ...layouts[digit]!), true)
}

/** Commands for the other layouts, for the menu and the palette. */
export function useLayoutCommands({
  layout,
  lanes,
  updateAddress,
}: BoardQuery): readonly [Command[], Command[]] {
  return useMemo(() => {
    const switchTo = (layout: Layout, lanes?: LaneKind) => () =>
      updateAddress((query) => setLayout(query, layout, lanes), true)
    const others: (Command & { layout: Layout })[] = [
      {
        name: t('board.show_as_a_board'),
        icon: 'board',
        hint: 'V 1',
        layout: 'board',
        run: switchTo('board'),
      },
      {
        name: t('board.show_as_a_list'),
        icon: 'list',
        hint: 'V 2',
        layout: 'list',
        run: switchTo('list'),
      },
      {
        ...{
          name: t('board.show_as_a_calendar'),
          icon: 'calendar',
          hint: 'V 4',
          layout: 'calendar',
        },
        run: switchTo('calendar'),
      },
      {
        ...{ name: t('board.show_as_a_timeline'), icon: 'chart', hint: 'V 5', layout: 'timeline' },
        keywords: 'gantt',
        run: switchTo('timeline', lanes),
      },
    ]
    const place = layout === 'timeline' ? layout : 'board'
    const kinds = KINDS.filter((kind) => kind !== lanes || place !== layout).map((kind) => ({
      ...{
        name: NAMES[kind],
        icon: ICONS[kind],
        keywords: 'group rows layout',
      },
      ...(kind === 'assignee' && layout !== 'timeline' && !lanes && { hint: 'V 3' }),
      run: switchTo(place, kind),
    }))
    const none: Command = { name: t('board.no_swimlanes'), icon: 'board', run: switchTo(layout) }
    const isOtherLayout = (one: { layout: Layout }) => one.layout !== layout
    return [
      others.filter(isOtherLayout),
      lanes && place === layout ? [...kinds, none] : kinds,
    ] as const
  }, [layout, lanes, updateAddress])
}
