import { useRef } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { type CardProps, People, Title } from '../card.tsx'
import { useDragDay } from './bar.tsx'
import type { Item } from './model.ts'
import type { DaysProps } from './view.tsx'

type Rest = Pick<CardProps, 'actors' | 'labels' | 'onOpen' | 'onReach' | 'parentOf'>
type Props = Pick<DaysProps, 'active' | 'chosen' | keyof Rest> & { items: readonly Item[] }

/** Tasks of a day below each other. */
export const Entries = ({ items, active, chosen, actors, labels, ...rest }: Props) => {
  const { onOpen, onReach, parentOf } = rest
  return (
    <ul className="entries">
      {items.map(({ key, card, done, isAgain }) => (
        <li key={key}>
          <Entry
            {...{ card, done, actors, labels, onOpen, onReach, parentOf }}
            isAgain={isAgain ?? false}
            active={card.task_id === active && !isAgain}
            chosen={chosen.has(card.task_id)}
          />
        </li>
      ))}
    </ul>
  )
}

/** A line of a list of tasks, by which it can be taken to a day. */
export function Entry({ isAgain, ...props }: CardProps & { isAgain: boolean }) {
  const { card, active, chosen, done, actors, labels } = props
  const element = useRef<HTMLElement>(null)
  useDragDay(element, card.task_id, isAgain)
  const [label] = (card.labels ?? []).flatMap((id) => labels.get(id) ?? [])
  const state = ['day-task', active && 'active', chosen && 'chosen', done && 'done']
  return (
    <article
      ref={element}
      className={[...state, isAgain && 'again', card.overdue && 'late'].filter(Boolean).join(' ')}
      {...(!isAgain && { 'data-task': card.task_id })}
    >
      <span className="key">{card.ticket_number}</span>
      {isAgain && <Icon name="repeat" label="Comes again" />}
      {label && <span className="dot" style={{ background: label.color }} />}
      <Title {...props} />
      <People {...{ card, actors }} />
    </article>
  )
}
