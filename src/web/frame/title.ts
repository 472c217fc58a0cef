import { useEffect, useRef } from 'react'
import { boardAt, type Me } from './places.ts'

let name = 'Corkboard'
let head = ''
let count = 0

function put() {
  const title = [head, name].filter(Boolean).join(' · ')
  document.title = count ? `(${count}) ${title}` : title
}

/** Names the tab of the browser; answers how it gets its name from before again. */
export function nameTab(next: string): () => void {
  const before = name
  name = next
  put()
  return () => {
    name = before
    put()
  }
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
    nameTab(title ? `${title} · Corkboard` : 'Corkboard')
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
  '/inbox': 'Inbox',
  '/my': 'My Tasks',
  '/new': 'New board',
  '/reports': 'Reports',
  '/search': 'Search',
  '/settings': 'Settings',
}
