import type { AriaAttributes } from 'react'

/**
 * The roles of a grid. Its elements are no <table>, because only the visible rows are drawn, each
 * at a position of its own.
 */
export const gridRole = (state: AriaAttributes) => ({ role: 'grid', ...state })
export const rowRole = (at: number, state: AriaAttributes = {}) => ({
  role: 'row',
  'aria-rowindex': at,
  ...state,
})
export const cellRole = (
  at: number,
  role: 'gridcell' | 'rowheader' | 'columnheader' = 'gridcell',
  state: AriaAttributes = {},
) => ({ role, 'aria-colindex': at, ...state })
export const bodyRole = { role: 'rowgroup' }
