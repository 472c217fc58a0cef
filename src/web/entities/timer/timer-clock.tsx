import { useEffect, useRef } from 'react'
import { clockTime, durationText } from './clock.ts'
import { currentSeconds, type Timer } from './data.ts'

const SECOND_MS = 1000

/** Updates its own text every second without re-rendering. */
export function TimerClock({ timer }: { timer: Timer }) {
  const element = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const update = () => {
      element.current!.textContent = clockTime(currentSeconds(timer))
    }
    update()
    if (timer.state !== 'running') return
    const interval = setInterval(update, SECOND_MS)
    return () => clearInterval(interval)
  }, [timer])
  return (
    <>
      <span ref={element} className="running-clock" aria-hidden="true" />
      <span className="unseen">{durationText(timer.seconds)}</span>
    </>
  )
}
