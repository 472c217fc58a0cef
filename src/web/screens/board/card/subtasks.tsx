import { createContext, useContext, useMemo } from 'react'
import type { Card, Column } from '../../../entities/board/data.ts'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'
import type { Click } from '../keys.ts'
import type { View } from '../rules.ts'

interface Sub {
  card: Card
  done: boolean
}

interface SubtaskDisplay {
  /** Whether parent cards show the number of their subtasks. */
  isCounted: boolean
  /** The subtasks to list on each parent card. */
  byParentId?: ReadonlyMap<number, readonly Sub[]>
}

/** How parent cards show their subtasks. */
export const SubtaskContext = createContext<SubtaskDisplay>({ isCounted: true })

export const useSubtasks = (
  columns: readonly Column[],
  setting: View['subtask_setting'],
): SubtaskDisplay => {
  const isListed = setting.endsWith('Card')
  const isCounted = setting !== 'None'
  const source = isListed ? columns : undefined
  return useMemo(
    () => ({ isCounted, ...(source && { byParentId: byParent(source) }) }),
    [isCounted, source],
  )
}

function byParent(columns: readonly Column[]) {
  const placed = columns.flatMap(({ cards, done }) => cards.map((card) => ({ card, done })))
  const subs = placed.filter(({ card }) => card.parent_task_id !== undefined)
  return Map.groupBy(
    subs.sort((a, b) => a.card.task_id - b.card.task_id),
    ({ card }) => card.parent_task_id!,
  )
}

interface Props {
  card: Card
  onOpen(card: Card, event: Click): void
}

/** The list of subtasks on a parent card. */
export function SubCards({ card, onOpen }: Props) {
  const subs = useContext(SubtaskContext).byParentId?.get(card.task_id)
  if (!subs) return null
  return (
    <ul className="below" aria-label={t('common.subtasks')}>
      {subs.map(({ card: sub, done }) => (
        <li key={sub.task_id} className={done ? 'done' : ''}>
          <button type="button" onClick={(event) => onOpen(sub, event)}>
            <span className="key">{sub.ticket_number}</span>
            <span className="name truncate" dir="auto">
              {sub.title}
            </span>
            {done && <Icon name="done" label={t('common.done')} />}
          </button>
        </li>
      ))}
    </ul>
  )
}
