import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { memo, type RefObject, useEffect, useRef } from 'react'
import { ruleInline } from '../../../entities/task/rule-text.ts'
import { clock } from '../../../kit/dates.ts'
import { isTouched, markDragged } from '../../../kit/drag-marks.ts'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import { type CardProps, Title } from '../card/card.tsx'
import { People } from '../card/card-fields.tsx'
import { markStyle, type TaskColor } from '../colors/model.ts'
import { dayElementAt } from '../drag/touch.ts'
import type { Bar, Item } from './model.ts'
import type { DaysProps } from './types.ts'
import type { StartResize } from './use-resize.ts'

/** Makes a dated task draggable; the drag remembers the day on which it started. */
export function useDragDay(ref: RefObject<HTMLElement | null>, task_id: number, isFixed = false) {
  useEffect(() => {
    const element = ref.current!
    if (isFixed) return
    return draggable({
      element,
      canDrag: ({ input: { clientX, clientY } }) =>
        task_id > 0 &&
        !isTouched() &&
        !document.elementFromPoint(clientX, clientY)?.closest('.grip'),
      getInitialData: ({ input }) => ({ task_id, from: dayElementAt(input)?.dataset.day }),
      onDragStart: () => markDragged(element, true),
      onDrop: () => markDragged(element, false),
    })
  }, [ref, task_id, isFixed])
}

type Props = Pick<DaysProps, 'active' | 'selectedIds' | 'colorOf' | 'onResize' | keyof Rest> & {
  bar: Bar
}
type Rest = Pick<CardProps, 'actors' | 'labels' | 'onOpen' | 'onActivate' | 'parentOf'>

/** A task as a bar across its days. */
export function BarView({
  bar,
  active,
  selectedIds,
  actors,
  labels,
  onOpen,
  onActivate,
  parentOf,
  colorOf,
  onResize,
}: Props) {
  const { item, length, line, isCut } = bar
  const { card } = item
  return (
    <BarOf
      {...{ card, actors, labels, onOpen, onActivate, parentOf, item, length, line, onResize }}
      color={colorOf(card)}
      continuesBefore={isCut.left}
      continuesAfter={isCut.right}
      active={card.task_id === active && !item.isOccurrence}
      isSelected={selectedIds.has(card.task_id)}
      done={item.done}
    />
  )
}

interface BarProps extends CardProps {
  item: Item
  length: number
  line: number
  continuesBefore: boolean
  continuesAfter: boolean
  color: TaskColor | undefined
  onResize: StartResize
}

const BarOf = memo(function BarOf({
  item,
  length,
  line,
  continuesBefore,
  continuesAfter,
  color,
  onResize,
  ...rest
}: BarProps) {
  const { card, active, isSelected, done, labels, actors } = rest
  const element = useRef<HTMLElement>(null)
  useDragDay(element, card.task_id, item.isOccurrence)
  const [label] = (card.labels ?? []).flatMap((id) => labels.get(id) ?? [])
  const state = [
    ...[
      'bar',
      color && 'colored',
      active && 'active',
      isSelected && 'chosen',
      done && 'done',
      card.overdue && 'late',
    ],
    ...[
      item.isOccurrence && 'again',
      continuesBefore && 'starts-before',
      continuesAfter && 'ends-after',
      length < 2 && 'short',
    ],
  ]
  return (
    <article
      ref={element}
      className={state.filter(Boolean).join(' ')}
      {...(!item.isOccurrence && { 'data-task': card.task_id })}
      style={{ '--many': length, '--at': line, ...markStyle(color) } as object}
      title={color?.name}
    >
      {item.isOccurrence ? <Icon name="repeat" label={t('board.repeats')} /> : <Marks {...rest} />}
      {label && !item.isOccurrence && <span className="dot" style={{ background: label.color }} />}
      <Title {...rest} />
      <People {...{ card, actors }} />
      {!item.isOccurrence && card.task_id > 0 && (
        <Grips {...{ item, onResize, hasStart: !continuesBefore, hasEnd: !continuesAfter }} />
      )}
    </article>
  )
})

interface GripProps {
  item: Item
  onResize: StartResize
  /** The first and the last day of the task are in this week. */
  hasStart: boolean
  hasEnd: boolean
}

/** The ends of a bar, by which its days can be changed. */
const Grips = ({ item, onResize, hasStart, hasEnd }: GripProps) => (
  <>
    {hasStart && (
      <span className="grip" onPointerDown={(event) => onResize(event, item, 'start')} />
    )}
    {hasEnd && (
      <span className="grip end" onPointerDown={(event) => onResize(event, item, 'end')} />
    )}
  </>
)

/** Marks for overdue and repeating tasks, and the time of day. */
function Marks({ card }: Pick<CardProps, 'card'>) {
  const { due_date = '', overdue, recurrence } = card
  return (
    <>
      {overdue && <Icon name="bell" label={t('common.overdue')} />}
      {recurrence && (
        <Icon
          name="repeat"
          label={t('board.repeats_recurrence', { recurrence: ruleInline(recurrence) })}
        />
      )}
      {due_date.length > 10 && <span className="time">{clock(new Date(due_date))}</span>}
    </>
  )
}
