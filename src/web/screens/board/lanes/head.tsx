import type { VirtualItem } from '@tanstack/react-virtual'
import { useSearchParams } from 'wouter'
import { Avatar } from '../../../entities/user/avatar.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import { CellEnd, type CellProps, LaneCell } from './line.tsx'
import type { Lane } from './model.ts'

interface Props {
  lane: Lane
  isCollapsed: boolean
  cell: CellProps
  visible: readonly VirtualItem[]
  onToggle(key: string): void
}

/**
 * The name and the count of a lane. A collapsed lane still accepts drops, and an empty one also new
 * tasks.
 */
export function LaneHead({ lane, isCollapsed, cell, visible, onToggle }: Props) {
  const { key, total, cells } = lane
  const { shown } = cell
  return (
    <>
      <h2 className="lane-name">
        {total ? (
          <button
            type="button"
            className="button quiet"
            aria-expanded={!isCollapsed}
            onClick={() => onToggle(key)}
          >
            <Icon name="chevron" />
            <LaneName lane={lane} />
          </button>
        ) : (
          <span className="lane-label">
            <LaneName lane={lane} />
          </span>
        )}
        <OpenParent lane={lane} />
      </h2>
      {isCollapsed &&
        visible.map(({ index }) => {
          const column = shown[index]!
          return (
            <LaneCell key={column.section_id} {...{ lane, index, column }}>
              {total ? (
                <CellCount count={cells[index]?.length ?? 0} />
              ) : (
                <CellEnd {...cell} {...{ lane, column }} />
              )}
            </LaneCell>
          )
        })}
    </>
  )
}

const CellCount = ({ count }: { count: number }) =>
  count > 0 && <span className="count">{count}</span>

const LaneName = ({ lane: { name, actor, label, total } }: Pick<Props, 'lane'>) => (
  <>
    {actor && <Avatar actor={actor} />}
    {label && <span className="dot" style={{ background: label.color }} />}
    <span className="name" dir="auto">
      {name}
    </span>
    <span className="count">
      {total}
      <span className="unseen">{t('board.tasks_after_count', { count: total })}</span>
    </span>
  </>
)

function OpenParent({ lane: { parent } }: { lane: Lane }) {
  const [, setQuery] = useSearchParams()
  if (!parent) return null
  const { ticket_number } = parent
  const open = () =>
    setQuery((query) => {
      query.set('task', ticket_number)
      return query
    })
  return (
    <button
      type="button"
      className="button quiet"
      title={t('board.open_parent_task')}
      onClick={open}
    >
      {ticket_number}
    </button>
  )
}
