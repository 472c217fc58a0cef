import { useEffect, useRef } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'

const hashNow = () => location.hash

/** Scrolls to a comment and marks it while the URL's hash names it. */
export function useLinkedComment(comment_id: number) {
  const ref = useRef<HTMLLIElement>(null)
  const isLinked = useLocationProperty(hashNow) === `#comment-${comment_id}`
  useEffect(() => {
    if (!isLinked) return
    const element = ref.current!
    // The delay lets the content above render first; otherwise the scroll position is off.
    const timer = setTimeout(() => {
      element.scrollIntoView({ block: 'center' })
      element.classList.add('called')
    }, RENDER_MS)
    return () => {
      clearTimeout(timer)
      element.classList.remove('called')
    }
  }, [isLinked])
  return ref
}

const RENDER_MS = 150
