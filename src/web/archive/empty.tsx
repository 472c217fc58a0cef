import type { Look } from './look.ts'

const LESSONS = {
  tasks:
    'Archive a task from its menu, or let a board archive completed tasks automatically in its settings.',
  boards: 'Archive a board in its settings. It keeps all its tasks, and can be restored.',
}

/** An archive with nothing in it, or a search that matches nothing. */
export function Empty({ look: { kind, words, board, clear, setBoard } }: { look: Look }) {
  const isNarrow = words !== '' || (kind === 'tasks' && board !== undefined)
  return (
    <div className="lesson">
      <h2>{isNarrow ? `No matching ${kind}` : `No archived ${kind}`}</h2>
      {!isNarrow && <p className="soft">{LESSONS[kind]}</p>}
      {words !== '' && (
        <button type="button" className="button plain" onClick={clear}>
          Clear the search
        </button>
      )}
      {words === '' && isNarrow && (
        <button type="button" className="button plain" onClick={() => setBoard('')}>
          Show all boards
        </button>
      )}
    </div>
  )
}
