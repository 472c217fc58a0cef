import { useCallback, useEffect, useRef } from 'react'
import type { Change } from '../data/change-stream.ts'
import { useChanges } from './live.ts'

/** The least time between two refetches, because long lists load page by page. */
const MIN_INTERVAL_MS = 400

/** Refetches a list when matching changes arrive. Both arguments must be stable between renders. */
export function useRefetchOnChange(types: RegExp, read: () => Promise<unknown>) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isStale = useRef(false)
  const refetch = useCallback(async () => {
    timer.current = setTimeout(() => {
      timer.current = undefined
      if (isStale.current) void refetch()
    }, MIN_INTERVAL_MS)
    isStale.current = false
    await read()
  }, [read])
  const onChanges = useCallback(
    (changes: readonly Change[]) => {
      if (!changes.some(({ type }) => types.test(type))) return
      isStale.current = true
      if (timer.current === undefined) void refetch()
    },
    [types, refetch],
  )
  useChanges(onChanges)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
}
