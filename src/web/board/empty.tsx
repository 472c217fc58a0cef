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
