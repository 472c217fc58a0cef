import { Fragment, type ReactNode, useContext } from 'react'
import type { Card, Label } from '../../../entities/board/data.ts'
import { Priority } from '../../../entities/task/priority.tsx'
import { TASK_FIELDS, valueName } from '../../../entities/task/task-fields.tsx'
import type { Actor, ActorKey } from '../../../entities/user/actor.ts'
import { Avatar, actorLabel } from '../../../entities/user/avatar.tsx'
import { dueText } from '../../../kit/dates.ts'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import type { EditableField } from '../keys.ts'
import { CardActionsContext } from './card-actions.ts'

interface ChipProps {
  card: Card
  what: EditableField
  /** The field and its value, for screen readers. */
  label: string
  title?: string | undefined
  className: string
  children: ReactNode
}

/**
 * A value on a card, which opens its picker. It is no tab stop: F2 focuses the first chip of a card,
 * and the arrow keys the others.
 */
export function Chip({ card, what, label, title, className, children }: ChipProps) {
  const actions = useContext(CardActionsContext)
  // A card that the server has not created yet cannot be changed.
  if (!actions || card.task_id < 0)
    return (
      <span className={className} title={title}>
        {children}
      </span>
    )
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`${className} field-chip`}
      data-chip={what}
      aria-label={label}
      aria-haspopup={what === 'due' ? 'dialog' : 'listbox'}
      title={title}
      onClick={({ currentTarget }) => actions.edit(card, what, currentTarget)}
    >
      {children}
    </button>
  )
}

/** The holder of the lease first, then the assignees. */
export function People({ card, actors }: { card: Card; actors: ReadonlyMap<ActorKey, Actor> }) {
  const holder = card.lease && actors.get(card.lease.holder)
  const assignees = (card.assignees ?? []).flatMap((key) => actors.get(key) ?? [])
  const shown = holder && !assignees.includes(holder) ? [holder, ...assignees] : assignees
  if (!shown.length) return null
  const names = shown.map((actor) => actorLabel({ actor, busy: actor === holder })).join('; ')
  return (
    <Chip
      {...{ card, what: 'assign', className: 'avatars' }}
      label={t('board.assignees_names', { names })}
    >
      {shown.slice(0, 3).map((actor) => (
        <Avatar key={actor.user_id ?? actor.agent_id} actor={actor} busy={actor === holder} />
      ))}
    </Chip>
  )
}

/** The fields that a card shows. */
const CARD_FIELDS = TASK_FIELDS.filter(({ isOnCard }) => isOnCard)

export const FieldChips = ({ card }: { card: Card }) =>
  CARD_FIELDS.map((field) => {
    const { name, label, noun } = field
    const value = card[name]
    if (!value) return null
    const isPriority = name === 'priority'
    return (
      <Chip
        key={name}
        {...{ card, what: noun as EditableField, title: label }}
        className={isPriority ? 'meta' : 'tag'}
        label={t('board.field_value', { field: label, value: valueName(field, value) })}
      >
        {isPriority ? <Priority value={value} /> : valueName(field, value)}
      </Chip>
    )
  })

export function DueChip({ card }: { card: Card }) {
  if (!card.due_date) return null
  const { short, full } = dueText(card.due_date)
  const field = card.overdue ? t('common.overdue') : t('common.due')
  return (
    <Chip
      {...{ card, what: 'due', title: full }}
      className={`meta${card.overdue ? ' late' : ''}`}
      label={t('board.field_value', { field, value: short })}
    >
      <Icon name="calendar" label={field} />
      {short}
    </Chip>
  )
}

const MAX_LABELS = 4

interface LabelsProps {
  card: Card
  labels: ReadonlyMap<number, Label>
}

/** The first labels; the others as a number with their names in the tooltip. */
export function LabelsChip({ card, labels }: LabelsProps) {
  const all = (card.labels ?? []).flatMap((id) => labels.get(id) ?? [])
  if (!all.length) return null
  const names = all.map(({ name }) => name)
  const hidden = names.slice(MAX_LABELS).join(', ')
  const shown = names.slice(0, MAX_LABELS).join(', ')
  const hiddenText = `+${names.length - MAX_LABELS}`
  // The name of the button has the visible words in their order, which speech input relies on.
  const spoken = hidden ? `${shown} ${hiddenText} (${hidden})` : shown
  return (
    <Chip
      {...{ card, what: 'label', className: 'meta-list' }}
      label={t('board.labels_names', { names: spoken })}
      title={hidden ? names.join(', ') : undefined}
    >
      {all.slice(0, MAX_LABELS).map(({ label_id, name, color }, index) => (
        <Fragment key={label_id}>
          {index > 0 && ' '}
          <span className="meta">
            <span className="dot" style={{ background: color }} />
            {name}
          </span>
        </Fragment>
      ))}
      {hidden && (
        <span className="meta" title={hidden}>
          <span aria-hidden="true"> {hiddenText}</span>
          <span className="unseen"> {t('board.and_names', { names: hidden })}</span>
        </span>
      )}
    </Chip>
  )
}
