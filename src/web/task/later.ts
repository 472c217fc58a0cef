import { cell } from '../data/cell.ts'
import { say } from '../frame/toasts.tsx'

const LATER_MS = 6000
const gone = cell<ReadonlySet<string>>(new Set())
const turn = (what: string, isGone: boolean) => {
  const others = [...gone.get()].filter((one) => one !== what)
  gone.put(new Set(isGone ? [...others, what] : others))
}
/** Whoever leaves out what is gone is drawn anew when that is another matter. */
export const useGone = gone.use

/** What was deleted is not shown again by an answer that the server gave before it knew. */
export const isGone = (what: string) => gone.get().has(what)

interface Deed {
  /** What it is about, unlike anything else. */
  what: string
  words: string
  run(): void
  back(): void
}

/** Deletes for good what can be taken back only as long as nobody has been told. */
export function later({ what, words, run, back }: Deed) {
  turn(what, true)
  const now = () => {
    clearTimeout(timer)
    removeEventListener('pagehide', now)
    // From here on it cannot be taken back.
    forget()
    run()
  }
  const timer = setTimeout(now, LATER_MS)
  addEventListener('pagehide', now)
  const forget = say(words, () => {
    clearTimeout(timer)
    removeEventListener('pagehide', now)
    turn(what, false)
    back()
  })
}

/** The server refused, so it is there still. */
export const notGone = (what: string) => turn(what, false)
