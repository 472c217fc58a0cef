import { Refused, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { showAbove } from '../frame/above.ts'
import { WayOn } from '../parts/missing.tsx'
import { told } from './change.ts'
import { type Board, patch } from './data.ts'
import { EVERYTHING } from './filter.ts'
import type { Look } from './look.ts'

/** A board on which there is nothing yet. */
export const NoTasks = ({ onAdd }: { onAdd(): void }) => (
  <div className="lesson">
    <h2>Nothing on this board yet</h2>
    <p>
      A task is a title and whatever else it needs. People and agents pick them up from the left and
      carry them to the right.
    </p>
    <button type="button" className="button main" onClick={onAdd}>
      Add the first task <kbd>C</kbd>
    </button>
  </div>
)

/** It can be looked at, and nothing is added to it. */
export const Archived = ({ board }: { board: Board }) => (
  <p className="left-out" role="status">
    This board is archived.{' '}
    {board.may_manage ? (
      <button type="button" className="button quiet" onClick={() => store(board, 'Normal')}>
        Restore
      </button>
    ) : (
      'Owners and admins of the team can restore it.'
    )}
  </p>
)

function store(board: Board, status: Board['status']) {
  const { project_id, title, status: before } = board
  const back = patch(project_id, (now) => ({ ...now, status }))
  const made = send('projects.archive', { project_id, status })
  const words = `${status === 'Normal' ? 'Restored' : 'Archived'} ${title}`
  void told(made, back, words, () => store({ ...board, status }, before))
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** A filter that leaves nothing. */
export const NothingLeft = ({ look, left }: { look: Look; left: number }) => (
  <div className="lesson">
    <h2>No task fits</h2>
    <p>{left === 1 ? 'One task is' : `${left} tasks are`} hidden by the filter.</p>
    <button
      type="button"
      className="button plain"
      onClick={() => (look.isServed ? look.show(undefined) : look.setFilter(EVERYTHING))}
    >
      Clear the filter
    </button>
  </div>
)

/** So many are on the board that not all are drawn. */
export const LeftOut = ({ many }: { many: number }) => (
  <p className="left-out">
    {many === 1 ? 'One older task is' : `${many.toLocaleString()} older tasks are`} not drawn here,
    those that are done first.{' '}
    <button type="button" className="button quiet" onClick={() => showAbove('find')}>
      Search for them
    </button>
  </p>
)

/** A board that is not there, or not for whoever asks; without an error, as nothing is named so. */
export function MissingBoard({ error }: { error?: Error }) {
  const isUnknown = !error || (error instanceof Refused && ABSENT.has(error.status))
  return (
    <div className="lesson missing" role="alert">
      <h1>{isUnknown ? 'There is no such board here' : 'This board cannot be shown'}</h1>
      <p>
        {isUnknown
          ? 'It may have been deleted, or you are not among those who see it.'
          : wordsOf(error)}
      </p>
      <WayOn {...{ isUnknown, error }} />
    </div>
  )
}

/** A board that one may not read is none to whoever looks for it. */
const ABSENT = new Set([400, 403, 404])

/** The shape of what comes, when it takes its time. */
export const BoardShape = () => (
  <div className="board-shape" aria-hidden="true">
    {[4, 3, 2].map((many) => (
      <div key={many}>
        {Array.from({ length: many }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
          <span key={at} />
        ))}
      </div>
    ))}
  </div>
)
