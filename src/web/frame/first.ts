import { useEffect } from 'react'
import { cache, keyOf } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import type { Me } from './places.ts'
import { complain, say } from './toasts.tsx'

const FIRST = /(?:^|; )cork_first=yes/
const here = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Who is here for the first time gets the zone of the browser, unless they have chosen one. */
export function useFirstTime({ profile, server }: Me) {
  const before = profile.time_zone
  const isOpen = before === server.time_zone && before !== here
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, with what was there then
  useEffect(() => {
    if (!FIRST.test(document.cookie)) return
    // biome-ignore lint/suspicious/noDocumentCookie: the other way to write one is not known everywhere
    document.cookie = 'cork_first=; Path=/; Max-Age=0; SameSite=Lax'
    if (isOpen) void liveAt(here, () => liveAt(before)).catch((error) => complain(wordsOf(error)))
  }, [])
}

async function liveAt(time_zone: string, undo?: () => Promise<void>) {
  await send('user_context.update_profile', { time_zone })
  await cache.invalidateQueries({ queryKey: keyOf('user_context.get', {}) })
  const back = undo && (() => void undo().catch((error) => complain(wordsOf(error))))
  const name = time_zone.replaceAll('_', ' ')
  say(`Times are those of ${name}${undo ? ', where this browser is' : ''}`, back)
}
