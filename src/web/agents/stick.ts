import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface Of {
  /** How many entries there are. */
  total: number
  /** How high all of them are together. */
  size: number
  isLive: boolean
}

/** Nearer than this, one is at the end. */
const NEAR = 48
/** So long after a turn of the wheel, a touch or a key it is somebody who scrolls. */
const BY_HAND_MS = 500
const HANDS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/** Stays at the end as long as one is there; else counts what came since. */
export function useStick(scroller: RefObject<HTMLElement | null>, { total, size, isLive }: Of) {
  const [isStuck, setStuck] = useState(isLive)
  const [seen, setSeen] = useState(total)
  const touched = useRef(0)
  useEffect(() => {
    const element = scroller.current
    const touch = () => {
      touched.current = performance.now()
    }
    for (const hand of HANDS) element?.addEventListener(hand, touch, { passive: true })
    return () => {
      for (const hand of HANDS) element?.removeEventListener(hand, touch)
    }
  }, [scroller])
  // biome-ignore lint/correctness/useExhaustiveDependencies: entries come, and turn out higher
  useLayoutEffect(() => {
    const element = scroller.current
    element?.toggleAttribute('data-follows-end', isStuck)
    if (!isStuck || !element) return
    element.scrollTop = element.scrollHeight
    setSeen(total)
  }, [scroller, isStuck, total, size])
  const isAtEnd = () => {
    const { scrollHeight, scrollTop, clientHeight } = scroller.current!
    return scrollHeight - scrollTop - clientHeight < NEAR
  }
  return {
    news: isStuck || !seen ? 0 : total - seen,
    follow: () => setStuck(true),
    /** Somebody goes elsewhere in it. */
    leave() {
      setStuck(false)
      setSeen(total)
    },
    scrolled() {
      // What is measured above moves it too.
      if (performance.now() - touched.current > BY_HAND_MS) return
      const next = isAtEnd()
      if (next === isStuck) return
      setStuck(next)
      setSeen(total)
    },
  }
}
