import { IN_INBOX } from '../inbox/table.ts'
import { IN_PAGE } from '../pages/table.ts'
import { IN_LIST, IN_TASK, ON_BOARD, type Shortcut, type Table } from './keys.ts'
import type { Offer } from './offers.ts'
import { boardAt } from './places.ts'
import { say } from './toasts.tsx'

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
