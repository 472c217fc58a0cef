import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { memo, type RefObject, useEffect, useRef } from 'react'
import { clock } from '../../parts/dates.ts'
import { Icon } from '../../parts/icon.tsx'
import { type CardProps, People, Title } from '../card.tsx'
import { dayBelow, isTouched, markCarried } from '../touch.ts'
import type { Bar, Item } from './model.ts'
import type { DaysProps } from './view.tsx'

/** Something with a date that can be taken; what it knows of is the day that it was taken on. */
export function useDragDay(ref: RefObject<HTMLElement | null>, task_id: number, isFixed = false) {
  useEffect(() => {
    const element = ref.current!
    if (isFixed) return
    return draggable({
      element,
      canDrag: () => task_id > 0 && !isTouched(),
      getInitialData: ({ input }) => ({ task_id, from: dayBelow(input)?.dataset.day }),
      onDragStart: () => markCarried(element, true),
      onDrop: () => markCarried(element, false),
    })
  }, [ref, task_id, isFixed])
}

type Props = Pick<DaysProps, 'active' | 'chosen' | keyof Rest> & { bar: Bar }
type Rest = Pick<CardProps, 'actors' | 'labels' | 'onOpen' | 'onReach' | 'parentOf'>

/** A task across its days. */
export function BarView({ bar, active, chosen, actors, labels, onOpen, onReach, parentOf }: Props) {
  const { item, many, line, isCut } = bar
  const { card } = item
  return (
    <BarOf
      {...{ card, actors, labels, onOpen, onReach, parentOf, item, many, line }}
      isBegun={isCut.left}
      goesOn={isCut.right}
      active={card.task_id === active && !item.isAgain}
      chosen={chosen.has(card.task_id)}
      done={item.done}
    />
  )
}

interface BarProps extends CardProps {
  item: Item
  many: number
  line: number
  isBegun: boolean
  goesOn: boolean
}

const BarOf = memo(function BarOf({ item, many, line, isBegun, goesOn, ...rest }: BarProps) {
  const { card, active, chosen, done, labels, actors } = rest
  const element = useRef<HTMLElement>(null)
  useDragDay(element, card.task_id, item.isAgain)
  const [label] = (card.labels ?? []).flatMap((id) => labels.get(id) ?? [])
  const state = [
    ...['bar', active && 'active', chosen && 'chosen', done && 'done', card.overdue && 'late'],
    ...[item.isAgain && 'again', isBegun && 'begun', goesOn && 'goes-on', many < 2 && 'short'],
  ]
  return (
    <article
      ref={element}
      className={state.filter(Boolean).join(' ')}
      {...(!item.isAgain && { 'data-task': card.task_id })}
      style={{ '--many': many, '--at': line } as object}
    >
      {item.isAgain ? <Icon name="repeat" label="Comes again" /> : <Marks {...rest} />}
      {label && !item.isAgain && <span className="dot" style={{ background: label.color }} />}
      <Title {...rest} />
      <People {...{ card, actors }} />
    </article>
  )
})

/** What matters of the date: that it has passed, or at what time it is. */
function Marks({ card }: Pick<CardProps, 'card'>) {
  const { due_date = '', overdue, recurrence } = card
  return (
    <>
      {overdue && <Icon name="bell" label="Overdue" />}
      {recurrence && <Icon name="repeat" label={`Repeats: ${recurrence}`} />}
      {due_date.length > 10 && <span className="time">{clock(new Date(due_date))}</span>}
    </>
  )
}
