import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Nearer than this, one is at the end. */
const NEAR = 48

/** Stays at the end as long as one is there; else says that there is more below. */
export function useEnd(
  scroller: RefObject<HTMLElement | null>,
  inside: RefObject<HTMLElement | null>,
) {
  const isStuck = useRef(true)
  const turn = useCallback(
    (next: boolean) => {
      isStuck.current = next
      scroller.current?.toggleAttribute('data-follows-end', next)
    },
    [scroller],
  )
  const seen = useRef(0)
  const [isAway, setAway] = useState(false)
  const follow = useCallback(() => {
    turn(true)
    setAway(false)
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }, [scroller, turn])
  useEffect(() => {
    turn(isStuck.current)
    const grown = () => {
      const element = scroller.current
      if (!element) return
      if (isStuck.current) element.scrollTop = element.scrollHeight
      else if (element.scrollHeight > seen.current + 1) setAway(true)
      seen.current = element.scrollHeight
    }
    // As high as its lines turn out, and as the panel is.
    const watch = new ResizeObserver(grown)
    watch.observe(inside.current!)
    watch.observe(scroller.current!)
    return () => watch.disconnect()
  }, [scroller, inside, turn])
  const last = useRef(0)
  const scrolled = () => {
    const { scrollHeight, scrollTop, clientHeight } = scroller.current!
    const isUp = scrollTop < last.current - 1
    last.current = scrollTop
    if (scrollHeight - scrollTop - clientHeight < NEAR) {
      turn(true)
      setAway(false)
      // What has another height since then has moved by itself.
    } else if (isUp && scrollHeight === seen.current) turn(false)
  }
  return { isAway, follow, scrolled }
}
