import type { VirtualItem } from '@tanstack/react-virtual'
import { t } from '../../../messages/t.ts'
import type { TaskColors } from '../colors/use-task-colors.ts'
import type { Days } from '../dates.ts'
import { laneDefaults } from '../lanes/model.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { QuickAdd } from '../quick-add/quick-add.tsx'
import { DrawnBar } from './draw-track.tsx'
import { datesOfSpan } from './new-dates.ts'
import { GroupHead, TaskRow } from './row.tsx'
import type { Group, Row } from './rows.ts'
import type { Scale } from './scale.ts'

/** The group that a new task is added to, and its dates if they were drawn. */
export interface NewTask {
  group: string
  days?: Days | undefined
}

interface RowsProps extends Omit<RowProps, 'row'> {
  rows: readonly Row[]
  visible: readonly VirtualItem[]
  /** The height above the first row. */
  margin: number
}

/** The visible rows. */
export const Rows = ({ rows, visible, margin, ...rest }: RowsProps) => (
  <ul>
    {visible.map(({ index, key, start }) => (
      <li key={key} style={{ transform: `translateY(${start - margin}px)` }}>
        <RowView {...rest} row={rows[index]!} />
      </li>
    ))}
  </ul>
)

interface RowProps extends BoardLayoutProps {
  row: Row
  scale: Scale
  colors: TaskColors
  newTask: NewTask | undefined
  setNewTask(newTask: NewTask | undefined): void
  add(group: Group, days?: Days): void
  toggle(key: string): void
}

function RowView({ row, scale, newTask, setNewTask, add, toggle, colors, ...rest }: RowProps) {
  const { active, selectedIds, actors, labels, onOpen, onActivate, parentOf, project_id } = rest
  const { onAdd, onChange } = rest
  if (row.is === 'head')
    return (
      <GroupHead
        {...{ group: row.group, isCollapsed: row.isCollapsed, scale, onToggle: toggle }}
        onAdd={onAdd && ((days) => add(row.group, days))}
      />
    )
  if (row.is === 'field')
    return <Field {...rest} {...{ group: row.group, scale, days: newTask?.days, setNewTask }} />
  const { card, days, done } = row
  const isChosen = selectedIds.has(card.task_id)
  return (
    <TaskRow
      {...{ card, days, done, scale, project_id, actors, labels, onOpen, onActivate, parentOf }}
      active={card.task_id === active}
      isSelected={isChosen}
      {...{ onChange, color: colors.colorOf(card) }}
      selectedIds={isChosen ? selectedIds : undefined}
      canDraw={onAdd !== undefined && card.task_id > 0}
    />
  )
}

interface FieldProps extends BoardLayoutProps {
  group: Group
  scale: Scale
  /** The dates of the new task, if they were drawn. */
  days: Days | undefined
  setNewTask(newTask: NewTask | undefined): void
}

/** A field for a new task of the group; in a lane it goes to the first open column. */
function Field({
  group,
  scale,
  days,
  setNewTask,
  project_id,
  newTaskDefaults,
  shown,
  boardQuery,
}: FieldProps) {
  const column = group.column ?? shown.find(({ done }) => !done) ?? shown[0]!
  return (
    <div className="time-row">
      <div className="row-name">
        <QuickAdd
          {...{ project_id, column }}
          placeName={t('board.in_name', { name: group.name })}
          newTaskDefaults={{
            ...(group.lane && boardQuery.lanes
              ? laneDefaults(boardQuery.lanes, group.lane, newTaskDefaults)
              : newTaskDefaults),
            ...(days && datesOfSpan(days)),
          }}
          onAdded={() => {}}
          onClose={() => setNewTask(undefined)}
          onRefused={() => setNewTask({ group: group.key, days })}
        />
      </div>
      {days && (
        <div className="draw-track">
          <DrawnBar scale={scale} days={days} />
        </div>
      )}
    </div>
  )
}
