import { useMemo } from 'react'
import type { Filter } from './filter.ts'
import type { Usual } from './quick-add.tsx'

/** What a new task begins with, so that the filter it is added under does not hide it. */
export function useUsual(filter: Filter, me: number | undefined): Usual {
  return useMemo(() => {
    const [priority] = filter.priority
    const [size] = filter.size
    const [label] = filter.label
    const [assignee] = filter.assignee
    const person = assignee === 'me' ? me : Number(assignee)
    return {
      ...(Number(priority) && { priority: Number(priority) }),
      ...(Number(size) && { estimate: Number(size) }),
      ...(Number(label) && { labels: [Number(label)] }),
      ...(person && { assignee_ids: [person] }),
    }
  }, [filter, me])
}
