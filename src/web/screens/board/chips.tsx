import { memo } from 'react'
import { useOperation } from '../../data/cache.ts'
import type { Board } from '../../entities/board/data.ts'
import { Icon } from '../../kit/icon.tsx'
import type { BoardQuery } from './board-query.ts'
import type { Shared } from './card.tsx'
import { NO_FILTER } from './filter.ts'
import { activeKinds, KIND_NAMES, valueName } from './words.ts'

interface Props extends Pick<Shared, 'actors' | 'labels'> {
  board: Board
  boardQuery: BoardQuery
  /** The number of tasks in the shown columns that the filter hides. */
  hiddenCount: number
}

/** The active filters, each with a button that removes it. */
export const Chips = memo(function Chips({
  board,
  boardQuery,
  hiddenCount,
  actors,
  labels,
}: Props) {
  const { filter, setFilter, isFiltered, isServerSide, view } = boardQuery
  const { project_id } = board
  const { data } = useOperation(
    'projects.members',
    { project_id, limit: 50 },
    { enabled: isFiltered },
  )
  if (!isFiltered && !isServerSide) return null
  const names = { actors, labels, members: data?.items ?? [] }
  return (
    <section className="chips" aria-label="Filter">
      {isServerSide && view && <span className="chip">View: {view.title}</span>}
      {filter.text && (
        <Chip name="Text" value={filter.text} onDrop={() => setFilter({ ...filter, text: '' })} />
      )}
      {activeKinds(filter).map((kind) => (
        <Chip
          key={kind}
          name={KIND_NAMES[kind]}
          value={filter[kind].map((value) => valueName(kind, value, names)).join(' or ')}
          onDrop={() => setFilter({ ...filter, [kind]: [] })}
        />
      ))}
      {isFiltered && (
        <button type="button" className="button quiet" onClick={() => setFilter(NO_FILTER)}>
          Clear
        </button>
      )}
      <span className="soft" aria-live="polite">
        {hiddenCount ? `${hiddenCount} hidden` : 'No tasks hidden'}
      </span>
    </section>
  )
})

interface ChipProps {
  name: string
  value: string
  onDrop(): void
}

const Chip = ({ name, value, onDrop }: ChipProps) => (
  <span className="chip">
    <span className="soft">{name}</span> {value}
    <button type="button" className="button quiet only" onClick={onDrop}>
      <Icon name="close" label={`Remove filter: ${name}`} />
    </button>
  </span>
)
