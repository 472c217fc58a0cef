import { useEffect } from 'react'
import { storageName } from '../../kit/base-path.ts'

export interface Recent {
  kind: 'task' | 'board'
  /** A ticket number or a board id. */
  id: string
  name: string
}

interface Viewed {
  ticket_number: string
  title: string
}

const STORAGE_KEY = storageName('recent')
const MAX_ITEMS = 12

/** The recently viewed items in this browser, newest first. */
export function recentItems(): readonly Recent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(stored) ? stored : []
  } catch {
    return []
  }
}

export function addRecent(item: Recent) {
  const others = recentItems().filter(({ kind, id }) => kind !== item.kind || id !== item.id)
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([item, ...others].slice(0, MAX_ITEMS)))
  } catch {
    // Storage is full or blocked; the list is only a convenience.
  }
}

/** A task counts as viewed after this time. */
const VIEWED_MS = 1500

export function useRecentTask({ ticket_number: id, title: name }: Viewed) {
  useEffect(() => {
    const timer = setTimeout(() => addRecent({ kind: 'task', id, name }), VIEWED_MS)
    return () => clearTimeout(timer)
  }, [id, name])
}
