import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useAsk } from '../data/cache.ts'
import { type Asking, closeChat } from '../frame/asking.ts'
import type { Me } from '../frame/places.ts'
import { isComposing } from '../parts/composing.ts'
import { Edge } from '../parts/edge.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { Box, type Field } from './box.tsx'
import './chat.css'
import { Head } from './head.tsx'
import { None } from './none.tsx'
import { keep, type Now, now, openLast, openNew } from './now.ts'
import { aboutTask, useHere } from './place.ts'
import { useFullScreen } from './screen.ts'
import { ThreadView } from './thread.tsx'
import { Threads } from './threads.tsx'

const WIDTH = {
  label: 'Width of the chat',
  name: 'chat-width',
  property: '--chat',
  least: 320,
  most: 640,
  usual: () => 400,
} as const

interface Props {
  me: Me
  asking: Asking
}

/** The chat, beside whatever is on the screen. */
export default function Panel({ me, asking }: Props) {
  const panel = useRef<HTMLElement>(null)
  const field = useRef<Field>(null)
  const [isListed, setListed] = useState(false)
  const isFull = useFullScreen()
  const current = now.use()
  const back = useFocus(panel, field, asking)
  useOpening(me, asking, field, () => setListed(false))
  const leave = () => (isFull ? closeChat() : back())
  const show = () => {
    setListed(false)
    // Until then the list may stand in its place.
    requestAnimationFrame(() => field.current?.focus())
  }
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only where it is a dialog
    <section
      ref={panel}
      className="chat"
      tabIndex={-1}
      aria-label="Chat"
      onKeyDown={(event) => onKey(event, leave)}
      role={isFull ? 'dialog' : 'complementary'}
      aria-modal={isFull || undefined}
    >
      {!isFull && <Edge {...WIDTH} />}
      {current && (
        <>
          <Head {...{ me, current, isListed }} onList={() => setListed(!isListed)} onNew={show} />
          {isListed ? (
            <Threads {...{ me, current }} onPick={show} />
          ) : (
            <Inside {...{ current, field }} />
          )}
        </>
      )}
    </section>
  )
}

/** One conversation is the same before and after it gets a number. */
const names = new WeakMap<object, number>()
let made = 0
function nameOf({ talk }: Now): number {
  const name = names.get(talk) ?? ++made
  names.set(talk, name)
  return name
}

interface InsideProps {
  current: Now
  field: RefObject<Field | null>
}

function Inside({ current, field }: InsideProps) {
  const found = useAsk('chat.status', {})
  const { data: status, error } = found
  const thread_id = current.talk.thread.use()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it gets its number later
  useEffect(() => keep(current), [current, thread_id])
  const isOff = status?.configured === false
  return (
    <>
      {isOff && <None status={status} />}
      <ThreadView
        key={nameOf(current)}
        {...{ current, isOff }}
        onSay={(words) => field.current?.add(words)}
      />
      <LoadError of={found} what="the chat" />
      {error && !status ? null : <Box ref={field} {...{ current, isOff }} />}
    </>
  )
}

/** What is pressed in it is not for the screen beside it; Escape leads back there. */
function onKey(event: KeyboardEvent, leave: () => void) {
  if (isComposing(event)) return
  if (event.key === 'Escape' && !event.defaultPrevented) {
    event.preventDefault()
    leave()
  }
  if (!event.ctrlKey && !event.metaKey) event.stopPropagation()
}

/** Opens what was asked for: a task, a question, or else what was left. */
function useOpening(me: Me, asking: Asking, field: RefObject<Field | null>, opened: () => void) {
  const here = useHere(me)
  const isFirst = useRef(true)
  const open = useEffectEvent(() => {
    const { task, question, isKept } = asking
    if (task || question) opened()
    if (task) void openLast(aboutTask(me, task))
    else if (question) {
      openNew(here)
      // The box of the new thread has to be there.
      setTimeout(() => field.current?.say(question))
    } else if (isFirst.current) void openLast(here, isKept)
    isFirst.current = false
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that it is asked for
  useEffect(() => open(), [asking])
}

/** To the box as it opens, and back to where one was. */
function useFocus(
  panel: RefObject<HTMLElement | null>,
  field: RefObject<Field | null>,
  asking: Asking,
) {
  const before = useRef<HTMLElement>(null)
  const back = () => {
    const there = before.current
    const isThere = there?.isConnected && there !== document.body
    const to = isThere ? there : document.getElementById('main')
    to?.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (asking.isKept) return
    const now = document.activeElement as HTMLElement | null
    if (!panel.current?.contains(now)) before.current = now
    if (field.current) field.current.focus()
    else panel.current?.focus({ preventScroll: true })
  }, [asking, panel, field])
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it goes away, and only then
  useEffect(
    () => () => {
      // What had the focus goes with it.
      if (document.activeElement === document.body) back()
    },
    [],
  )
  return back
}
