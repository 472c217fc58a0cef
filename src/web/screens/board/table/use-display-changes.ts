import { useCallback } from 'react'
import type { BoardQuery } from '../board-query.ts'
import type { TotalKind } from './display.ts'
import { totalsOf } from './totals.ts'
import type { Field } from './types.ts'
import type { Table } from './use-table.ts'

const MAX_COLLAPSED = 200

/** Closes or opens a group; without `isOpen`, the other way round. */
export function useToggleGroup({ changeDisplay }: BoardQuery, { collapsed }: Table) {
  return useCallback(
    (path: string, isOpen = collapsed.has(path)) => {
      const others = [...collapsed].filter((one) => one !== path)
      changeDisplay({ collapsed: (isOpen ? others : [...others, path]).slice(-MAX_COLLAPSED) })
    },
    [changeDisplay, collapsed],
  )
}

/** Which total is shown below a field: as the display says, else by its kind. */
export function useTotalOf({ display: { totals } }: BoardQuery) {
  return useCallback(
    (field: Field): TotalKind =>
      totals?.find((total) => total.field === field.name)?.kind ?? totalsOf(field)[0]!,
    [totals],
  )
}

export function useChangeTotal({ display: { totals = [] }, changeDisplay }: BoardQuery) {
  return (field: Field, kind: TotalKind) =>
    changeDisplay({
      totals: [
        ...totals.filter((total) => total.field !== field.name),
        { field: field.name, kind },
      ],
    })
}
