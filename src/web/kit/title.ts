import { useEffect } from 'react'

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
export function useTabName(name: string | undefined) {
  useEffect(() => {
    if (!name) return
    itemTitle = `${name} · Corkboard`
    updateTitle()
    return () => {
      itemTitle = ''
      updateTitle()
    }
  }, [name])
}

/** Sets a prefix of the tab title; an empty text removes it. */
export function setTitlePrefix(nextPrefix: string) {
  prefix = nextPrefix
  updateTitle()
}

/** Shows the number of unread notifications in the tab title. */
export function setTabCount(value: number) {
  count = value
  updateTitle()
}

/** Sets the name of the screen; an empty text stands for a screen without one. */
export function setScreenTitle(title: string | undefined) {
  screenTitle = title ? `${title} · Corkboard` : 'Corkboard'
  updateTitle()
}
