import { useEffect, useState } from 'react'
import { isOpen } from '../../entities/agent/words.ts'
import { agoWords } from '../../kit/dates.ts'
import type { FullRun } from './types.ts'

const ORIGINS = {
  asked: 'Requested by',
  assigned: 'Assigned by',
  mentioned: 'Mentioned by',
  self: 'Started by',
} as const
const MINUTE = 60_000

/** Who started the run, when, and how long it took. */
export function Times({ run }: { run: FullRun }) {
  const { origin, created_by, created_at, started_at, ended_at } = run
  const now = useNow(isOpen(run))
  const created = agoWords(created_at, new Date(now))
  return (
    <span className="times soft">
      {ORIGINS[origin]} {created_by.name}{' '}
      <time dateTime={created_at} title={created.full}>
        {created.short}
      </time>
      {started_at && (
        <span>
          {' · '}
          {ended_at ? 'took ' : 'running for '}
          {formatDuration((ended_at ? Date.parse(ended_at) : now) - Date.parse(started_at))}
        </span>
      )}
    </span>
  )
}

function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isTicking) return
    const timer = setInterval(() => setNow(Date.now()), MINUTE / 2)
    return () => clearInterval(timer)
  }, [isTicking])
  return now
}

function formatDuration(ms: number): string {
  const minutes = Math.round(ms / MINUTE)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 100) return `${minutes} min`
  return `${Math.round(minutes / 60)} h`
}
