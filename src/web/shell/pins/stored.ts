import { useEffect } from 'react'
import { storageName } from '../../kit/base-path.ts'

const KEY = storageName('has-pins')

/** Whether there were pins the last time, so that they are drawn with the first screen. */
export const hadPins = () => localStorage.getItem(KEY) !== null

export function useStoredPins(hasPins: boolean | undefined) {
  useEffect(() => {
    if (hasPins) localStorage.setItem(KEY, '1')
    else if (hasPins === false) localStorage.removeItem(KEY)
  }, [hasPins])
}
