import { useEffect, useRef } from 'react'
import { spent, ticked } from './clock.ts'
import { secondsNow, type Timer } from './data.ts'

const SECOND_MS = 1000

/** Counts on by itself: nothing else is drawn again for it. */
export function Ticking({ timer }: { timer: Timer }) {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const tell = () => {
      place.current!.textContent = ticked(secondsNow(timer))
    }
    tell()
    if (timer.state !== 'running') return
    const each = setInterval(tell, SECOND_MS)
    return () => clearInterval(each)
  }, [timer])
  return (
    <>
      <span ref={place} className="ticking" aria-hidden="true" />
      <span className="unseen">{spent(timer.seconds)}</span>
    </>
  )
}
