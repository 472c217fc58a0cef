import { useCallback, useEffect, useRef, useState } from 'react'
import { readDraft, writeDraft } from './browser-storage.ts'
import { useOperation } from './cache.ts'

const PREFIX = 'draft:'

const WAIT_MS = 250

/** Debounces the writes of a draft, and flushes them when the page or the field goes away. */
function useDeferredWrite(name: string) {
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; flush(): void }>(undefined)
  const cancel = useCallback(() => {
    clearTimeout(pending.current?.timer)
    pending.current = undefined
  }, [])
  const flush = useCallback(() => {
    const write = pending.current
    cancel()
    write?.flush()
  }, [cancel])
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the name changes, the pending text of the old one is flushed first
  useEffect(() => {
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [flush, name])
  const schedule = useCallback(
    (write: () => void) => {
      cancel()
      pending.current = { timer: setTimeout(flush, WAIT_MS), flush: write }
    },
    [cancel, flush],
  )
  return { schedule, flush, cancel }
}

/** Text that was typed but not sent. It survives a reload, a crash and the end of the session. */
export function useDraft(key: string) {
  // Users who share a browser have separate drafts.
  const { data: me } = useOperation('user_context.get', {})
  const name = `${PREFIX}${me?.profile.user_id ?? 0}:${key}`
  const [stored, setStored] = useState(() => readDraft(name))
  const [loadedName, setLoadedName] = useState(name)
  if (loadedName !== name) {
    setLoadedName(name)
    setStored(readDraft(name))
  }
  const { schedule, flush, cancel } = useDeferredWrite(name)
  const save = useCallback(
    (text: string, base?: number, replacedText?: string) =>
      schedule(() => {
        const extra = {
          ...(base !== undefined && { base }),
          ...(replacedText !== undefined && { over: replacedText }),
        }
        writeDraft(name, text ? { text, at: Date.now(), ...extra } : undefined)
      }),
    [name, schedule],
  )
  const discard = useCallback(() => {
    cancel()
    writeDraft(name, undefined)
    setStored(undefined)
  }, [name, cancel])
  /** Reads the stored draft again, for a component that shows whether there is one. */
  const reload = useCallback(() => {
    flush()
    setStored(readDraft(name))
  }, [name, flush])
  return { name, stored, save, discard, reload }
}
