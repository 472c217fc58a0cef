import { useEffect } from 'react'
import type { IconName } from '../parts/icon.tsx'

/** Something that can be done by its name. */
export interface Offer {
  name: string
  icon: IconName
  /** Other words that people look for it by. */
  also?: string
  /** The key that does the same. */
  hint?: string
  run(): void
}

const offered = new Set<{ now: readonly Offer[] }>()

/** What the palette offers beside what it always does, as long as the component is there. */
export function useOffers(offers: readonly Offer[]) {
  useEffect(() => {
    const mine = { now: offers }
    offered.add(mine)
    return () => void offered.delete(mine)
  }, [offers])
}

export const offersNow = (): readonly Offer[] => [...offered].flatMap(({ now }) => now)
