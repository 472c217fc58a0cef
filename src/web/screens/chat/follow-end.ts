import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Closer to the end than this counts as at the end. */
const NEAR_PX = 48

/** Keeps the view at the end while the reader is there; otherwise reports new content below. */
export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
) {
  const isFollowing = useRef(true)
  const setFollowing = useCallback(
    (next: boolean) => {
      isFollowing.current = next
      scroller.current?.toggleAttribute('data-follows-end', next)
    },
    [scroller],
  )
  const lastHeight = useRef(0)
  const [isAway, setAway] = useState(false)
  const follow = useCallback(() => {
    setFollowing(true)
    setAway(false)
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
  }, [scroller, setFollowing])
  useEffect(() => {
    setFollowing(isFollowing.current)
    const onResize = () => {
      const element = scroller.current
      if (!element) return
      if (isFollowing.current) element.scrollTop = element.scrollHeight
      else if (element.scrollHeight > lastHeight.current + 1) setAway(true)
      lastHeight.current = element.scrollHeight
    }
    // Both the content and the panel can change their height.
    const observer = new ResizeObserver(onResize)
    observer.observe(content.current!)
    observer.observe(scroller.current!)
    return () => observer.disconnect()
  }, [scroller, content, setFollowing])
  const lastTop = useRef(0)
  const onScroll = () => {
    const { scrollHeight, scrollTop, clientHeight } = scroller.current!
    const isUp = scrollTop < lastTop.current - 1
    lastTop.current = scrollTop
    if (scrollHeight - scrollTop - clientHeight < NEAR_PX) {
      setFollowing(true)
      setAway(false)
      // If the height changed, the scroll position moved by itself.
    } else if (isUp && scrollHeight === lastHeight.current) setFollowing(false)
  }
  return { isAway, follow, onScroll }
}
