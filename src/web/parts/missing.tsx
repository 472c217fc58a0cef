import { useLayoutEffect, useRef } from 'react'
import { Link } from 'wouter'
import { cache } from '../data/cache.ts'
import { useShownError } from '../data/load-failures.ts'

interface Props {
  /** There is no such thing, as opposed to a request that failed. */
  isUnknown: boolean
  error?: Error | null | undefined
}

/** The way on from a screen that cannot be shown: home if it does not exist, otherwise a retry. */
export function WayOn({ isUnknown, error }: Props) {
  useShownError(error)
  return isUnknown ? (
    <Link href="/" className="button plain">
      Go to your board
    </Link>
  ) : (
    <Retry />
  )
}

function Retry() {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const own = button.current
    return () => {
      // The button leaves with the error; the keyboard focus stays on the screen.
      if (own === document.activeElement) document.getElementById('main')?.focus()
    }
  }, [])
  return (
    <button
      ref={button}
      type="button"
      className="button plain"
      onClick={() => void cache.refetchQueries({ type: 'active' })}
    >
      Retry
    </button>
  )
}
