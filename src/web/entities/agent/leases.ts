import { useEffect } from 'react'
import { cache, useOperation } from '../../data/cache.ts'
import type { Output } from '../../data/client.ts'

export type Lease = Output<'leases.list'>['items'][number]

const GRACE_MS = 1000
const NONE: readonly Lease[] = []

/** The active leases of a team's agents. */
export function useLeases(team_id: number) {
  const list = useOperation('leases.list', { team_id, limit: 50 }, { enabled: team_id > 0 })
  const now = Date.now()
  const leases = (list.data?.items ?? NONE).filter(({ expires_at }) => Date.parse(expires_at) > now)
  useExpiry(leases)
  return { leases, list }
}

export const isHeldBy = ({ holder }: Lease, agent_id: string) => holder.agent_id === agent_id

/** The server sends no event when a lease expires, so the list is reloaded at that time. */
function useExpiry(leases: readonly Lease[]) {
  const next = Math.min(...leases.map(({ expires_at }) => Date.parse(expires_at)))
  useEffect(() => {
    if (!Number.isFinite(next)) return
    const reload = () => void cache.invalidateQueries({ queryKey: ['leases.list'] })
    const timer = setTimeout(reload, next - Date.now() + GRACE_MS)
    return () => clearTimeout(timer)
  }, [next])
}
