import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { callOperation } from '../../../data/client.ts'
import type { Column } from '../../../entities/board/data.ts'
import { type Day, dayOf } from '../../../kit/zone.ts'
import type { Item } from './model.ts'

/** Limits the load on the server; more would not fit on a calendar. */
const MAX_PAGES = 8

interface Occurrence {
  task_id: number
  day: Day
}

/** The future due dates of repeating tasks, as the server computes them. */
export function useOccurrences(
  project_id: number,
  columns: readonly Column[],
  from: Day,
  to: Day,
): Item[] {
  const repeatingCards = useMemo(
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
    queryFn: ({ signal }) => loadOccurrences(project_id, from, to, signal),
    enabled: repeatingCards.size > 0,
  })
  return useMemo(
    () =>
      (data ?? []).flatMap(({ task_id, day }): Item[] => {
        const card = repeatingCards.get(task_id)
        const key = `${task_id} ${day}`
        return card ? [{ key, card, from: day, to: day, done: false, isOccurrence: true }] : []
      }),
    [data, repeatingCards],
  )
}

async function loadOccurrences(project_id: number, from: Day, to: Day, signal: AbortSignal) {
  const occurrences: Occurrence[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const response = await callOperation(
      'calendar.list',
      {
        ...{ project_ids: [project_id], from, to, limit: 50, ...(cursor && { cursor }) },
        fields: ['task_id', 'date', 'occurrence'],
      },
      { signal },
    )
    for (const { task_id, date, occurrence } of response.items)
      if (occurrence)
        occurrences.push({ task_id, day: date.length > 10 ? dayOf(new Date(date)) : date })
    cursor = response.page.next_cursor ?? undefined
    if (!cursor) break
  }
  return occurrences
}
