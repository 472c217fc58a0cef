import { useCallback, useEffect, useRef, useState } from 'react'

interface Kept {
  text: string
  /** The version of the text that this one began with. */
  base?: number
  at: number
}

const PREFIX = 'draft:'
const nameOf = (key: string) => PREFIX + key

function read(key: string): Kept | undefined {
  try {
    return JSON.parse(localStorage.getItem(nameOf(key)) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** A full or forbidden store is no reason to stop anybody from typing. */
function write(key: string, kept: Kept | undefined) {
  try {
    if (kept) localStorage.setItem(nameOf(key), JSON.stringify(kept))
    else localStorage.removeItem(nameOf(key))
  } catch {}
}

const WAIT_MS = 250

/** What was typed and not sent yet; it outlives the page, a crash and the end of a session. */
export function useDraft(key: string) {
  const [found, setFound] = useState(() => read(key))
  const [shown, setShown] = useState(key)
  if (shown !== key) {
    setShown(key)
    setFound(read(key))
  }
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; flush(): void }>(undefined)
  const flush = useCallback(() => {
    clearTimeout(waiting.current?.timer)
    waiting.current?.flush()
    waiting.current = undefined
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: of another text, the last one is kept first
  useEffect(() => {
    addEventListener('pagehide', flush)
    return () => {
      removeEventListener('pagehide', flush)
      flush()
    }
  }, [flush, key])
  const keep = useCallback(
    (text: string, base?: number) => {
      clearTimeout(waiting.current?.timer)
      const put = () =>
        write(key, text ? { text, at: Date.now(), ...(base !== undefined && { base }) } : undefined)
      const timer = setTimeout(flush, WAIT_MS)
      waiting.current = { timer, flush: put }
    },
    [key, flush],
  )
  const drop = useCallback(() => {
    clearTimeout(waiting.current?.timer)
    waiting.current = undefined
    write(key, undefined)
    setFound(undefined)
  }, [key])
  /** Reads again what was kept, for whoever shows that there is something. */
  const look = useCallback(() => {
    flush()
    setFound(read(key))
  }, [key, flush])
  return { found, keep, drop, look }
}
