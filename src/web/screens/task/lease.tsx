import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Task } from '../../entities/task/data.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import { clock } from '../../kit/dates.ts'
import { rich, t } from '../../messages/t.ts'

const MINUTE = 60_000

/** Shows which agent holds the lease and how much of it is left. */
export function LeaseNote({ lease }: { lease: Task['lease'] }) {
  const left = useTimeLeft(lease?.expires_at)
  return (
    <div role="status">
      {lease && left > 0 && (
        <p className="lease-note">
          <Avatar actor={lease.holder} busy />
          <span>
            {rich('common.name_is_working_on_this', {
              name: (
                <Link href={`/agents/${lease.holder.agent_id}`} className="underlined">
                  {lease.holder.name}
                </Link>
              ),
            })}
          </span>
          <time
            className="soft"
            dateTime={lease.expires_at}
            title={t('task.lease_ends_at_clock_unless_renewed', {
              clock: clock(new Date(lease.expires_at)),
            })}
          >
            {timeLeftText(left)}
          </time>
        </p>
      )}
    </div>
  )
}

function timeLeftText(left: number): string {
  if (left <= MINUTE) return t('task.less_than_a_minute_left')
  const minutes = Math.round(left / MINUTE)
  return minutes < 100
    ? t('task.minutes_min_left', { minutes })
    : t('task.about_round_h_left', { round: Math.round(minutes / 60) })
}

/** The server sends no event when a lease ends, so a timer tracks it. */
function useTimeLeft(end: string | undefined): number {
  const [now, setNow] = useState(Date.now)
  const left = end === undefined ? 0 : Date.parse(end) - now
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setNow(Date.now()), Math.min(left, MINUTE / 2) + 50)
    return () => clearTimeout(timer)
  }, [left])
  return left
}
