import { useSyncExternalStore } from 'react'

const media = matchMedia('(max-width: 48rem)')

const subscribe = (listener: () => void) => {
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** Whether the screen is as narrow as a phone, where a table has no room. */
export const useIsNarrow = () => useSyncExternalStore(subscribe, () => media.matches)
