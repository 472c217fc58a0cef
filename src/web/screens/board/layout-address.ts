export type Layout = 'board' | 'list' | 'calendar' | 'timeline'

export type LaneKind = 'assignee' | 'label' | 'parent'

export const KINDS = ['assignee', 'label', 'parent'] as const

export const layoutIn = (query: URLSearchParams): Layout => {
  const param = query.get('layout')
  return param === 'list' || param === 'calendar' || param === 'timeline' ? param : 'board'
}

export const lanesIn = (query: URLSearchParams) => KINDS.find((kind) => kind === query.get('lanes'))
