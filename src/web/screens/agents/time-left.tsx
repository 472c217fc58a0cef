import { useEffect, useState } from 'react'
import { clock } from '../../kit/dates.ts'
import { t } from '../../messages/t.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The remaining time of a lease, counting down. */
export function TimeLeft({ until }: { until: string }) {
  const end = Date.parse(until)
  const [now, setNow] = useState(Date.now)
  const left = Math.max(0, end - now)
  useEffect(() => {
    // Ticks every second only while seconds are shown.
    const step = left < HOUR ? 1000 : MINUTE
    const timer = setTimeout(() => setNow(Date.now()), step - (Date.now() % 1000))
    return () => clearTimeout(timer)
  }, [left])
  return (
    <time
      className="left tabular"
      dateTime={until}
      title={t('agents.until_clock_unless_renewed', { clock: clock(new Date(end)) })}
    >
      {t('agents.duration_left', { duration: formatDuration(left) })}
    </time>
  )
}

const twoDigits = (number: number) => String(number).padStart(2, '0')

function formatDuration(left: number): string {
  const seconds = Math.floor(left / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${twoDigits(seconds % 60)}`
  return t('agents.hours_h_minutes_min', {
    hours: Math.floor(minutes / 60),
    minutes: twoDigits(minutes % 60),
  })
}
