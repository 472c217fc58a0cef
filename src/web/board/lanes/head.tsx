import type { VirtualItem } from '@tanstack/react-virtual'
import { useSearchParams } from 'wouter'
import { Avatar } from '../../parts/avatar.tsx'
import { Icon } from '../../parts/icon.tsx'
import type { Column } from '../data.ts'
import { Slot } from './line.tsx'
import type { Lane } from './model.ts'

interface Props {
  lane: Lane
  isShut: boolean
  shown: readonly Column[]
  seen: readonly VirtualItem[]
  onTurn(key: string): void
}

/** Whose lane it is and how much is in it; shut, it still takes what is put down on it. */
export function LaneHead({ lane, isShut, shown, seen, onTurn }: Props) {
  const { key, name, actor, label, total, cells } = lane
  return (
    <>
      <h2 className="lane-name">
        <button
          type="button"
          className="button quiet"
          aria-expanded={!isShut}
          onClick={() => onTurn(key)}
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
      {isShut &&
        seen.map(({ index }) => (
          <Shut
            key={shown[index]!.section_id}
            {...{ lane, index }}
            column={shown[index]!}
            many={cells[index]?.length ?? 0}
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
    <button type="button" className="button quiet" title="Open the parent" onClick={open}>
      {ticket_number}
    </button>
  )
}

interface ShutProps {
  lane: Lane
  column: Column
  index: number
  many: number
}

const Shut = ({ many, ...place }: ShutProps) => (
  <Slot {...place}>{many > 0 && <span className="count">{many}</span>}</Slot>
)
