import { memo } from 'react'
import { Avatar } from '../../../entities/user/avatar.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import { type CardProps, People, Title } from '../card.tsx'
import type { Days } from '../dates.ts'
import { spanText, TimeBar } from './bar.tsx'
import type { Group } from './rows.ts'
import type { Scale } from './scale.ts'

interface HeadProps {
  group: Group
  onAdd: (() => void) | undefined
}

export const GroupHead = ({ group: { name, total, lane, column }, onAdd }: HeadProps) => (
  <div className="row-name group">
    <h2>
      {lane?.actor && <Avatar actor={lane.actor} />}
      {lane?.label && <span className="dot" style={{ background: lane.label.color }} />}
      <span className="name truncate" dir="auto">
        {name}
      </span>
      {column?.done && <Icon name="done" label={t('common.counts_as_done')} />}
      <span className="count">{total}</span>
    </h2>
    {onAdd && (
      <button type="button" className="button quiet only" onClick={onAdd}>
        <Icon name="plus" label={t('board.add_a_task_to_name', { name })} />
      </button>
    )}
  </div>
)

interface Props extends CardProps {
  days: Days | undefined
  scale: Scale
  project_id: number
  /** The selected tasks if this one is selected, otherwise only this one. */
  ids: readonly number[]
  onDate(task_id: number): void
}

/** The row of a task: its name at the left, its bar on the axis. */
export const TaskRow = memo(function TaskRow({ days, scale, project_id, ...rest }: Props) {
  const { card, actors, active, isSelected, done, onOpen, ids, onDate } = rest
  const state = ['time-row', active && 'active', isSelected && 'chosen', done && 'done']
  return (
    <article className={state.filter(Boolean).join(' ')} data-task={card.task_id}>
      <div className="row-name">
        <span className="key">{card.ticket_number}</span>
        <Title {...rest} />
        {card.blocked && <Icon name="blocked" label={t('common.blocked_by_another_task')} />}
        {days && <span className="unseen">{spanText(days)}</span>}
        <People {...{ card, actors }} />
      </div>
      {days ? (
        <TimeBar
          {...{ card, days, scale, project_id, ids, done }}
          onOpen={() => onOpen(card, { shiftKey: false, ctrlKey: false, metaKey: false })}
        />
      ) : (
        <button
          type="button"
          className="button quiet set-dates"
          aria-label={t('board.set_dates_for_ticket_number', { ticket_number: card.ticket_number })}
          onClick={() => onDate(card.task_id)}
        >
          <Icon name="calendar" />
          {t('board.set_dates')}
        </button>
      )}
    </article>
  )
})
