import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { callWithAllPages } from '../../data/all-pages.ts'
import { queryKeyOf } from '../../data/cache.ts'
import type { OperationName } from '../../data/client.ts'
import type { Me } from '../../entities/user/me.ts'
import type { NameSource } from './operators.ts'
import type { Names } from './suggest.ts'

/** Names are loaded from at most this many boards. */
const MAX_BOARDS = 12
const OPERATIONS = {
  people: 'projects.members',
  labels: 'labels.list',
  columns: 'sections.list',
} as const satisfies Partial<Record<NameSource, OperationName>>

interface NamedItems {
  items: readonly { name?: string; title?: string }[]
}

/** The distinct names on all boards. */
function useNamesOf(source: keyof typeof OPERATIONS, boards: Me['boards'], isNeeded: boolean) {
  // Once enabled, the queries stay enabled.
  const [enabled, setEnabled] = useState(isNeeded)
  useEffect(() => {
    if (isNeeded) setEnabled(true)
  }, [isNeeded])
  return useQueries({
    queries: boards.slice(0, MAX_BOARDS).map(({ project_id }) => {
      const input = { project_id, limit: 50 }
      return {
        queryKey: queryKeyOf(OPERATIONS[source], input),
        queryFn: () => callWithAllPages(OPERATIONS[source], input) as Promise<NamedItems>,
        enabled,
      }
    }),
    combine: uniqueNames,
  })
}

const uniqueNames = (results: readonly { data?: NamedItems | undefined }[]): string[] => {
  const items = results.flatMap(({ data }) => data?.items ?? [])
  return [...new Set(items.flatMap(({ name, title }) => name ?? title ?? []))]
}

/** The names that can complete an operator. They load when such an operator is first typed. */
export function useNames({ boards }: Me, needed: NameSource | undefined): Names {
  const people = useNamesOf('people', boards, needed === 'people')
  const labels = useNamesOf('labels', boards, needed === 'labels')
  const columns = useNamesOf('columns', boards, needed === 'columns')
  return { people, labels, columns, boards: boards.map(({ title }) => title) }
}
