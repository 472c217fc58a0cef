import { useSyncExternalStore } from 'react'
import type { MyView } from './shapes.ts'

/** How the views stand side by side, and which one My Tasks open with; kept on this machine. */
interface Own {
  first?: string
  order: readonly string[]
}

const NAME = 'my-views'
const NOTHING: Own = { order: [] }
const heard = new Set<() => void>()
let own = kept()

function kept(): Own {
  try {
    return { ...NOTHING, ...JSON.parse(localStorage.getItem(NAME) ?? '{}') }
  } catch {
    return NOTHING
  }
}

function put(next: Own) {
  own = next
  try {
    localStorage.setItem(NAME, JSON.stringify(next))
  } catch {
    // A full or forbidden store: it lasts until the page is closed.
  }
  for (const tell of heard) tell()
}

export const useOwn = () =>
  useSyncExternalStore(
    (tell) => {
      heard.add(tell)
      return () => heard.delete(tell)
    },
    () => own,
  )

export const openWith = (first: string | undefined) => put({ order: own.order, first })

/** As they were put; those that nobody has moved come after them. */
export function inOrder(views: readonly MyView[], { order }: Own): readonly MyView[] {
  const at = ({ view_id }: MyView) => order.indexOf(view_id) + 1 || order.length + 1
  return views.toSorted((a, b) => at(a) - at(b))
}

export function move(views: readonly MyView[], view_id: string, by: 1 | -1) {
  const ids = views.map((one) => one.view_id)
  const from = ids.indexOf(view_id)
  put({ ...own, order: ids.toSpliced(from, 1).toSpliced(from + by, 0, view_id) })
}
