import { useEffect, useRef } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'

const hashNow = () => location.hash

/** Where the address names a comment, that is brought into sight. */
export function useCalled(comment_id: number) {
  const line = useRef<HTMLLIElement>(null)
  const isCalled = useLocationProperty(hashNow) === `#comment-${comment_id}`
  useEffect(() => {
    if (!isCalled) return
    const element = line.current!
    // What stands above it may have to be drawn first.
    const timer = setTimeout(() => {
      element.scrollIntoView({ block: 'center' })
      element.classList.add('called')
    }, DRAWN_MS)
    return () => {
      clearTimeout(timer)
      element.classList.remove('called')
    }
  }, [isCalled])
  return line
}

const DRAWN_MS = 150
