import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react'
import { flushSync } from 'react-dom'
import { isComposing } from '../../kit/composing.ts'
import { ApiError } from '../../kit/errors.ts'
import { Icon } from '../../kit/icon.tsx'
import { showError, showToast as tell } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import './box.css'
import { Suggestions, useCompletion } from './completions.tsx'
import type { CurrentChat } from './current-chat.ts'
import { joinTexts, useMessageDraft } from './message-draft.ts'
import { type ChatSubject, subjectInput } from './subject.ts'
import { useAllowWrites, useThread } from './thread-queries.ts'

/** Controls the message box from outside. */
export interface BoxHandle {
  focus(): void
  /** Appends to the typed text. */
  add(nextText: string): void
  /** Sends a message without touching the typed text. */
  send(nextText: string): void
}

interface Props {
  current: CurrentChat
  ref: Ref<BoxHandle>
}

/** The message box with its completions. */
export function MessageBox({ current, ref }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const { conversation, about } = current
  const live = conversation.live.use()
  const message = useSendMessage(current)
  const { text, write, lastText, send } = message
  const completion = useCompletion({ area, text, write, project_id: about.project_id })
  const setText = useBoxHandle(ref, area, message)
  useEffect(() => {
    // The chat may have got the focus before its box was rendered.
    if (document.activeElement?.matches('.chat')) area.current?.focus()
  }, [])
  const stop = () => conversation.stop().catch(showError)
  const onEscape = usePressTwice(live !== undefined, stop)
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return event.stopPropagation()
    if (completion.onKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      send(text)
    } else if (event.key === 'ArrowUp' && !text && lastText) {
      event.preventDefault()
      setText(lastText)
    } else if (event.key === 'Escape' && onEscape()) event.preventDefault()
  }
  return (
    <footer className="box">
      <WritesAllowedNotice current={current} />
      <Suggestions {...completion} />
      <MessageField {...{ area, about, message, completion, onKeyDown }} />
      <SendOrStop
        isAnswering={live !== undefined}
        canSend={text.trim() !== ''}
        onSend={() => send(text)}
        onStop={stop}
      />
    </footer>
  )
}

interface MessageFieldProps {
  area: RefObject<HTMLTextAreaElement | null>
  about: ChatSubject
  message: TypedMessage
  completion: ReturnType<typeof useCompletion>
  onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void
}

/** The text area of the box. It follows the caret for the completion. */
const MessageField = ({ area, about, message, completion, onKeyDown }: MessageFieldProps) => (
  <textarea
    ref={area}
    dir="auto"
    rows={1}
    aria-label={t('chat.message')}
    placeholder={
      about.name
        ? t('chat.ask_about_name_placeholder', { name: about.name })
        : t('chat.ask_a_question_or_describe_what_you')
    }
    maxLength={20_000}
    value={message.text}
    aria-autocomplete="list"
    aria-controls={completion.choices.length ? completion.id : undefined}
    aria-activedescendant={completion.active}
    onChange={({ target }) => {
      message.write(target.value)
      completion.updateCaret()
    }}
    onSelect={completion.updateCaret}
    onBlur={completion.close}
    onKeyDown={onKeyDown}
  />
)

/**
 * Exposes the box to the chat around it. Returns a function that replaces the text and puts the
 * caret at its end.
 */
function useBoxHandle(
  ref: Ref<BoxHandle>,
  area: RefObject<HTMLTextAreaElement | null>,
  { text, write, send }: TypedMessage,
) {
  const setText = (nextText: string) => {
    flushSync(() => write(nextText))
    area.current?.focus()
    area.current?.setSelectionRange(nextText.length, nextText.length)
  }
  useImperativeHandle(ref, () => ({
    focus: () => area.current?.focus(),
    add: (nextText) => setText(joinTexts(text, nextText)),
    send,
  }))
  return setText
}

interface SendOrStopProps {
  isAnswering: boolean
  canSend: boolean
  onSend(): void
  onStop(): void
}

/** One button, so that it keeps the focus: it sends, and stops the answer while one is written. */
const SendOrStop = ({ isAnswering, canSend, onSend, onStop }: SendOrStopProps) =>
  isAnswering ? (
    <button
      type="button"
      className="button plain only"
      title={t('chat.stop_esc_esc')}
      onClick={onStop}
    >
      <Icon name="stop" label={t('common.stop')} />
    </button>
  ) : (
    <button
      type="button"
      className="button main only"
      title={t('chat.send_enter')}
      disabled={!canSend}
      onClick={onSend}
    >
      <Icon name="up" label={t('chat.send')} />
    </button>
  )

/** Says that changes are made without confirmation, with a button that turns this off. */
function WritesAllowedNotice({ current }: { current: CurrentChat }) {
  const thread = useThread(current.conversation)
  const allow = useAllowWrites(current)
  if (!(thread?.allow_writes ?? current.allow_writes)) return null
  return (
    <p className="allowed">
      {t('chat.changes_are_made_without_asking')}{' '}
      <button type="button" className="button quiet" onClick={() => allow(false)}>
        {t('chat.ask_before_changes')}
      </button>
    </p>
  )
}

/**
 * The typed message and how it is sent. The text stays a draft until the server has accepted it.
 */
function useSendMessage(current: CurrentChat) {
  const { conversation, about, allow_writes } = current
  const { text, write, sending, sent, refused } = useMessageDraft(conversation, about)
  const thread = useThread(conversation)
  const lastMessage = thread?.messages.findLast(({ role }) => role === 'person')
  const lastText = lastMessage?.parts
    .flatMap((one) => (one.type === 'text' ? one.text : []))
    .join('\n')
  const send = (nextText: string) => {
    const message = nextText.trim()
    if (!message) return
    const isTyped = nextText === text
    if (conversation.live.get()) {
      if (!isTyped) write(joinTexts(text, nextText))
      tell(t('chat.wait_for_the_answer_or_stop_it'))
      return
    }
    sending(message, isTyped ? '' : text)
    conversation
      .send({ message, ...subjectInput(about), ...(allow_writes && { allow_writes }) }, () =>
        sent(message),
      )
      .catch((error) => {
        refused(message)
        // An abort by the user is not an error.
        if (error instanceof ApiError) showError(error)
      })
  }
  return { text, write, lastText, send }
}
type TypedMessage = ReturnType<typeof useSendMessage>

const TWICE_MS = 1500

/**
 * Calls `action` on the second press within the time limit; the first press explains that. Returns
 * false if there is nothing to stop.
 */
function usePressTwice(isActive: boolean, action: () => void): () => boolean {
  // performance.now() starts at 0, so 0 would count as a recent press.
  const lastPress = useRef(Number.NEGATIVE_INFINITY)
  return () => {
    if (!isActive) return false
    const now = performance.now()
    if (now - lastPress.current < TWICE_MS) action()
    else tell(t('chat.press_esc_again_to_stop'), undefined, 'stopping')
    lastPress.current = now
    return true
  }
}
