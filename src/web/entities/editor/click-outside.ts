import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Calls back after a click beside an element that is still on the same sheet. */
export function useClickOutside(element: RefObject<HTMLElement | null>, onClick: () => void) {
  const handleClick = useEffectEvent(onClick)
  useEffect(() => {
    // The click that opened the element must not close it.
    const openedAt = performance.now()
    const onDocumentClick = ({ target, timeStamp }: MouseEvent) => {
      const sheet = element.current?.closest('.task')
      if (timeStamp < openedAt || !(target instanceof Node) || !sheet?.contains(target)) return
      if (!element.current!.contains(target)) handleClick()
    }
    document.addEventListener('click', onDocumentClick)
    return () => document.removeEventListener('click', onDocumentClick)
  }, [element])
}
