import { useSyncExternalStore } from 'react'
import { storageName } from '../../kit/base-path.ts'
import type { MyView } from './types.ts'

/** The order of the views and the default view, stored in this browser. */
interface ViewOrder {
  first?: string
  order: readonly string[]
}

const STORAGE_KEY = storageName('my-views')
const EMPTY: ViewOrder = { order: [] }
const listeners = new Set<() => void>()
let viewOrder = readStored()

function readStored(): ViewOrder {
  try {
    return { ...EMPTY, ...JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') }
  } catch {
    return EMPTY
  }
}

function store(next: ViewOrder) {
  viewOrder = next
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next))
  } catch {
    // Storage may be full or disabled; the order then lasts until the page closes.
  }
  for (const listener of listeners) listener()
}

export const useViewOrder = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => viewOrder,
  )

export const setDefaultView = (first: string | undefined) =>
  store({ order: viewOrder.order, first })

/** Sorts views by the stored order; new views come last. */
export function sortViews(views: readonly MyView[], { order }: ViewOrder): readonly MyView[] {
  const position = ({ view_id }: MyView) => order.indexOf(view_id) + 1 || order.length + 1
  return views.toSorted((a, b) => position(a) - position(b))
}

export function moveView(views: readonly MyView[], view_id: string, by: 1 | -1) {
  const ids = views.map((one) => one.view_id)
  const from = ids.indexOf(view_id)
  store({ ...viewOrder, order: ids.toSpliced(from, 1).toSpliced(from + by, 0, view_id) })
}
