import { useCallback, useEffect, useRef } from 'react'
import type { Happening } from '../data/live.ts'
import { useHappenings } from './live.ts'

/** Long lists are read page by page: however much happens, not more often than this. */
const SPACING_MS = 400

/** Keeps a list up with what people and agents do elsewhere; both must stay the same ones. */
export function useFollow(concerns: RegExp, read: () => Promise<unknown>) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isOld = useRef(false)
  const follow = useCallback(async () => {
    timer.current = setTimeout(() => {
      timer.current = undefined
      if (isOld.current) void follow()
    }, SPACING_MS)
    isOld.current = false
    await read()
  }, [read])
  const hear = useCallback(
    (happenings: readonly Happening[]) => {
      if (!happenings.some(({ type }) => concerns.test(type))) return
      isOld.current = true
      if (timer.current === undefined) void follow()
    },
    [concerns, follow],
  )
  useHappenings(hear)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
}
