import { useState } from 'react'
import type { Board, Column } from '../../../entities/board/data.ts'
import { t } from '../../../messages/t.ts'
import type { BoardQuery } from '../board-query.ts'
import { displayOf, draftOf, useViewActions, ViewDialog } from '../views.tsx'

interface Props {
  board: Board
  boardQuery: BoardQuery
  shown: readonly Column[]
}

/** Saves the filter as a view, or in the view that is shown. */
export function SaveFilter({ board, boardQuery, shown }: Props) {
  const [isSaving, setSaving] = useState(false)
  const { view, isChanged } = boardQuery
  const { saveView } = useViewActions(boardQuery)
  if (view && !isChanged) return null
  return (
    <>
      {view && (
        <button
          type="button"
          className="button quiet"
          onClick={() => saveView(view, draftOf(boardQuery, shown), displayOf(boardQuery))}
        >
          {t('board.update_view')}
        </button>
      )}
      <button type="button" className="button quiet" onClick={() => setSaving(true)}>
        {t('board.save_as_a_view')}
      </button>
      {isSaving && (
        <ViewDialog {...{ board, boardQuery, shown }} view="new" onClose={() => setSaving(false)} />
      )}
    </>
  )
}
