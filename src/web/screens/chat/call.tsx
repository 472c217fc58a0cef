import { type KeyboardEvent, memo, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { messageWithHint } from '../../kit/errors.ts'
import { Icon, type IconName } from '../../kit/icon.tsx'
import { isTyping } from '../../kit/shortcuts.ts'
import { showError } from '../../kit/toasts.tsx'
import { rich, t } from '../../messages/t.ts'
import './call.css'
import { undoCall } from './actions.ts'
import type { Conversation } from './conversation.ts'
import type { Call, Message } from './types.ts'
import { Values } from './values.tsx'

interface Props {
  call: Call
  message: Message
  conversation: Conversation
}

const STATES: Record<Call['state'], [IconName, string]> = {
  running: ['clock', t('chat.running')],
  waiting: ['pause', t('chat.needs_approval')],
  done: ['done', t('common.done')],
  failed: ['close', t('common.failed')],
  declined: ['close', t('chat.declined')],
  undone: ['back', t('chat.undone')],
}

/** A tool call of the model: its details, its confirmation and its undo. */
export const CallCard = memo(function CallCard({ call, message, conversation }: Props) {
  const { state, title, destroys, trouble } = call
  const isWaiting = state === 'waiting'
  const [isOpen, setOpen] = useState(false)
  const [icon, stateText] = STATES[state]
  const card = useRef<HTMLDivElement>(null)
  useFocusOfCall(card, call)
  const answer: Answer = (approve, always) => {
    conversation.confirm(message, call, approve, always).catch(showError)
    focusNext(card.current!, always)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is one of many in a message, not a form
    <div
      ref={card}
      className={`tool-call ${state}${destroys ? ' danger' : ''}`}
      role="group"
      aria-label={title}
      onKeyDown={(event) => isWaiting && handleKey(event, answer)}
    >
      <p className="headline">
        <button
          type="button"
          aria-expanded={isWaiting || isOpen}
          disabled={isWaiting}
          onClick={() => setOpen(!isOpen)}
        >
          <span className={`mark${state === 'running' ? ' beat' : ''}`}>
            {state !== 'running' && <Icon name={icon} />}
          </span>
          <span className="name" dir="auto">
            {title}
          </span>
          <span className={state === 'done' ? 'unseen' : 'call-state minor'}>{stateText}</span>
          {!isWaiting && <Icon name="chevron" />}
        </button>
        {call.can_undo && state === 'done' && <Undo {...{ call, conversation, title }} />}
      </p>
      {trouble && <p className="wrong">{messageWithHint(trouble)}</p>}
      {(isWaiting || isOpen) && <CallDetails call={call} />}
      {isWaiting && <CallActions {...{ call, answer }} />}
    </div>
  )
})

/** The id of the call whose card had the focus when it was removed. */
let lostFocus: string | undefined

/** An answer that has arrived is rendered at another place, where its calls get the focus back. */
function useFocusOfCall(card: RefObject<HTMLDivElement | null>, { call_id }: Call) {
  useLayoutEffect(() => {
    const element = card.current!
    if (lostFocus === call_id && document.activeElement === document.body)
      element.querySelector<HTMLElement>('.actions button')?.focus()
    return () => {
      if (element.contains(document.activeElement)) lostFocus = call_id
    }
  }, [card, call_id])
}

function Undo({ call, conversation }: Pick<Props, 'call' | 'conversation'>) {
  const [busy, setBusy] = useState(false)
  const thread_id = conversation.thread.get()
  if (thread_id === undefined) return null
  return (
    <button
      type="button"
      className="button quiet"
      disabled={busy}
      onClick={() => {
        setBusy(true)
        void undoCall(thread_id, call).finally(() => setBusy(false))
      }}
    >
      {rich('chat.undo_title', { title: <span className="unseen">{call.title}</span> })}
    </button>
  )
}

/** The input and output of a call. */
function CallDetails({ call: { state, input, output, tool } }: { call: Call }) {
  return (
    <div className="inside">
      {state === 'waiting' ? (
        <Values value={input} name={t('chat.input')} isComplete />
      ) : (
        <Values value={input} name={t('chat.input')} />
      )}
      {output !== undefined && <Values value={output} name={t('chat.result')} />}
      {state !== 'waiting' && <p className="soft tool">{tool}</p>}
    </div>
  )
}

type Answer = (approve: boolean, always?: true) => void

/**
 * The pressed button disappears, so the focus moves to the next waiting call, or else to the
 * message box.
 */
function focusNext(card: HTMLElement, allowsAll = false) {
  const waitingCalls = card.ownerDocument.querySelectorAll('.chat .tool-call.waiting')
  const next = [...waitingCalls].find(
    (one) => card.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
  // A destructive call does not get the focus: one key press would confirm it.
  const button =
    !allowsAll && next?.matches(':not(.danger)') && next.querySelector('.actions button')
  // On touch devices, focusing the text field would open the keyboard.
  const box = matchMedia('(pointer: coarse)').matches ? '.chat' : '.chat .box textarea'
  const target = button || document.querySelector(box)
  if (target instanceof HTMLElement) target.focus()
}

/** Outside of text fields, y allows the call and n declines it. */
function handleKey(event: KeyboardEvent, answer: Answer) {
  if (isTyping(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey) return
  const key = event.key.toLowerCase()
  if ((key !== 'y' && key !== 'n') || event.repeat) return
  event.preventDefault()
  answer(key === 'y')
}

function CallActions({ call: { destroys, title }, answer }: { call: Call; answer: Answer }) {
  const suffix = <span className="unseen">: {title}</span>
  return (
    <p className="actions flex-wrap">
      <button
        type="button"
        className={`button ${destroys ? 'danger' : 'main'}`}
        onClick={() => answer(true)}
      >
        {destroys ? t('chat.confirm') : t('chat.allow')}
        {suffix} <kbd>Y</kbd>
      </button>
      <button type="button" className="button quiet" onClick={() => answer(false)}>
        {t('chat.decline')}
        {suffix} <kbd>N</kbd>
      </button>
      {!destroys && (
        <button type="button" className="button plain" onClick={() => answer(true, true)}>
          {t('chat.allow_all_in_this_chat')}
        </button>
      )}
    </p>
  )
}
