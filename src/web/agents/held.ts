import { useEffect } from 'react'
import { cache, useAsk } from '../data/cache.ts'
import type { Output } from '../data/client.ts'

export type Held = Output<'leases.list'>['items'][number]

const AFTER_MS = 1000
const NONE: readonly Held[] = []

/** The tasks of a team that agents hold now, the same on every screen. */
export function useHeld(team_id: number) {
  const list = useAsk('leases.list', { team_id, limit: 50 }, { enabled: team_id > 0 })
  const now = Date.now()
  const held = (list.data?.items ?? NONE).filter(({ expires_at }) => Date.parse(expires_at) > now)
  useExpiry(held)
  return { held, list }
}

export const isHolder = ({ holder }: Held, agent_id: string) => holder.agent_id === agent_id

/** No event says that a lease has expired, so the list is read again at that time. */
function useExpiry(held: readonly Held[]) {
  const next = Math.min(...held.map(({ expires_at }) => Date.parse(expires_at)))
  useEffect(() => {
    if (!Number.isFinite(next)) return
    const read = () => void cache.invalidateQueries({ queryKey: ['leases.list'] })
    const timer = setTimeout(read, next - Date.now() + AFTER_MS)
    return () => clearTimeout(timer)
  }, [next])
}
