import { memo } from 'react'
import { useAsk } from '../data/cache.ts'
import { Icon } from '../parts/icon.tsx'
import type { Shared } from './card.tsx'
import type { Board } from './data.ts'
import { EVERYTHING } from './filter.ts'
import type { Look } from './look.ts'
import { KIND_NAMES, kindsIn, valueName } from './words.ts'

interface Props extends Pick<Shared, 'actors' | 'labels'> {
  board: Board
  look: Look
  /** Tasks of the columns that are shown which the filter leaves out. */
  left: number
}

/** What the board is narrowed down to; each part can be taken away. */
export const Chips = memo(function Chips({ board, look, left, actors, labels }: Props) {
  const { filter, setFilter, isNarrow, isServed, view } = look
  const { project_id } = board
  const { data } = useAsk('projects.members', { project_id, limit: 50 }, { enabled: isNarrow })
  if (!isNarrow && !isServed) return null
  const names = { actors, labels, members: data?.items ?? [] }
  return (
    <section className="chips" aria-label="Filter">
      {isServed && view && <span className="chip">As {view.title} says</span>}
      {filter.text && (
        <Chip name="Text" value={filter.text} onDrop={() => setFilter({ ...filter, text: '' })} />
      )}
      {kindsIn(filter).map((kind) => (
        <Chip
          key={kind}
          name={KIND_NAMES[kind]}
          value={filter[kind].map((one) => valueName(kind, one, names)).join(' or ')}
          onDrop={() => setFilter({ ...filter, [kind]: [] })}
        />
      ))}
      {isNarrow && (
        <button type="button" className="button quiet" onClick={() => setFilter(EVERYTHING)}>
          Clear
        </button>
      )}
      <span className="soft" aria-live="polite">
        {left ? `${left} hidden` : 'Nothing is hidden'}
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
      <Icon name="close" label={`Remove the filter ${name}`} />
    </button>
  </span>
)
