import { useMemo } from 'react'
import type { Offer } from '../frame/offers.ts'
import type { Look } from './look.ts'

export type Layout = 'board' | 'list' | 'calendar' | 'timeline'
export type LaneKind = 'assignee' | 'label' | 'parent'

const KINDS = ['assignee', 'label', 'parent'] as const
const ICONS = { assignee: 'mine', label: 'tag', parent: 'subtasks' } as const

export const layoutIn = (query: URLSearchParams): Layout => {
  const named = query.get('layout')
  return named === 'list' || named === 'calendar' || named === 'timeline' ? named : 'board'
}
export const lanesIn = (query: URLSearchParams) => KINDS.find((kind) => kind === query.get('lanes'))

/** Only what is not usual stands in the address. */
function lay(query: URLSearchParams, layout: Layout, lanes: LaneKind | undefined) {
  query.delete('layout')
  query.delete('lanes')
  if (layout !== 'board') query.set('layout', layout)
  if (lanes) query.set('lanes', lanes)
}

/** What the digits after V show; lanes, once they are there, go on to those of the next kind. */
export function layBy(digit: string, { layout, lanes, put }: Look) {
  const next = layout === 'board' ? KINDS[lanes ? KINDS.indexOf(lanes) + 1 : 0] : lanes
  const ways: Record<string, [Layout, LaneKind | undefined]> = {
    1: ['board', undefined],
    2: ['list', undefined],
    3: ['board', next ?? 'assignee'],
    4: ['calendar', undefined],
    5: ['timeline', lanes],
  }
  put((query) => lay(query, ...ways[digit]!), true)
}

/** Other ways to lay out the same cards, for the menu and the palette. */
export function useLayoutOffers({ layout, lanes, put }: Look): readonly [Offer[], Offer[]] {
  return useMemo(() => {
    const to = (layout: Layout, lanes?: LaneKind) => () =>
      put((query) => lay(query, layout, lanes), true)
    const others: (Offer & { layout: Layout })[] = [
      { name: 'Show as a board', icon: 'board', hint: 'V 1', layout: 'board', run: to('board') },
      { name: 'Show as a list', icon: 'list', hint: 'V 2', layout: 'list', run: to('list') },
      {
        ...{ name: 'Show as a calendar', icon: 'calendar', hint: 'V 4', layout: 'calendar' },
        run: to('calendar'),
      },
      {
        ...{ name: 'Show as a timeline', icon: 'chart', hint: 'V 5', layout: 'timeline' },
        also: 'gantt',
        run: to('timeline', lanes),
      },
    ]
    const place = layout === 'timeline' ? layout : 'board'
    const kinds = KINDS.filter((kind) => kind !== lanes || place !== layout).map((kind) => ({
      ...{ name: `Swimlanes by ${kind}`, icon: ICONS[kind], also: 'group rows layout' },
      ...(kind === 'assignee' && layout !== 'timeline' && !lanes && { hint: 'V 3' }),
      run: to(place, kind),
    }))
    const none: Offer = { name: 'No swimlanes', icon: 'board', run: to(layout) }
    const isOther = (one: { layout: Layout }) => one.layout !== layout
    return [others.filter(isOther), lanes && place === layout ? [...kinds, none] : kinds] as const
  }, [layout, lanes, put])
}
