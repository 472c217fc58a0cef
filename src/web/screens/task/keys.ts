import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isListKey } from '../../entities/task/neighbours.ts'
import { isComposing } from '../../kit/composing.ts'
import { isOverlayLoading } from '../../kit/overlay-loading.tsx'

/** The keys that open a picker of a task: as on the board, plus `s` for its section. */
export type PickerKey = 'a' | 'd' | 'e' | 'l' | 'p' | 's'
const SEQUENCE_MS = 1000
/** Not 0: event timestamps start at 0 when the page loads, so 0 would count as a recent `g`. */
const NEVER = Number.NEGATIVE_INFINITY
const PICKER_KEYS: ReadonlySet<string> = new Set(['a', 'd', 'e', 'l', 'p', 's'])

/** Returns the open state of a key's picker and its change handler. */
export type PickerState = (key: PickerKey) => { open: boolean; onOpen(open: boolean): void }

const isTypingTarget = (target: EventTarget | undefined) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('.popup, .dialog') !== null)

type Action = () => void
type ActionFor = (key: string) => Action | undefined

/** Handles keys in the capture phase, before the shortcuts of the board behind the panel. */
function useCapturedKeys(actionFor: ActionFor) {
  const lastG = useRef(NEVER)
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, timeStamp } = event
    const isSequence = timeStamp - lastG.current < SEQUENCE_MS
    lastG.current = key === 'g' ? timeStamp : NEVER
    // After `g`, the next letter is a navigation shortcut.
    if (isSequence) return
    // Events from the editor start inside a shadow root, so `event.target` is only its host.
    const [target] = event.composedPath()
    if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return
    if (
      isComposing(event) ||
      event.defaultPrevented ||
      isTypingTarget(target) ||
      isOverlayLoading()
    )
      return
    const action = isListKey(key) ? undefined : actionFor(key)
    if (!action) return
    event.preventDefault()
    event.stopPropagation()
    action()
  })
  // A layout effect, so that the listener is there when the panel becomes visible.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event)
    addEventListener('keydown', listener, true)
    return () => removeEventListener('keydown', listener, true)
  }, [])
}

interface NavigationKeys {
  close?: Action | undefined
  next?: ((step: 1 | -1) => void) | undefined
  /** A key pressed before the task had loaded. */
  pendingKey?: RefObject<string | undefined> | undefined
}

const navigationFor = (key: string, { close, next }: NavigationKeys) =>
  ({ Escape: close, j: next && (() => next(1)), k: next && (() => next(-1)) })[key]

/** While the task loads, records a key for `useTaskKeys` to run later. */
export function useEarlyKeys({ pendingKey, ...navigation }: NavigationKeys) {
  useCapturedKeys((key) => {
    if (!pendingKey || !('miw'.includes(key) || PICKER_KEYS.has(key)))
      return navigationFor(key, navigation)
    return () => {
      pendingKey.current = key
    }
  })
}

interface TaskKeys extends NavigationKeys {
  comment(): void
  timer(): void
  watch(): void
  /** Scrolls to the fields whose pickers the keys open. */
  scrollToFields(): void
}

/** The keyboard shortcuts of an open task. */
export function useTaskKeys({
  pendingKey,
  comment,
  timer,
  watch,
  scrollToFields,
  ...navigation
}: TaskKeys): PickerState {
  const [openKey, setOpenKey] = useState<PickerKey>()
  const actionFor: ActionFor = (key) => {
    const open = () => {
      scrollToFields()
      setOpenKey(key as PickerKey)
    }
    if (PICKER_KEYS.has(key)) return open
    return { m: comment, i: timer, w: watch }[key] ?? navigationFor(key, navigation)
  }
  const runPendingKey = useEffectEvent(() => {
    const key = pendingKey?.current
    if (pendingKey) pendingKey.current = undefined
    if (key) actionFor(key)?.()
  })
  useEffect(() => runPendingKey(), [])
  useCapturedKeys(actionFor)
  return useCallback(
    (key) => ({
      open: openKey === key,
      onOpen: (open) => setOpenKey(open ? key : undefined),
    }),
    [openKey],
  )
}
