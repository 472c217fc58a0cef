import type { VirtualItem } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import type { Column } from '../../../entities/board/data.ts'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import { CardView } from '../card.tsx'
import type { LaneKind } from '../layout-address.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { QuickAdd } from '../quick-add.tsx'
import { useDropInLane } from './drop.ts'
import { type Lane, laneDefaults } from './model.ts'

/** The cell with the field for a new task. */
export interface NewTaskCell {
  lane: string
  section_id: number
}

export interface CellProps extends BoardLayoutProps {
  kind: LaneKind
  /** The lane of the active card; a card may be in several lanes. */
  activeLane: string | undefined
  newTaskCell: NewTaskCell | undefined
  setNewTaskCell(newTaskCell: NewTaskCell | undefined): void
  onCreated(lane: Lane): ((task_id: number) => void) | undefined
}

interface LineProps extends CellProps {
  lane: Lane
  /** The visible columns. */
  visible: readonly VirtualItem[]
}

/** A row of a lane: one card of each of its cells. */
export function CardsLine({ lane, row, visible, ...rest }: LineProps & { row: number }) {
  const { shown, activeLane, active, selectedIds, actors, labels, onOpen, onActivate, parentOf } =
    rest
  const shared = { actors, labels, onOpen, onActivate, parentOf }
  return visible.map(({ index }) => {
    const column = shown[index]!
    const card = lane.cells[index]?.[row]
    return (
      <LaneCell key={column.section_id} {...{ lane, column, index }}>
        {card && (
          <CardView
            card={card}
            active={card.task_id === active && activeLane === lane.key}
            isSelected={selectedIds.has(card.task_id)}
            done={column.done}
            {...shared}
          />
        )}
      </LaneCell>
    )
  })
}

/** The last row of a lane: a button for a new task in each cell. */
export function EndLine({ lane, visible, ...rest }: LineProps) {
  const {
    shown,
    kind,
    newTaskDefaults,
    project_id,
    newTaskCell,
    setNewTaskCell,
    onAdd,
    onCreated,
  } = rest
  return visible.map(({ index }) => {
    const column = shown[index]!
    const { section_id } = column
    const cell = { lane: lane.key, section_id }
    const placeName = t('board.in_title_name', { title: column.title, name: lane.name })
    const isTyping = newTaskCell?.lane === lane.key && newTaskCell.section_id === section_id
    return (
      <LaneCell key={section_id} {...{ lane, column, index }}>
        {isTyping ? (
          <QuickAdd
            {...{ project_id, column, placeName }}
            newTaskDefaults={laneDefaults(kind, lane, newTaskDefaults)}
            onCreated={onCreated(lane)}
            onAdded={() => {}}
            onClose={() => setNewTaskCell(undefined)}
            onRefused={() => setNewTaskCell(cell)}
          />
        ) : (
          onAdd && (
            <button type="button" className="button quiet" onClick={() => setNewTaskCell(cell)}>
              <Icon name="plus" label={t('board.add_a_task_place', { place: placeName })} />
            </button>
          )
        )}
      </LaneCell>
    )
  })
}

interface LaneCellProps {
  lane: Lane
  column: Column
  index: number
  children: ReactNode
}

/** A cell of a lane, into which cards can be dropped. */
export function LaneCell({ lane, column, index, children }: LaneCellProps) {
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
