import { useEffect, useState } from 'react'
import { clock } from '../parts/dates.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Time that is left of a lease, counted down before one's eyes. */
export function Left({ until }: { until: string }) {
  const end = Date.parse(until)
  const [now, setNow] = useState(Date.now)
  const left = Math.max(0, end - now)
  useEffect(() => {
    // By the second only where seconds are shown.
    const step = left < HOUR ? 1000 : MINUTE
    const timer = setTimeout(() => setNow(Date.now()), step - (Date.now() % 1000))
    return () => clearTimeout(timer)
  }, [left])
  return (
    <time
      className="left tabular"
      dateTime={until}
      title={`Until ${clock(new Date(end))}, unless it goes on`}
    >
      {spelled(left)} left
    </time>
  )
}

const two = (number: number) => String(number).padStart(2, '0')

function spelled(left: number): string {
  const seconds = Math.floor(left / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`
}
