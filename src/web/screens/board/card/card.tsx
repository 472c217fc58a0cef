import { memo, Suspense, useContext, useRef, useState } from 'react'
import { ruleInline } from '../../../entities/task/rule-text.ts'
import { TASK_FIELDS } from '../../../entities/task/task-fields.tsx'
import type { Actor, ActorKey } from '../../../entities/user/actor.ts'
import { dueText } from '../../../kit/dates.ts'
import { Icon } from '../../../kit/icon.tsx'
import { lazyComponent } from '../../../kit/lazy-component.ts'
import { t } from '../../../messages/t.ts'
import { SubCards, SubtaskContext } from './subtasks.tsx'
import './card.css'
import type { Card, Label } from '../../../entities/board/data.ts'
import { useDragCard } from '../drag/drag.ts'
import type { Click } from '../keys.ts'
import { DueChip, FieldChips, LabelsChip, People } from './card-fields.tsx'

/** The props that all cards share. */
export interface Shared {
  actors: ReadonlyMap<ActorKey, Actor>
  labels: ReadonlyMap<number, Label>
  onOpen(card: Card, event: Click): void
  onActivate(task_id: number): void
  /** The parent task, if it is on the board. */
  parentOf(card: Card): Card | undefined
}

export interface CardProps extends Shared {
  card: Card
  active: boolean
  isSelected: boolean
  /** The card is in a done column. */
  done: boolean
}

export const CardTools = lazyComponent(() => import('./card-tools.tsx'))

/** The tools of a card or a row while the pointer is on it, or while it is active. */
export function useCardTools({ card, active, done }: CardProps) {
  const [isBelowPointer, setBelowPointer] = useState(false)
  return {
    pointerProps: {
      onPointerEnter: ({ pointerType }: { pointerType: string }) =>
        setBelowPointer(pointerType === 'mouse'),
      onPointerLeave: () => setBelowPointer(false),
    },
    tools: (isBelowPointer || active) && (
      <Suspense>
        <CardTools card={card} done={done} />
      </Suspense>
    ),
  }
}

/** A task on the board. Fields that are not set take no space. */
export const CardView = memo(function CardView(props: CardProps) {
  const { card, actors, labels, active, isSelected, done, parentOf } = props
  const element = useRef<HTMLElement>(null)
  useDragCard(element, card)
  const state = ['card', active && 'active', isSelected && 'chosen', done && 'done']
  const holder = card.lease && actors.get(card.lease.holder)
  const { tools, pointerProps } = useCardTools(props)
  return (
    <article
      ref={element}
      className={state.filter(Boolean).join(' ')}
      data-task={card.task_id}
      {...pointerProps}
    >
      <div className="top">
        <span className="key">{card.ticket_number}</span>
        <Marks card={card} parent={parentOf(card)} />
        {tools}
        <People card={card} actors={actors} />
      </div>
      <h3>
        <Title {...props} />
      </h3>
      <Meta card={card} labels={labels} />
      <SubCards card={card} onOpen={props.onOpen} />
      {holder && (
        <p className="meta live">
          <span className="pulse" aria-hidden="true" />
          {t('common.name_is_working_on_this', { name: holder.name })}
        </p>
      )}
    </article>
  )
})

/** The button of a card: it has the focus for shortcuts, and opens the task. */
export const Title = ({
  card,
  isSelected,
  onOpen,
  onActivate,
  tabIndex,
}: CardProps & { tabIndex?: number }) => (
  <button
    type="button"
    className="title cover"
    dir="auto"
    tabIndex={tabIndex}
    onClick={(event) => onOpen(card, event)}
    onFocus={() => onActivate(card.task_id)}
    aria-pressed={isSelected || undefined}
  >
    {card.title}
  </button>
)

export const Marks = ({ card, parent }: { card: Card; parent: Card | undefined }) => (
  <>
    {card.blocked && <Icon name="blocked" label={t('common.blocked_by_another_task')} />}
    {card.parent_task_id && (
      <span
        className="meta parent"
        title={parent && t('board.subtask_of_title', { title: parent.title })}
      >
        <Icon name="under" label={parent ? t('board.subtask_of') : t('board.subtask')} />
        {parent?.ticket_number}
      </span>
    )}
    {card.snoozed_until && Date.parse(card.snoozed_until) > Date.now() && (
      <Icon
        name="moon"
        label={t('board.snoozed_until_short', { short: dueText(card.snoozed_until).short })}
      />
    )}
    {card.recurrence && (
      <Icon
        name="repeat"
        label={t('board.repeats_recurrence', { recurrence: ruleInline(card.recurrence) })}
      />
    )}
  </>
)

export function Meta({ card, labels }: Pick<CardProps, 'card' | 'labels'>) {
  const { isCounted } = useContext(SubtaskContext)
  const subtasks = (isCounted && card.subtasks) || undefined
  if (!hasMeta(card, subtasks)) return null
  return (
    <div className="meta-list">
      <FieldChips card={card} />
      <DueChip card={card} />
      {subtasks && <SubtaskCount subtasks={subtasks} />}
      {card.comment_count && (
        <span className="meta">
          <Icon name="comment" label={t('common.comments')} />
          {card.comment_count}
        </span>
      )}
      {card.pr_badge && (
        <span className={`tag pr ${card.pr_badge}`} title={t('common.pull_requests')}>
          {t('board.pr')} {PR_WORDS[card.pr_badge] ?? card.pr_badge}
        </span>
      )}
      <LabelsChip card={card} labels={labels} />
    </div>
  )
}

const hasMeta = (card: Card, subtasks: Card['subtasks']) =>
  TASK_FIELDS.some(({ name, isOnCard }) => isOnCard && card[name]) ||
  [card.due_date, subtasks, card.comment_count, card.pr_badge, card.labels?.length].some(Boolean)

function SubtaskCount({ subtasks: [done, total] }: { subtasks: NonNullable<Card['subtasks']> }) {
  return (
    <span className="meta" title={t('board.done_of_total_subtasks_done', { done, total })}>
      <Icon name="subtasks" label={t('common.subtasks')} />
      {done}/{total}
    </span>
  )
}

/** The state of the pull requests. */
const PR_WORDS: Record<string, string> = {
  red: t('board.pr_failing'),
  pending: t('board.pr_running'),
  green: t('board.pr_passing'),
  merged: t('board.pr_merged'),
}
