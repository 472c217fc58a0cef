import { useSyncExternalStore } from 'react'

const NAME = 'side'
const heard = new Set<() => void>()
const isNarrow = () => localStorage.getItem(NAME) === 'narrow'

/** Only icons, or names too; kept on this machine. */
export function turnSide() {
  if (isNarrow()) localStorage.removeItem(NAME)
  else localStorage.setItem(NAME, 'narrow')
  for (const tell of heard) tell()
}

export const useNarrowSide = () =>
  useSyncExternalStore((tell) => {
    heard.add(tell)
    return () => heard.delete(tell)
  }, isNarrow)
