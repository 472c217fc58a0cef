import { useEffect, useState } from 'react'

/** Stands for a control that is not on the screen. */
export const centerOfWindow = {
  getBoundingClientRect: () => new DOMRect(innerWidth / 2, innerHeight / 3, 0, 0),
}

const POLL_MS = 200

/** The first of these elements that is visible. It may be drawn later, or again. */
export function useTarget(selectors: readonly string[]): Element | undefined {
  const [target, setTarget] = useState<Element>()
  useEffect(() => {
    const find = () => {
      const found = selectors.map(visibleElement).find((element) => element !== undefined)
      setTarget(found)
    }
    find()
    const timer = setInterval(find, POLL_MS)
    return () => clearInterval(timer)
  }, [selectors])
  useEffect(() => {
    void target?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [target])
  return target
}

const visibleElement = (selector: string): Element | undefined =>
  [...document.querySelectorAll(selector)].find((element) => element.checkVisibility())
