import { useRef } from 'react'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import { type CardProps, Title } from '../card/card.tsx'
import { People } from '../card/card-fields.tsx'
import { markStyle, type TaskColor } from '../colors/model.ts'
import { useDragDay } from './bar.tsx'
import type { Item } from './model.ts'
import type { DaysProps } from './types.ts'

type Rest = Pick<CardProps, 'actors' | 'labels' | 'onOpen' | 'onActivate' | 'parentOf'>
type Props = Pick<DaysProps, 'active' | 'selectedIds' | 'colorOf' | keyof Rest> & {
  items: readonly Item[]
}

/** The tasks of a day as a list. */
export const Entries = ({ items, active, selectedIds, actors, labels, ...rest }: Props) => {
  const { onOpen, onActivate, parentOf, colorOf } = rest
  return (
    <ul className="entries">
      {items.map(({ key, card, done, isOccurrence }) => (
        <li key={key}>
          <Entry
            {...{ card, done, actors, labels, onOpen, onActivate, parentOf }}
            isOccurrence={isOccurrence ?? false}
            color={colorOf(card)}
            active={card.task_id === active && !isOccurrence}
            isSelected={selectedIds.has(card.task_id)}
          />
        </li>
      ))}
    </ul>
  )
}

interface EntryProps extends CardProps {
  isOccurrence: boolean
  color: TaskColor | undefined
}

/** A row that can be dragged to another day. */
export function Entry({ isOccurrence, color, ...props }: EntryProps) {
  const { card, active, isSelected, done, actors, labels } = props
  const element = useRef<HTMLElement>(null)
  useDragDay(element, card.task_id, isOccurrence)
  const [label] = (card.labels ?? []).flatMap((id) => labels.get(id) ?? [])
  const state = ['day-task', active && 'active', isSelected && 'chosen', done && 'done']
  return (
    <article
      ref={element}
      className={[...state, color && 'colored', isOccurrence && 'again', card.overdue && 'late']
        .filter(Boolean)
        .join(' ')}
      {...(!isOccurrence && { 'data-task': card.task_id })}
      style={markStyle(color)}
      title={color?.name}
    >
      <span className="key minor">{card.ticket_number}</span>
      {isOccurrence && <Icon name="repeat" label={t('board.repeats')} />}
      {label && <span className="dot" style={{ background: label.color }} />}
      <Title {...props} />
      <People {...{ card, actors }} />
    </article>
  )
}
