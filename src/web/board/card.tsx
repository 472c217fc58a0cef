import { memo, useContext, useRef } from 'react'
import { type Actor, type ActorKey, Avatar } from '../parts/avatar.tsx'
import { dueWords } from '../parts/dates.ts'
import { Icon, Priority } from '../parts/icon.tsx'
import { Below, SubCards } from './below.tsx'
import './card.css'
import { SIZES } from './change.ts'
import type { Card, Label } from './data.ts'
import { useDragCard } from './drag.ts'
import type { Click } from './keys.ts'

/** What every card needs to be shown, and what can be done with each. */
export interface Shared {
  actors: ReadonlyMap<ActorKey, Actor>
  labels: ReadonlyMap<number, Label>
  onOpen(card: Card, event: Click): void
  onReach(task_id: number): void
  /** The task that it is a part of, where that is on the board too. */
  parentOf(card: Card): Card | undefined
}

export interface CardProps extends Shared {
  card: Card
  active: boolean
  chosen: boolean
  /** It stands in a column that counts as done. */
  done: boolean
}

/** What a board shows of a task; things that are not set take no room. */
export const CardView = memo(function CardView(props: CardProps) {
  const { card, actors, labels, active, chosen, done, parentOf } = props
  const element = useRef<HTMLElement>(null)
  useDragCard(element, card)
  const state = ['card', active && 'active', chosen && 'chosen', done && 'done']
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
          {holder.name} is at work on it
        </p>
      )}
    </article>
  )
})

/** The control of a card: what the keys are about, and what opens it. */
export const Title = ({ card, chosen, onOpen, onReach }: CardProps) => (
  <button
    type="button"
    className="title"
    dir="auto"
    onClick={(event) => onOpen(card, event)}
    onFocus={() => onReach(card.task_id)}
    aria-pressed={chosen || undefined}
  >
    {card.title}
  </button>
)

export const Marks = ({ card, parent }: { card: Card; parent: Card | undefined }) => (
  <>
    {card.blocked && <Icon name="blocked" label="Waits for another task" />}
    {card.parent_task_id && (
      <span className="meta parent" title={parent && `A sub-task of ${parent.title}`}>
        <Icon name="under" label={parent ? 'A sub-task of' : 'A sub-task'} />
        {parent?.ticket_number}
      </span>
    )}
    {card.snoozed_until && Date.parse(card.snoozed_until) > Date.now() && (
      <Icon name="moon" label={`Snoozed until ${dueWords(card.snoozed_until).short}`} />
    )}
    {card.recurrence && <Icon name="repeat" label={`Repeats: ${card.recurrence}`} />}
  </>
)

/** Whoever is at work on it first, then those it is given to. */
export function People({ card, actors }: Pick<CardProps, 'card' | 'actors'>) {
  const holder = card.lease && actors.get(card.lease.holder)
  const assignees = (card.assignees ?? []).flatMap((key) => actors.get(key) ?? [])
  const shown = holder && !assignees.includes(holder) ? [holder, ...assignees] : assignees
  if (!shown.length) return null
  return (
    <span className="avatars">
      {shown.slice(0, 3).map((one) => (
        <Avatar key={one.user_id ?? one.agent_id} actor={one} busy={one === holder} />
      ))}
    </span>
  )
}

export function Meta({ card, labels }: Pick<CardProps, 'card' | 'labels'>) {
  const due = card.due_date && dueWords(card.due_date)
  const { isCounted } = useContext(Below)
  const [done, all] = (isCounted && card.subtasks) || []
  const parts = [
    card.priority && <Priority key="priority" value={card.priority} />,
    card.estimate && (
      <span key="size" className="tag" title="Size">
        {SIZES[card.estimate]}
      </span>
    ),
    due && (
      <span key="due" className={`meta${card.overdue ? ' late' : ''}`} title={due.full}>
        <Icon name="calendar" label={card.overdue ? 'Overdue' : 'Due'} />
        {due.short}
      </span>
    ),
    all && (
      <span key="subtasks" className="meta" title={`${done} of ${all} sub-tasks done`}>
        <Icon name="subtasks" label="Sub-tasks" />
        {done}/{all}
      </span>
    ),
    card.comment_count && (
      <span key="comments" className="meta">
        <Icon name="comment" label="Comments" />
        {card.comment_count}
      </span>
    ),
    card.pr_badge && (
      <span key="pr" className={`tag pr ${card.pr_badge}`} title="Pull requests">
        PR {PR_WORDS[card.pr_badge] ?? card.pr_badge}
      </span>
    ),
    ...labelMarks((card.labels ?? []).flatMap((id) => labels.get(id) ?? [])),
  ].filter(Boolean)
  return parts.length ? <div className="metas">{parts}</div> : null
}

/** How its pull requests stand. */
const PR_WORDS: Record<string, string> = {
  red: 'fails',
  pending: 'runs',
  green: 'passes',
  merged: 'merged',
}

const MOST_LABELS = 4

/** A few, and the names of the others behind how many they are. */
function labelMarks(labels: readonly Label[]) {
  const others = labels.slice(MOST_LABELS).map(({ name }) => name)
  const marks = labels.slice(0, MOST_LABELS).map(({ label_id, name, color }) => (
    <span key={`label ${label_id}`} className="meta">
      <span className="dot" style={{ background: color }} />
      {name}
    </span>
  ))
  if (!others.length) return marks
  const names = others.join(', ')
  return [
    ...marks,
    <span key="more labels" className="meta" title={names}>
      <span aria-hidden="true">+{others.length}</span>
      <span className="unseen">and {names}</span>
    </span>,
  ]
}
