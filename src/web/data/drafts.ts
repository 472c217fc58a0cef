import { useCallback, useEffect, useRef, useState } from 'react'
import { useAsk } from './cache.ts'
import { readDraft, writeDraft } from './kept.ts'

const PREFIX = 'draft:'

const WAIT_MS = 250

/** Writes a little later what is typed, and at once where the page or the field goes away. */
function useLater(name: string) {
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; flush(): void }>(undefined)
  const forget = useCallback(() => {
    clearTimeout(waiting.current?.timer)
    waiting.current = undefined
  }, [])
  const flush = useCallback(() => {
    const last = waiting.current
    forget()
    last?.flush()
  }, [forget])
  // biome-ignore lint/correctness/useExhaustiveDependencies: of another text, the last one is kept first
  useEffect(() => {
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [flush, name])
  const soon = useCallback(
    (put: () => void) => {
      forget()
      waiting.current = { timer: setTimeout(flush, WAIT_MS), flush: put }
    },
    [forget, flush],
  )
  return { soon, flush, forget }
}

/** What was typed and not sent yet; it outlives the page, a crash and the end of a session. */
export function useDraft(key: string) {
  // Another person at the same browser has drafts of their own.
  const { data: me } = useAsk('user_context.get', {})
  const name = `${PREFIX}${me?.profile.user_id ?? 0}:${key}`
  const [found, setFound] = useState(() => readDraft(name))
  const [shown, setShown] = useState(name)
  if (shown !== name) {
    setShown(name)
    setFound(readDraft(name))
  }
  const { soon, flush, forget } = useLater(name)
  const keep = useCallback(
    (text: string, base?: number, over?: string) =>
      soon(() => {
        const more = { ...(base !== undefined && { base }), ...(over !== undefined && { over }) }
        writeDraft(name, text ? { text, at: Date.now(), ...more } : undefined)
      }),
    [name, soon],
  )
  const drop = useCallback(() => {
    forget()
    writeDraft(name, undefined)
    setFound(undefined)
  }, [name, forget])
  /** Reads again what was kept, for whoever shows that there is something. */
  const look = useCallback(() => {
    flush()
    setFound(readDraft(name))
  }, [name, flush])
  return { name, found, keep, drop, look }
}
