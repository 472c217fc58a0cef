import { useEffect } from 'react'
import type { IconName } from '../parts/icon.tsx'
import { IN_INBOX, IN_LIST, IN_PAGE, IN_TASK, ON_BOARD, type Shortcut, type Table } from './keys.ts'
import { boardAt } from './places.ts'
import { say } from './toasts.tsx'

/** Something that can be done by its name. */
export interface Offer {
  name: string
  icon: IconName
  /** Other words that people look for it by. */
  also?: string
  /** The key that does the same. */
  hint?: string
  run(): void
}

const offered = new Set<{ now: readonly Offer[] }>()

/** What the palette offers beside what it always does, as long as the component is there. */
export function useOffers(offers: readonly Offer[]) {
  useEffect(() => {
    const mine = { now: offers }
    offered.add(mine)
    return () => void offered.delete(mine)
  }, [offers])
}

export const offersNow = (): readonly Offer[] => [...offered].flatMap(({ now }) => now)

/** What the letters do where one is, by the names that the table of keys gives them. */
export function keysNow(path: string, task: string | null): { title: string; offers: Offer[] } {
  const [title, table] = hereOf(path, task)
  const offers = Object.values(table).flatMap(({ does, icon, keys: [key] }: Shortcut): Offer[] =>
    icon ? [{ name: does, icon, hint: key.toUpperCase(), run: () => press(key) }] : [],
  )
  return { title, offers }
}

function hereOf(path: string, task: string | null): [string, Table] {
  // Its own letters come before those of the task beside it.
  if (path === '/inbox') return ['The notification at the keys', IN_INBOX]
  if (path.startsWith('/t/') || task) return ['This task', IN_TASK]
  if (path.startsWith('/p/')) return ['This page', IN_PAGE]
  if (path === '/my') return ['The task at the keys', IN_LIST]
  return boardAt(path) === undefined ? ['', {}] : ['The chosen cards', ON_BOARD]
}

/** As if the key itself were pressed, once the palette is gone and has handed on the focus. */
function press(key: string) {
  requestAnimationFrame(() => {
    if (document.querySelector('.palette')) return press(key)
    requestAnimationFrame(() => {
      const code = `Key${key.toUpperCase()}`
      const event = new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true })
      document.body.dispatchEvent(event)
      if (!event.defaultPrevented) say('Choose a task first: J and K go from one to the next')
    })
  })
}
