import { useMemo } from 'react'
import type { Filter } from './filter.ts'
import type { NewTaskDefaults } from './quick-add.tsx'

/** The initial values of a new task, so that the active filter does not hide it. */
export function useNewTaskDefaults(filter: Filter, me: number | undefined): NewTaskDefaults {
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
