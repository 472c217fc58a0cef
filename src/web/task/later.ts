import { say } from '../frame/toasts.tsx'

const LATER_MS = 6000
const gone = new Set<string>()

/** What was deleted is not shown again by an answer that the server gave before it knew. */
export const isGone = (what: string) => gone.has(what)

interface Deed {
  /** What it is about, unlike anything else. */
  what: string
  words: string
  run(): void
  back(): void
}

/** Deletes for good what can be taken back only as long as nobody has been told. */
export function later({ what, words, run, back }: Deed) {
  gone.add(what)
  const now = () => {
    clearTimeout(timer)
    removeEventListener('pagehide', now)
    run()
  }
  const timer = setTimeout(now, LATER_MS)
  addEventListener('pagehide', now)
  say(words, () => {
    clearTimeout(timer)
    removeEventListener('pagehide', now)
    gone.delete(what)
    back()
  })
}

/** The server refused, so it is there still. */
export const notGone = (what: string) => void gone.delete(what)
