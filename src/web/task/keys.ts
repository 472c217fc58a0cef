import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isComing } from '../parts/coming.tsx'
import { isComposing } from '../parts/composing.ts'
import { isOfList } from './next.ts'

/** The letters that open something of a task: as on the board, and s for its column. */
export type Letter = 'a' | 'd' | 'e' | 'l' | 'p' | 's'
const SEQUENCE_MS = 1000
/** Not 0, from which a page that is just opened is not far. */
const NEVER = Number.NEGATIVE_INFINITY
const LETTERS: ReadonlySet<string> = new Set(['a', 'd', 'e', 'l', 'p', 's'])

/** Whether what a letter opens is open, and what is told when that changes. */
export type Opening = (letter: Letter) => { open: boolean; onOpen(open: boolean): void }

const isBusy = (target: EventTarget | undefined) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('.popup, .dialog') !== null)

type Deed = () => void
type DeedOf = (key: string) => Deed | undefined

/** Keys that come before those of the board behind. */
function useKeysFirst(of: DeedOf) {
  const led = useRef(NEVER)
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const { key, timeStamp } = event
    const isLed = timeStamp - led.current < SEQUENCE_MS
    led.current = key === 'g' ? timeStamp : NEVER
    // After a g, a letter says where to go.
    if (isLed) return
    // What is typed in the editor comes from inside a shadow root.
    const [target] = event.composedPath()
    if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return
    if (isComposing(event) || event.defaultPrevented || isBusy(target) || isComing()) return
    const deed = isOfList(key) ? undefined : of(key)
    if (!deed) return
    event.preventDefault()
    event.stopPropagation()
    deed()
  })
  // As soon as it is seen, it hears.
  useLayoutEffect(() => {
    const hear = (event: KeyboardEvent) => pressed(event)
    addEventListener('keydown', hear, true)
    return () => removeEventListener('keydown', hear, true)
  }, [])
}

interface Ways {
  close?: Deed | undefined
  next?: ((step: 1 | -1) => void) | undefined
  /** A key that was pressed before there was a task to do it. */
  early?: RefObject<string | undefined> | undefined
}

const wayOf = (key: string, { close, next }: Ways) =>
  ({ Escape: close, j: next && (() => next(1)), k: next && (() => next(-1)) })[key]

/** Until the task is there, what is asked of it waits. */
export function useEarlyKeys({ early, ...ways }: Ways) {
  useKeysFirst((key) => {
    if (!early || !(key === 'm' || key === 'i' || LETTERS.has(key))) return wayOf(key, ways)
    return () => {
      early.current = key
    }
  })
}

interface Deeds extends Ways {
  comment(): void
  timer(): void
  /** Brings what the letters open into sight. */
  show(): void
}

/** What the keys do while a task is open. */
export function useTaskKeys({ early, comment, timer, show, ...ways }: Deeds): Opening {
  const [opened, setOpened] = useState<Letter>()
  const deedOf: DeedOf = (key) => {
    const open = () => {
      show()
      setOpened(key as Letter)
    }
    if (LETTERS.has(key)) return open
    return { m: comment, i: timer }[key] ?? wayOf(key, ways)
  }
  const begin = useEffectEvent(() => {
    const key = early?.current
    if (early) early.current = undefined
    if (key) deedOf(key)?.()
  })
  useEffect(() => begin(), [])
  useKeysFirst(deedOf)
  return useCallback(
    (letter) => ({
      open: opened === letter,
      onOpen: (open) => setOpened(open ? letter : undefined),
    }),
    [opened],
  )
}
