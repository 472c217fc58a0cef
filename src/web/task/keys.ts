import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'

/** The letters that open something of a task: as on the board, and s for its column. */
export type Letter = 'a' | 'd' | 'e' | 'l' | 'p' | 's'
const SEQUENCE_MS = 1000
const LETTERS: ReadonlySet<string> = new Set(['a', 'd', 'e', 'l', 'p', 's'])

/** Whether what a letter opens is open, and what is told when that changes. */
export type Opening = (letter: Letter) => { open: boolean; onOpen(open: boolean): void }

const isBusy = (target: EventTarget | undefined) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('.popup, .dialog') !== null)

interface Deeds {
  close?: (() => void) | undefined
  next?: ((step: 1 | -1) => void) | undefined
  comment(): void
  /** Brings what the letters open into sight. */
  show(): void
}

/** What the keys do while a task is open; they come before those of the board behind it. */
export function useTaskKeys({ close, next, comment, show }: Deeds): Opening {
  const [opened, setOpened] = useState<Letter>()
  const led = useRef(0)
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const { key, timeStamp } = event
    const isLed = timeStamp - led.current < SEQUENCE_MS
    led.current = key === 'g' ? timeStamp : 0
    // After a g, a letter says where to go.
    if (isLed) return
    // What is typed in the editor comes from inside a shadow root.
    const [target] = event.composedPath()
    if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return
    if (event.defaultPrevented || isBusy(target)) return
    const open = () => {
      show()
      setOpened(key as Letter)
    }
    const deed = LETTERS.has(key)
      ? open
      : { m: comment, Escape: close, j: next && (() => next(1)), k: next && (() => next(-1)) }[key]
    if (!deed) return
    event.preventDefault()
    event.stopPropagation()
    deed()
  })
  useEffect(() => {
    const hear = (event: KeyboardEvent) => pressed(event)
    addEventListener('keydown', hear, true)
    return () => removeEventListener('keydown', hear, true)
  }, [])
  return useCallback(
    (letter) => ({
      open: opened === letter,
      onOpen: (open) => setOpened(open ? letter : undefined),
    }),
    [opened],
  )
}
