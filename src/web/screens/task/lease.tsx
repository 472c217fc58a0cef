import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { Task } from '../../entities/task/data.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import { clock } from '../../kit/dates.ts'

const MINUTE = 60_000

/** Shows which agent holds the lease and how much of it is left. */
export function LeaseNote({ lease }: { lease: Task['lease'] }) {
  const left = useTimeLeft(lease?.expires_at)
  return (
    <div role="status">
      {lease && left > 0 && (
        <p className="at-work">
          <Avatar actor={lease.holder} busy />
          <span>
            <Link href={`/agents/${lease.holder.agent_id}`} className="underlined">
              {lease.holder.name}
            </Link>{' '}
            is working on this
          </span>
          <time
            className="soft"
            dateTime={lease.expires_at}
            title={`Lease ends at ${clock(new Date(lease.expires_at))} unless renewed`}
          >
            {leftWords(left)}
          </time>
        </p>
      )}
    </div>
  )
}

function leftWords(left: number): string {
  if (left <= MINUTE) return 'less than a minute left'
  const minutes = Math.round(left / MINUTE)
  return minutes < 100 ? `${minutes} min left` : `about ${Math.round(minutes / 60)} h left`
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
