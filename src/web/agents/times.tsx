import { useEffect, useState } from 'react'
import { agoWords } from '../parts/dates.ts'
import type { Session } from './run.tsx'
import { isOpen } from './words.ts'

const ORIGINS = {
  asked: 'Asked for by',
  assigned: 'Assigned by',
  mentioned: 'Mentioned by',
  self: 'Begun by',
} as const
const MINUTE = 60_000

/** Who began it and when, and how long it took. */
export function Times({ run }: { run: Session }) {
  const { origin, created_by, created_at, started_at, ended_at } = run
  const now = useMinutes(isOpen(run))
  const made = agoWords(created_at, new Date(now))
  return (
    <span className="times soft">
      {ORIGINS[origin]} {created_by.name}{' '}
      <time dateTime={created_at} title={made.full}>
        {made.short}
      </time>
      {started_at && (
        <span>
          {' · '}
          {ended_at ? 'took ' : 'at it for '}
          {spanOf((ended_at ? Date.parse(ended_at) : now) - Date.parse(started_at))}
        </span>
      )}
    </span>
  )
}

function useMinutes(isOn: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => setNow(Date.now()), MINUTE / 2)
    return () => clearInterval(timer)
  }, [isOn])
  return now
}

function spanOf(ms: number): string {
  const minutes = Math.round(ms / MINUTE)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 100) return `${minutes} min`
  return `${Math.round(minutes / 60)} h`
}
