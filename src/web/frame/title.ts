import { useEffect, useRef } from 'react'
import { boardAt, type Me } from './places.ts'

let place = 'Corkboard'
/** What is shown at that place, where it says more than its address. */
let thing = ''
let head = ''
let count = 0

function put() {
  const title = [head, thing || place].filter(Boolean).join(' · ')
  document.title = count ? `(${count}) ${title}` : title
}

/** Names the tab after what a screen shows, as soon as that is known, until it shows another. */
export function useTabName(words: string | undefined) {
  useEffect(() => {
    if (!words) return
    thing = `${words} · Corkboard`
    put()
    return () => {
      thing = ''
      put()
    }
  }, [words])
}

/** What is to be seen of the tab before the screen's own name; nothing: no more. */
export function headTitle(words: string) {
  head = words
  put()
}

/** How much waits in the inbox stands before the name. */
export function countInTab(many: number) {
  count = many
  put()
}

/** Names the tab of the browser after the screen, and brings the keys and the reader there. */
export function usePlace(me: Me, path: string) {
  const title = titleOf(me, path)
  const before = useRef(path)
  useEffect(() => {
    place = title ? `${title} · Corkboard` : 'Corkboard'
    put()
  }, [title])
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    const main = document.getElementById('main')
    // A screen may have begun with a field of its own.
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
  }, [path])
}

function titleOf({ boards }: Me, path: string): string | undefined {
  const project_id = boardAt(path)
  if (project_id !== undefined) return boards.find((one) => one.project_id === project_id)?.title
  return TITLES[path.replace(/^(\/\w+)\/.*/, '$1')] ?? /^\/t\/(.+)/.exec(path)?.[1]
}

const TITLES: Record<string, string> = {
  '/agents': 'Agents',
  '/archive': 'Archive',
  '/inbox': 'Inbox',
  '/my': 'My Tasks',
  '/new': 'New board',
  '/reports': 'Reports',
  '/search': 'Search',
  '/settings': 'Settings',
}
