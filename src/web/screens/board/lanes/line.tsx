import type { VirtualItem } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import type { Card, Column } from '../../../entities/board/data.ts'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import { CardView } from '../card/card.tsx'
import type { LaneKind } from '../layout-address.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { QuickAdd } from '../quick-add/quick-add.tsx'
import { useDropInLane } from './drop.ts'
import { type Part, partOf } from './lines.ts'
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
  /** Shows all cards of a lane. */
  expand(lane: Lane): void
}

interface LineProps extends CellProps {
  lane: Lane
  part: Part
  /** The visible columns. */
  visible: readonly VirtualItem[]
}

/** A part of a lane: its cells beside each other, each as high as its cards. */
export const CardsLine = ({ lane, part, visible, ...rest }: LineProps) =>
  visible.map(({ index }) => {
    const column = rest.shown[index]!
    const { cards, isEnd, hiddenCount } = partOf(lane.cells[index] ?? [], part)
    return (
      <LaneCell key={column.section_id} {...{ lane, column, index }}>
        {cards.length > 0 && <Cards {...rest} {...{ lane, column, cards }} />}
        {hiddenCount > 0 && (
          <button
            type="button"
            className="button quiet more-cards"
            onClick={() => rest.expand(lane)}
          >
            {t('board.show_count_more', { count: hiddenCount })}
          </button>
        )}
        {isEnd && <CellEnd {...rest} {...{ lane, column }} />}
      </LaneCell>
    )
  })

interface CardsProps extends CellProps {
  lane: Lane
  column: Column
  cards: readonly Card[]
}

const Cards = ({ lane, column, cards, ...rest }: CardsProps) => {
  const { activeLane, active, selectedIds, actors, labels, onOpen, onActivate, parentOf } = rest
  return (
    <ul className="lane-cards-list">
      {cards.map((card) => (
        <li key={card.task_id}>
          <CardView
            {...{ card, actors, labels, onOpen, onActivate, parentOf }}
            active={card.task_id === active && activeLane === lane.key}
            isSelected={selectedIds.has(card.task_id)}
            done={column.done}
          />
        </li>
      ))}
    </ul>
  )
}

interface CellEndProps extends CellProps {
  lane: Lane
  column: Column
}

/** The button for a new task below the cards of a cell, or the field that it opens. */
export function CellEnd({ lane, column, ...rest }: CellEndProps) {
  const { kind, newTaskDefaults, project_id, newTaskCell, setNewTaskCell, onAdd, onCreated } = rest
  const { section_id } = column
  const cell = { lane: lane.key, section_id }
  const placeName = t('board.in_title_name', { title: column.title, name: lane.name })
  const isTyping = newTaskCell?.lane === lane.key && newTaskCell.section_id === section_id
  if (isTyping)
    return (
      <QuickAdd
        {...{ project_id, column, placeName }}
        newTaskDefaults={laneDefaults(kind, lane, newTaskDefaults)}
        onCreated={onCreated(lane)}
        onAdded={() => {}}
        onClose={() => setNewTaskCell(undefined)}
        onRefused={() => setNewTaskCell(cell)}
      />
    )
  if (!onAdd) return null
  return (
    <button type="button" className="button quiet add-here" onClick={() => setNewTaskCell(cell)}>
      <Icon name="plus" label={t('board.add_a_task_place', { place: placeName })} />
    </button>
  )
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
