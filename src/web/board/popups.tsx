import { Suspense } from 'react'
import { Coming } from '../parts/coming.tsx'
import { part } from '../parts/part.ts'
import './above.css'
import { BulkBar } from './bulk.tsx'
import { cardsNow } from './change.ts'
import type { useColumns } from './columns.ts'
import type { Board } from './data.ts'
import { type Desk, focusCard } from './desk.ts'
import type { Look } from './look.ts'

const Picker = part(() => import('./picker.tsx'))
const Filters = part(() => import('./filters.tsx'))
const DeleteColumn = part(() => import('./delete-column.tsx'))
const LimitColumn = part(() => import('./limit-column.tsx'))

interface Props {
  board: Board
  look: Look
  desk: Desk
  own: ReturnType<typeof useColumns>
}

/** What stands above a board. */
export function Popups({ board, look, desk, own }: Props) {
  const { keys, picking, setPicking, filtering, setFiltering, filterButton } = desk
  const { project_id } = board
  const { chosen, active, clear } = keys
  const leave = () => {
    setPicking(undefined)
    setFiltering(false)
  }
  return (
    <>
      {chosen.size > 0 && (
        <BulkBar
          {...{ project_id, chosen, onClear: clear }}
          onChange={(what, anchor) => setPicking({ what, ids: [...chosen], anchor })}
        />
      )}
      {(picking || filtering) && <Coming onLeave={leave} />}
      <Suspense>
        {picking && (
          <Picker
            {...{ board, what: picking.what, anchor: picking.anchor }}
            cards={cardsNow(project_id, picking.ids)}
            onClose={() => {
              setPicking(undefined)
              requestAnimationFrame(() => focusCard(active ?? picking.ids[0]))
            }}
          />
        )}
        {filtering && (
          <Filters
            {...{ board, look, anchor: filterButton.current }}
            onClose={() => {
              setFiltering(false)
              requestAnimationFrame(() => filterButton.current?.focus())
            }}
          />
        )}
        {own.removing && (
          <DeleteColumn
            {...{ board, column: own.removing }}
            onClose={() => own.setRemoving(undefined)}
          />
        )}
        {own.limiting && (
          <LimitColumn
            {...{ project_id, column: own.limiting }}
            onClose={() => own.setLimiting(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}
