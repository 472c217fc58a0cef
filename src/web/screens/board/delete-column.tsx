import { useState } from 'react'
import type { Board, Column } from '../../entities/board/data.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { errorText } from '../../kit/errors.ts'
import { removeColumn } from './columns.ts'

interface Props {
  board: Board
  column: Column
  onClose(): void
}

/** The dialog that asks where the tasks of a deleted column go. */
export default function DeleteColumn({ board, column, onClose }: Props) {
  const others = board.sections.filter(({ section_id }) => section_id !== column.section_id)
  const [to, setTo] = useState(others[0]?.section_id)
  const [words, setWords] = useState('')
  const remove = () =>
    removeColumn(board.project_id, column, to).then(onClose, (error) => {
      setWords(errorText(error))
    })
  return (
    <Dialog open onClose={onClose} title={`Delete ${column.title}?`}>
      <form
        className="ask"
        onSubmit={(event) => {
          event.preventDefault()
          void remove()
        }}
      >
        <label>
          {column.total ? `Move its ${column.total} tasks to` : 'Move its archived tasks to'}
          <select
            className="field"
            value={to}
            onChange={({ target }) => setTo(Number(target.value))}
          >
            {others.map(({ section_id, title }) => (
              <option key={section_id} value={section_id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <p role="alert">{words}</p>
        <button type="submit" className="button main" disabled={!others.length}>
          Delete column
        </button>
      </form>
    </Dialog>
  )
}
