import type { VirtualItem } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { CardView } from '../card.tsx'
import type { Column } from '../data.ts'
import type { LaidProps } from '../laid.tsx'
import type { LaneKind } from '../layouts.ts'
import { QuickAdd } from '../quick-add.tsx'
import { useDropInLane } from './drop.ts'
import { type Lane, usualIn } from './model.ts'

/** The cell that a new task is typed in. */
export interface Typing {
  lane: string
  section_id: number
}

export interface CellProps extends LaidProps {
  kind: LaneKind
  /** The lane that the keys are in: a card may stand in several. */
  here: string | undefined
  typing: Typing | undefined
  setTyping(typing: Typing | undefined): void
  onMade(lane: Lane): ((task_id: number) => void) | undefined
}

interface LineProps extends CellProps {
  lane: Lane
  /** The columns that can be seen. */
  seen: readonly VirtualItem[]
}

/** One card of each cell of a lane. */
export function CardsLine({ lane, row, seen, ...rest }: LineProps & { row: number }) {
  const { shown, here, active, chosen, actors, labels, onOpen, onReach, parentOf } = rest
  const shared = { actors, labels, onOpen, onReach, parentOf }
  return seen.map(({ index }) => {
    const column = shown[index]!
    const card = lane.cells[index]?.[row]
    return (
      <Slot key={column.section_id} {...{ lane, column, index }}>
        {card && (
          <CardView
            card={card}
            active={card.task_id === active && here === lane.key}
            chosen={chosen.has(card.task_id)}
            done={column.done}
            {...shared}
          />
        )}
      </Slot>
    )
  })
}

/** Below the cards of a lane: what adds one to each of its cells. */
export function EndLine({ lane, seen, ...rest }: LineProps) {
  const { shown, kind, usual, project_id, typing, setTyping, onAdd, onMade } = rest
  return seen.map(({ index }) => {
    const column = shown[index]!
    const { section_id } = column
    const cell = { lane: lane.key, section_id }
    const place = `in ${column.title}, ${lane.name}`
    const isTyping = typing?.lane === lane.key && typing.section_id === section_id
    return (
      <Slot key={section_id} {...{ lane, column, index }}>
        {isTyping ? (
          <QuickAdd
            {...{ project_id, column, place }}
            usual={usualIn(kind, lane, usual)}
            onMade={onMade(lane)}
            onAdded={() => {}}
            onClose={() => setTyping(undefined)}
            onLost={() => setTyping(cell)}
          />
        ) : (
          onAdd && (
            <button type="button" className="button quiet" onClick={() => setTyping(cell)}>
              <Icon name="plus" label={`Add a task ${place}`} />
            </button>
          )
        )}
      </Slot>
    )
  })
}

interface SlotProps {
  lane: Lane
  column: Column
  index: number
  children: ReactNode
}

/** A column's place in a lane, where cards are dropped. */
export function Slot({ lane, column, index, children }: SlotProps) {
  const element = useRef<HTMLDivElement>(null)
  useDropInLane(element, column.section_id)
  return (
    <div
      ref={element}
      className="slot"
      data-column={column.section_id}
      data-lane={lane.key}
      style={{ gridColumn: index + 1 }}
    >
      {children}
    </div>
  )
}
