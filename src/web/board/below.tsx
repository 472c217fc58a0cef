import { createContext, useContext, useMemo } from 'react'
import { Icon } from '../parts/icon.tsx'
import type { Card, Column } from './data.ts'
import type { Click } from './keys.ts'
import type { View } from './rules.ts'

interface Sub {
  card: Card
  done: boolean
}

interface Shown {
  /** Whether a parent tells how many it has. */
  isCounted: boolean
  /** Those that are listed on their parents. */
  of?: ReadonlyMap<number, readonly Sub[]>
}

/** How the sub-tasks of a board are shown on their parents. */
export const Below = createContext<Shown>({ isCounted: true })

export const useBelow = (columns: readonly Column[], setting: View['subtask_setting']): Shown => {
  const isListed = setting.endsWith('Card')
  const isCounted = setting !== 'None'
  const from = isListed ? columns : undefined
  return useMemo(() => ({ isCounted, ...(from && { of: byParent(from) }) }), [isCounted, from])
}

function byParent(columns: readonly Column[]) {
  const all = columns.flatMap(({ cards, done }) => cards.map((card) => ({ card, done })))
  const subs = all.filter(({ card }) => card.parent_task_id !== undefined)
  return Map.groupBy(
    subs.sort((a, b) => a.card.task_id - b.card.task_id),
    ({ card }) => card.parent_task_id!,
  )
}

interface Props {
  card: Card
  onOpen(card: Card, event: Click): void
}

/** The sub-tasks of a card, where they are shown on it. */
export function SubCards({ card, onOpen }: Props) {
  const subs = useContext(Below).of?.get(card.task_id)
  if (!subs) return null
  return (
    <ul className="below" aria-label="Sub-tasks">
      {subs.map(({ card: sub, done }) => (
        <li key={sub.task_id} className={done ? 'done' : ''}>
          <button type="button" onClick={(event) => onOpen(sub, event)}>
            <span className="key">{sub.ticket_number}</span>
            <span className="name" dir="auto">
              {sub.title}
            </span>
            {done && <Icon name="done" label="Done" />}
          </button>
        </li>
      ))}
    </ul>
  )
}
