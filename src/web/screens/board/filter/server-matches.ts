import { useMemo } from 'react'
import { useOperation } from '../../../data/cache.ts'
import type { Filter } from '../../../entities/task/condition/filter.ts'
import { type FilterContext, serverRules } from './filter-match.ts'

/** The tasks that match the rules that only the server knows; undefined while they load. */
export function useServerMatches(
  project_id: number,
  filter: Filter,
): FilterContext['serverMatches'] {
  const rules = useMemo(() => serverRules(filter), [filter])
  const { data } = useOperation(
    'views.matches',
    { project_id, board_filters: { groups: rules.length ? [{ rules }] : [] } },
    { enabled: rules.length > 0, keepPrevious: true },
  )
  return useMemo(
    () =>
      data &&
      new Map(data.matches.map(({ rule, task_ids }) => [JSON.stringify(rule), new Set(task_ids)])),
    [data],
  )
}
