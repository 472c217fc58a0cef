import { useCallback, useMemo } from 'react'
import { storageName } from '../../../kit/base-path.ts'
import { createStore } from '../../../kit/store.ts'
import type { View } from '../rules.ts'

/** How the table shows the tasks: columns, groups, totals. */
export type Display = NonNullable<View['display']>
export type TotalKind = NonNullable<Display['totals']>[number]['kind']

const NO_GROUP = 'none'
const DEFAULT: Display = {}

/** Displays that differ from their view, by board and view. */
const changed = createStore<Readonly<Record<string, Display | null>>>({})

const keyOf = (project_id: number, view: View | undefined) =>
  `table:${project_id}:${view?.view_id ?? 'all'}`

function load(key: string): Display | null {
  try {
    return JSON.parse(localStorage.getItem(storageName(key)) ?? 'null')
  } catch {
    return null
  }
}

function store(key: string, display: Display | null) {
  changed.set({ ...changed.get(), [key]: display })
  try {
    if (display) localStorage.setItem(storageName(key), JSON.stringify(display))
    else localStorage.removeItem(storageName(key))
  } catch {
    // Storage is full or blocked: the display lasts as long as the page.
  }
}

/** Forgets unsaved changes of the display, once they are saved in the view. */
export const discardDisplay = (project_id: number, view: View | undefined) =>
  store(keyOf(project_id, view), null)

/** The display of a view, with the changes that are not saved in it. */
export function useDisplay(
  project_id: number,
  view: View | undefined,
  query: URLSearchParams,
  updateAddress: (change: (query: URLSearchParams) => void) => void,
) {
  const key = keyOf(project_id, view)
  const all = changed.use()
  const own = useMemo(() => (key in all ? all[key]! : load(key)), [key, all])
  const [group, subgroup] = [query.get('group'), query.get('subgroup')]
  const display = useMemo((): Display => {
    const base = own ?? view?.display ?? DEFAULT
    return {
      ...base,
      ...(group && { group }),
      ...(subgroup && { subgroup }),
      // A shared address with another group says nothing of the groups within.
      ...(group && !subgroup && group !== base.group && { subgroup: NO_GROUP }),
    }
  }, [own, view, group, subgroup])
  const changeDisplay = useCallback(
    (change: Partial<Display>) => {
      const { group: _, subgroup: __, ...rest } = change
      if (Object.keys(rest).length)
        store(key, {
          ...((key in changed.get() ? changed.get()[key] : load(key)) ?? view?.display ?? DEFAULT),
          ...rest,
        })
      if (!('group' in change || 'subgroup' in change)) return
      updateAddress((query) => {
        for (const name of ['group', 'subgroup'] as const)
          if (name in change) query.set(name, change[name] ?? NO_GROUP)
      })
    },
    [key, view, updateAddress],
  )
  return { display, changeDisplay, isDisplayChanged: own !== null && view !== undefined }
}

/** The names of the fields by which the rows are grouped. */
export const groupsIn = ({ group = 'section', subgroup = NO_GROUP }: Display): string[] =>
  [group, group === NO_GROUP || subgroup === group ? NO_GROUP : subgroup].filter(
    (name) => name !== NO_GROUP,
  )
