import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { type ChatRequest, closeChat } from '../../entities/chat/chat-request.ts'
import type { Me } from '../../entities/user/me.ts'
import { isComposing } from '../../kit/composing.ts'
import { ResizeHandle } from '../../kit/resize-handle.tsx'
import { t } from '../../messages/t.ts'
import { type BoxHandle, MessageBox } from './message-box.tsx'
import './chat.css'
import { type CurrentChat, currentChat, openLast, openNew, rememberThread } from './current-chat.ts'
import { useFullScreen } from './full-screen.ts'
import { ChatHeader } from './head.tsx'
import { aboutTask, useScreenSubject } from './subject.ts'
import { ThreadView } from './thread.tsx'
import { Threads } from './threads.tsx'

const WIDTH = {
  label: t('chat.chat_width'),
  name: 'chat-width',
  property: '--chat',
  min: 320,
  max: 640,
  defaultWidth: () => 400,
} as const

interface Props {
  me: Me
  request: ChatRequest
}

/** The chat panel beside the screen. */
export default function Panel({ me, request }: Props) {
  const panel = useRef<HTMLElement>(null)
  const field = useRef<BoxHandle>(null)
  const [isListed, setListed] = useState(false)
  const isFull = useFullScreen()
  const current = currentChat.use()
  const restoreFocus = useFocus(panel, field, request)
  useOpenRequest(me, request, field, () => setListed(false))
  const leave = () => (isFull ? closeChat() : restoreFocus())
  const show = () => {
    setListed(false)
    // The message box may replace the list only in the next frame.
    requestAnimationFrame(() => field.current?.focus())
  }
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: only where it is a dialog
    <section
      ref={panel}
      className="chat"
      tabIndex={-1}
      aria-label={t('chat.chat')}
      onKeyDown={(event) => handleKey(event, leave)}
      role={isFull ? 'dialog' : 'complementary'}
      aria-modal={isFull || undefined}
    >
      {!isFull && <ResizeHandle {...WIDTH} />}
      {current && (
        <>
          <ChatHeader
            {...{ me, current, isListed }}
            onToggleList={() => setListed(!isListed)}
            onThreadChange={show}
          />
          {isListed ? (
            <Threads {...{ me, current }} onPick={show} />
          ) : (
            <Content {...{ current, field }} />
          )}
        </>
      )}
    </section>
  )
}

/**
 * A stable React key per conversation, which stays the same when the server assigns a thread id.
 */
const ids = new WeakMap<object, number>()
let lastId = 0
function idOf({ conversation }: CurrentChat): number {
  const id = ids.get(conversation) ?? ++lastId
  ids.set(conversation, id)
  return id
}

interface ContentProps {
  current: CurrentChat
  field: RefObject<BoxHandle | null>
}

function Content({ current, field }: ContentProps) {
  const thread_id = current.conversation.thread.use()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the chat gets its id
  useEffect(() => rememberThread(current), [current, thread_id])
  return (
    <>
      <ThreadView
        key={idOf(current)}
        current={current}
        onInsert={(newText) => field.current?.add(newText)}
      />
      <MessageBox ref={field} current={current} />
    </>
  )
}

/**
 * Keeps key presses from the shortcuts of the screen; Escape moves the focus back to the screen.
 */
function handleKey(event: KeyboardEvent, leave: () => void) {
  if (isComposing(event)) return
  if (event.key === 'Escape' && !event.defaultPrevented) {
    event.preventDefault()
    leave()
  }
  if (!event.ctrlKey && !event.metaKey) event.stopPropagation()
}

/** Opens the requested chat: about a task, with a question, or the previous one. */
function useOpenRequest(
  me: Me,
  request: ChatRequest,
  field: RefObject<BoxHandle | null>,
  onOpen: () => void,
) {
  const here = useScreenSubject(me)
  const isFirst = useRef(true)
  const open = useEffectEvent(() => {
    const { task, question, isRestored } = request
    if (task || question) onOpen()
    if (task) void openLast(aboutTask(me, task))
    else if (question) {
      openNew(here)
      // The box of the new chat must be rendered first.
      setTimeout(() => field.current?.send(question))
    } else if (isFirst.current) void openLast(here, isRestored)
    isFirst.current = false
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each request to open the chat
  useEffect(() => open(), [request])
}

/** Focuses the message box on opening, and restores the focus on closing. */
function useFocus(
  panel: RefObject<HTMLElement | null>,
  field: RefObject<BoxHandle | null>,
  request: ChatRequest,
) {
  const before = useRef<HTMLElement>(null)
  const restoreFocus = () => {
    const previous = before.current
    const isFocusable = previous?.isConnected && previous !== document.body
    const target = isFocusable ? previous : document.getElementById('main')
    target?.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (request.isRestored) return
    const focused = document.activeElement as HTMLElement | null
    if (!panel.current?.contains(focused)) before.current = focused
    if (field.current) field.current.focus()
    else panel.current?.focus({ preventScroll: true })
  }, [request, panel, field])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the panel is closed
  useEffect(
    () => () => {
      // The focused element was removed with the panel.
      if (document.activeElement === document.body) restoreFocus()
    },
    [],
  )
  return restoreFocus
}
