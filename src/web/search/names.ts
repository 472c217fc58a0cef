import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { keyOf } from '../data/cache.ts'
import type { Name } from '../data/client.ts'
import { askWhole } from '../data/whole.ts'
import type { Me } from '../frame/places.ts'
import type { Of } from './operators.ts'
import type { Names } from './suggest.ts'

/** More boards than these are not asked for what they have. */
const SOME_BOARDS = 12
const ASKED = {
  people: 'projects.members',
  labels: 'labels.list',
  columns: 'sections.list',
} as const satisfies Partial<Record<Of, Name>>

interface Named {
  items: readonly { name?: string; title?: string }[]
}

/** Of all boards together, each name once. */
function useNamesOf(of: keyof typeof ASKED, boards: Me['boards'], isWanted: boolean) {
  // Asked for once, it stays there.
  const [enabled, setEnabled] = useState(isWanted)
  useEffect(() => {
    if (isWanted) setEnabled(true)
  }, [isWanted])
  return useQueries({
    queries: boards.slice(0, SOME_BOARDS).map(({ project_id }) => {
      const input = { project_id, limit: 50 }
      return {
        queryKey: keyOf(ASKED[of], input),
        queryFn: () => askWhole(ASKED[of], input) as Promise<Named>,
        enabled,
      }
    }),
    combine: namesIn,
  })
}

const namesIn = (found: readonly { data?: Named | undefined }[]): string[] => {
  const items = found.flatMap(({ data }) => data?.items ?? [])
  return [...new Set(items.flatMap(({ name, title }) => name ?? title ?? []))]
}

/** The names that an operator may be followed by, fetched when the first of them is typed. */
export function useNames({ boards }: Me, wanted: Of | undefined): Names {
  const people = useNamesOf('people', boards, wanted === 'people')
  const labels = useNamesOf('labels', boards, wanted === 'labels')
  const columns = useNamesOf('columns', boards, wanted === 'columns')
  return { people, labels, columns, boards: boards.map(({ title }) => title) }
}
