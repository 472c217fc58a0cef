import { memo } from 'react'
import { useOperation } from '../../data/cache.ts'
import type { Board } from '../../entities/board/data.ts'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import type { BoardQuery } from './board-query.ts'
import type { Shared } from './card.tsx'
import { NO_FILTER } from './filter.ts'
import { activeKinds, KIND_NAMES, valueName } from './filter-text.ts'

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
    <section className="chips" aria-label={t('board.filter')}>
      {isServerSide && view && (
        <span className="chip">{t('board.view_title', { title: view.title })}</span>
      )}
      {filter.text && (
        <Chip
          name={t('common.text')}
          value={filter.text}
          onDrop={() => setFilter({ ...filter, text: '' })}
        />
      )}
      {activeKinds(filter).map((kind) => (
        <Chip
          key={kind}
          name={KIND_NAMES[kind]}
          value={filter[kind]
            .map((value) => valueName(kind, value, names))
            .join(` ${t('board.or')} `)}
          onDrop={() => setFilter({ ...filter, [kind]: [] })}
        />
      ))}
      {isFiltered && (
        <button type="button" className="button quiet" onClick={() => setFilter(NO_FILTER)}>
          {t('common.clear')}
        </button>
      )}
      <span className="soft" aria-live="polite">
        {hiddenCount ? t('board.count_hidden', { count: hiddenCount }) : t('board.no_tasks_hidden')}
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
      <Icon name="close" label={t('board.remove_filter_name', { name })} />
    </button>
  </span>
)
