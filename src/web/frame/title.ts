import { useEffect, useRef } from 'react'
import { boardAt, type Me } from './places.ts'

let screenTitle = 'Corkboard'
/** The name of the shown item, if it says more than the screen's name. */
let itemTitle = ''
let prefix = ''
let count = 0

function updateTitle() {
  const title = [prefix, itemTitle || screenTitle].filter(Boolean).join(' · ')
  document.title = count ? `(${count}) ${title}` : title
}

/** Sets the tab title to what a screen shows, while it is shown. */
export function useTabName(words: string | undefined) {
  useEffect(() => {
    if (!words) return
    itemTitle = `${words} · Corkboard`
    updateTitle()
    return () => {
      itemTitle = ''
      updateTitle()
    }
  }, [words])
}

/** Sets a prefix of the tab title; an empty text removes it. */
export function setTitlePrefix(words: string) {
  prefix = words
  updateTitle()
}

/** Shows the number of unread notifications in the tab title. */
export function setTabCount(value: number) {
  count = value
  updateTitle()
}

/** Sets the tab title and moves the focus to a new screen. */
export function useScreenTitle(me: Me, path: string) {
  const title = titleOf(me, path)
  const previousPath = useRef(path)
  useEffect(() => {
    screenTitle = title ? `${title} · Corkboard` : 'Corkboard'
    updateTitle()
  }, [title])
  useEffect(() => {
    if (previousPath.current === path) return
    previousPath.current = path
    const main = document.getElementById('main')
    // The screen may already have focused a field of its own.
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true })
  }, [path])
}

function titleOf({ boards }: Me, path: string): string | undefined {
  const project_id = boardAt(path)
  if (project_id !== undefined)
    return boards.find((board) => board.project_id === project_id)?.title
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
