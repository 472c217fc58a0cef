import { memo, useContext, useRef } from 'react'
import { describeRule } from '../../../kernel/recurrence/describe.ts'
import { Priority } from '../../entities/task/priority.tsx'
import { TASK_FIELDS, valueName } from '../../entities/task/task-fields.tsx'
import { type Actor, type ActorKey, Avatar } from '../../entities/user/avatar.tsx'
import { dueText } from '../../kit/dates.ts'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../messages/t.ts'
import { SubCards, SubtaskContext } from './subtasks.tsx'
import './card.css'
import type { Card, Label } from '../../entities/board/data.ts'
import { useDragCard } from './drag.ts'
import type { Click } from './keys.ts'

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

/** A task on the board. Fields that are not set take no space. */
export const CardView = memo(function CardView(props: CardProps) {
  const { card, actors, labels, active, isSelected, done, parentOf } = props
  const element = useRef<HTMLElement>(null)
  useDragCard(element, card)
  const state = ['card', active && 'active', isSelected && 'chosen', done && 'done']
  const holder = card.lease && actors.get(card.lease.holder)
  return (
    <article ref={element} className={state.filter(Boolean).join(' ')} data-task={card.task_id}>
      <div className="top">
        <span className="key">{card.ticket_number}</span>
        <Marks card={card} parent={parentOf(card)} />
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
export const Title = ({ card, isSelected, onOpen, onActivate }: CardProps) => (
  <button
    type="button"
    className="title cover"
    dir="auto"
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
        label={t('board.repeats_recurrence', { recurrence: describeRule(card.recurrence) })}
      />
    )}
  </>
)

/** The holder of the lease first, then the assignees. */
export function People({ card, actors }: Pick<CardProps, 'card' | 'actors'>) {
  const holder = card.lease && actors.get(card.lease.holder)
  const assignees = (card.assignees ?? []).flatMap((key) => actors.get(key) ?? [])
  const shown = holder && !assignees.includes(holder) ? [holder, ...assignees] : assignees
  if (!shown.length) return null
  return (
    <span className="avatars">
      {shown.slice(0, 3).map((actor) => (
        <Avatar key={actor.user_id ?? actor.agent_id} actor={actor} busy={actor === holder} />
      ))}
    </span>
  )
}

export function Meta({ card, labels }: Pick<CardProps, 'card' | 'labels'>) {
  const due = card.due_date && dueText(card.due_date)
  const { isCounted } = useContext(SubtaskContext)
  const [done, total] = (isCounted && card.subtasks) || []
  const items = [
    card.priority && <Priority key="priority" value={card.priority} />,
    ...TAGS.map(
      (field) =>
        card[field.name] && (
          <span key={field.name} className="tag" title={field.label}>
            {valueName(field, card[field.name]!)}
          </span>
        ),
    ),
    due && (
      <span key="due" className={`meta${card.overdue ? ' late' : ''}`} title={due.full}>
        <Icon name="calendar" label={card.overdue ? t('common.overdue') : t('common.due')} />
        {due.short}
      </span>
    ),
    total && (
      <span
        key="subtasks"
        className="meta"
        title={t('board.done_of_total_subtasks_done', { done, total })}
      >
        <Icon name="subtasks" label={t('common.subtasks')} />
        {done}/{total}
      </span>
    ),
    card.comment_count && (
      <span key="comments" className="meta">
        <Icon name="comment" label={t('common.comments')} />
        {card.comment_count}
      </span>
    ),
    card.pr_badge && (
      <span key="pr" className={`tag pr ${card.pr_badge}`} title={t('common.pull_requests')}>
        {t('board.pr')} {PR_WORDS[card.pr_badge] ?? card.pr_badge}
      </span>
    ),
    ...labelMarks((card.labels ?? []).flatMap((id) => labels.get(id) ?? [])),
  ].filter(Boolean)
  return items.length ? <div className="meta-list">{items}</div> : null
}

/** The fields without a mark of their own. */
const TAGS = TASK_FIELDS.filter(({ name, isOnCard }) => isOnCard && name !== 'priority')

/** The state of the pull requests. */
const PR_WORDS: Record<string, string> = {
  red: 'failing',
  pending: 'running',
  green: 'passing',
  merged: 'merged',
}

const MAX_LABELS = 4

/** The first labels; the others as a number with their names in the tooltip. */
function labelMarks(labels: readonly Label[]) {
  const hidden = labels.slice(MAX_LABELS).map(({ name }) => name)
  const marks = labels.slice(0, MAX_LABELS).map(({ label_id, name, color }) => (
    <span key={`label ${label_id}`} className="meta">
      <span className="dot" style={{ background: color }} />
      {name}
    </span>
  ))
  if (!hidden.length) return marks
  const names = hidden.join(', ')
  return [
    ...marks,
    <span key="more labels" className="meta" title={names}>
      <span aria-hidden="true">+{hidden.length}</span>
      <span className="unseen">{t('board.and_names', { names })}</span>
    </span>,
  ]
}
