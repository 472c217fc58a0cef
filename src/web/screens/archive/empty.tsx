import type { ArchiveView } from './archive-view.ts'

const EMPTY_TEXTS = {
  tasks:
    'Archive a task from its menu, or let a board archive completed tasks automatically in its settings.',
  boards: 'Archive a board in its settings. It keeps all its tasks, and can be restored.',
}

/** An archive with nothing in it, or a search that matches nothing. */
export function Empty({ look: { kind, words, board, clear, setBoard } }: { look: ArchiveView }) {
  const isFiltered = words !== '' || (kind === 'tasks' && board !== undefined)
  return (
    <div className="lesson">
      <h2>{isFiltered ? `No matching ${kind}` : `No archived ${kind}`}</h2>
      {!isFiltered && <p className="soft">{EMPTY_TEXTS[kind]}</p>}
      {words !== '' && (
        <button type="button" className="button plain" onClick={clear}>
          Clear the search
        </button>
      )}
      {words === '' && isFiltered && (
        <button type="button" className="button plain" onClick={() => setBoard('')}>
          Show all boards
        </button>
      )}
    </div>
  )
}
