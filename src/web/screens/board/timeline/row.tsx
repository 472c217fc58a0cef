import { memo } from 'react'
import { RoleIcon } from '../../../entities/board/role-icon.tsx'
import { Avatar } from '../../../entities/user/avatar.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import { type CardProps, Title } from '../card/card.tsx'
import { People } from '../card/card-fields.tsx'
import { currentCards } from '../change.ts'
import type { TaskColor } from '../colors/model.ts'
import { type Days, setDates } from '../dates.ts'
import type { BoardLayoutProps } from '../layout-props.ts'
import { spanText } from '../span.ts'
import { TimeBar } from './bar.tsx'
import { DrawTrack } from './draw-track.tsx'
import { datesOfSpan } from './new-dates.ts'
import type { Group } from './rows.ts'
import type { Scale } from './scale.ts'

interface HeadProps {
  group: Group
  isCollapsed: boolean
  scale: Scale
  onToggle(key: string): void
  /** Opens the field for a new task, perhaps with the dates that were drawn. */
  onAdd: ((days?: Days) => void) | undefined
}

/** The head of a group. Dragging across its empty row adds a task with these dates. */
export const GroupHead = ({ group, isCollapsed, scale, onToggle, onAdd }: HeadProps) => {
  const { name, total } = group
  return (
    <div className="time-row group-row">
      <div className="row-name group">
        <h2>
          <button
            type="button"
            className="button quiet fold"
            aria-expanded={!isCollapsed}
            onClick={() => onToggle(group.key)}
          >
            <Icon name="chevron" />
            <GroupMark group={group} />
            <span className="name truncate" dir="auto">
              {name}
            </span>
            <span className="count">{total}</span>
          </button>
        </h2>
        {onAdd && (
          <button type="button" className="button quiet only" onClick={() => onAdd()}>
            <Icon name="plus" label={t('board.add_a_task_to_name', { name })} />
          </button>
        )}
      </div>
      {onAdd && <DrawTrack scale={scale} title={t('board.drag_to_add_a_task')} onDrawn={onAdd} />}
    </div>
  )
}

const GroupMark = ({ group: { lane, column } }: Pick<HeadProps, 'group'>) => (
  <>
    {lane?.actor && <Avatar actor={lane.actor} />}
    {lane?.label && <span className="dot" style={{ background: lane.label.color }} />}
    {column && <RoleIcon column={column} />}
  </>
)

interface Props extends CardProps {
  days: Days | undefined
  scale: Scale
  project_id: number
  /** The selected tasks if this one is selected; they move with it. */
  selectedIds: ReadonlySet<number> | undefined
  color: TaskColor | undefined
  /** The board can be changed. */
  canDraw: boolean
  onChange: BoardLayoutProps['onChange']
}

/** The row of a task: its name at the left, its bar on the axis. */
export const TaskRow = memo(function TaskRow({ days, scale, project_id, ...rest }: Props) {
  const { card, actors, active, isSelected, done, onOpen, selectedIds, onChange, color, canDraw } =
    rest
  const state = ['time-row', active && 'active', isSelected && 'chosen', done && 'done']
  return (
    <article className={state.filter(Boolean).join(' ')} data-task={card.task_id}>
      <div className="row-name">
        <span className="key">{card.ticket_number}</span>
        <Title {...rest} />
        {card.overdue && <Icon name="bell" label={t('common.overdue')} />}
        {card.blocked && <Icon name="blocked" label={t('common.blocked_by_another_task')} />}
        {days && <span className="unseen">{spanText(days)}</span>}
        <People {...{ card, actors }} />
      </div>
      {days ? (
        <TimeBar
          {...{ card, days, scale, project_id, selectedIds, done, color }}
          onOpen={() => onOpen(card, { shiftKey: false, ctrlKey: false, metaKey: false })}
        />
      ) : (
        <>
          {canDraw && (
            <DrawTrack
              scale={scale}
              title={t('board.drag_to_set_dates')}
              onDrawn={(drawn) => void setSpan(project_id, card.task_id, drawn)}
            />
          )}
          <button
            type="button"
            className="button quiet set-dates"
            aria-label={t('board.set_dates_for_ticket_number', {
              ticket_number: card.ticket_number,
            })}
            onClick={() => onChange('due', [card.task_id])}
          >
            <Icon name="calendar" />
            {t('board.set_dates')}
          </button>
        </>
      )}
    </article>
  )
})

const setSpan = (project_id: number, task_id: number, days: Days) =>
  setDates(project_id, currentCards(project_id, [task_id]), () => datesOfSpan(days), spanText(days))
