import type { VirtualItem } from '@tanstack/react-virtual'
import { useSearchParams } from 'wouter'
import type { Column } from '../../../entities/board/data.ts'
import { Avatar } from '../../../entities/user/avatar.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import { LaneCell } from './line.tsx'
import type { Lane } from './model.ts'

interface Props {
  lane: Lane
  isCollapsed: boolean
  shown: readonly Column[]
  visible: readonly VirtualItem[]
  onToggle(key: string): void
}

/** The name and the count of a lane. A collapsed lane still accepts drops. */
export function LaneHead({ lane, isCollapsed, shown, visible, onToggle }: Props) {
  const { key, name, actor, label, total, cells } = lane
  return (
    <>
      <h2 className="lane-name">
        <button
          type="button"
          className="button quiet"
          aria-expanded={!isCollapsed}
          onClick={() => onToggle(key)}
        >
          <Icon name="chevron" />
          {actor && <Avatar actor={actor} />}
          {label && <span className="dot" style={{ background: label.color }} />}
          <span className="name" dir="auto">
            {name}
          </span>
          <span className="count">
            {total}
            <span className="unseen">{total === 1 ? ' task' : ' tasks'}</span>
          </span>
        </button>
        <OpenParent lane={lane} />
      </h2>
      {isCollapsed &&
        visible.map(({ index }) => (
          <CollapsedCell
            key={shown[index]!.section_id}
            {...{ lane, index }}
            column={shown[index]!}
            count={cells[index]?.length ?? 0}
          />
        ))}
    </>
  )
}

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

interface CollapsedCellProps {
  lane: Lane
  column: Column
  index: number
  count: number
}

const CollapsedCell = ({ count, ...place }: CollapsedCellProps) => (
  <LaneCell {...place}>{count > 0 && <span className="count">{count}</span>}</LaneCell>
)
