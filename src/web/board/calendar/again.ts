import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ask } from '../../data/client.ts'
import { type Day, dayOf } from '../../parts/zone.ts'
import type { Column } from '../data.ts'
import type { Item } from './model.ts'

/** More are not asked for: they would stand in nobody's way but the server's. */
const MOST_PAGES = 8

interface Coming {
  task_id: number
  day: Day
}

/** When tasks that repeat will be due again, as the server counts it. */
export function useAgain(
  project_id: number,
  columns: readonly Column[],
  from: Day,
  to: Day,
): Item[] {
  const repeating = useMemo(
    () =>
      new Map(
        columns.flatMap(({ cards }) =>
          cards.flatMap((card) => (card.recurrence ? [[card.task_id, card] as const] : [])),
        ),
      ),
    [columns],
  )
  const { data } = useQuery({
    queryKey: ['calendar.list', { project_id, from, to }],
    queryFn: ({ signal }) => coming(project_id, from, to, signal),
    enabled: repeating.size > 0,
  })
  return useMemo(
    () =>
      (data ?? []).flatMap(({ task_id, day }): Item[] => {
        const card = repeating.get(task_id)
        const key = `${task_id} ${day}`
        return card ? [{ key, card, from: day, to: day, done: false, isAgain: true }] : []
      }),
    [data, repeating],
  )
}

async function coming(project_id: number, from: Day, to: Day, signal: AbortSignal) {
  const found: Coming[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await ask(
      'calendar.list',
      {
        ...{ project_ids: [project_id], from, to, limit: 50, ...(cursor && { cursor }) },
        fields: ['task_id', 'date', 'occurrence'],
      },
      { signal },
    )
    for (const { task_id, date, occurrence } of answer.items)
      if (occurrence) found.push({ task_id, day: date.length > 10 ? dayOf(new Date(date)) : date })
    cursor = answer.page.next_cursor ?? undefined
    if (!cursor) break
  }
  return found
}
