import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

interface FollowOptions {
  /** How many entries there are. */
  total: number
  /** The total height of the entries. */
  size: number
  isLive: boolean
}

/** Closer to the end than this counts as at the end. */
const NEAR_PX = 48
/** A scroll event this soon after an input event comes from the user. */
const USER_SCROLL_MS = 500
const SCROLL_EVENTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/** Keeps the view at the end while the reader is there; otherwise counts new entries. */
export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  { total, size, isLive }: FollowOptions,
) {
  const [isFollowing, setFollowing] = useState(isLive)
  const [seenTotal, setSeenTotal] = useState(total)
  const lastInputAt = useRef(0)
  useEffect(() => {
    const element = scroller.current
    const onInput = () => {
      lastInputAt.current = performance.now()
    }
    for (const type of SCROLL_EVENTS) element?.addEventListener(type, onInput, { passive: true })
    return () => {
      for (const type of SCROLL_EVENTS) element?.removeEventListener(type, onInput)
    }
  }, [scroller])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when entries arrive or get higher
  useLayoutEffect(() => {
    const element = scroller.current
    element?.toggleAttribute('data-follows-end', isFollowing)
    if (!isFollowing || !element) return
    element.scrollTop = element.scrollHeight
    setSeenTotal(total)
  }, [scroller, isFollowing, total, size])
  const isAtEnd = () => {
    const { scrollHeight, scrollTop, clientHeight } = scroller.current!
    return scrollHeight - scrollTop - clientHeight < NEAR_PX
  }
  return {
    newCount: isFollowing || !seenTotal ? 0 : total - seenTotal,
    follow: () => setFollowing(true),
    /** Stops following, for a jump elsewhere. */
    leave() {
      setFollowing(false)
      setSeenTotal(total)
    },
    onScroll() {
      // Measuring rows above changes the scroll position as well.
      if (performance.now() - lastInputAt.current > USER_SCROLL_MS) return
      const next = isAtEnd()
      if (next === isFollowing) return
      setFollowing(next)
      setSeenTotal(total)
    },
  }
}
