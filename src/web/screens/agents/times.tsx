import { useEffect, useState } from 'react'
import { usdText } from '../../entities/agent/budget.ts'
import { isOpen } from '../../entities/agent/descriptions.ts'
import { agoText } from '../../kit/dates.ts'
import { t } from '../../messages/t.ts'
import type { FullRun } from './types.ts'

const ORIGINS = {
  asked: t('agents.requested_by'),
  assigned: t('agents.assigned_by'),
  mentioned: t('agents.mentioned_by'),
  self: t('agents.started_by'),
} as const
const MINUTE = 60_000

/** Who started the run, when, and how long it took. */
export function Times({ run }: { run: FullRun }) {
  const { origin, created_by, created_at, started_at, ended_at } = run
  const now = useNow(isOpen(run))
  const created = agoText(created_at, new Date(now))
  return (
    <span className="times soft">
      {ORIGINS[origin]} {created_by.name}{' '}
      <time dateTime={created_at} title={created.full}>
        {created.short}
      </time>
      <Usage run={run} />
      {started_at && (
        <span>
          {' · '}
          {ended_at
            ? t('agents.took_duration', {
                duration: formatDuration(Date.parse(ended_at) - Date.parse(started_at)),
              })
            : t('agents.running_for_duration', {
                duration: formatDuration(now - Date.parse(started_at)),
              })}
        </span>
      )}
    </span>
  )
}

/** What the agent reported; nothing if it did not. */
function Usage({ run: { input_tokens, output_tokens, cost_usd } }: { run: FullRun }) {
  const parts = [
    input_tokens !== null && t('agents.count_input_tokens', { count: input_tokens }),
    output_tokens !== null && t('agents.count_output_tokens', { count: output_tokens }),
    cost_usd !== null && usdText(cost_usd),
  ].filter(Boolean)
  return parts.length > 0 && <span> · {parts.join(' · ')}</span>
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
  if (minutes < 1) return t('agents.less_than_a_minute')
  if (minutes < 100) return t('agents.minutes_min', { minutes })
  return t('common.hours_h', { hours: Math.round(minutes / 60) })
}
