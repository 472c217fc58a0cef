import { type KeyboardEvent, memo, useRef, useState } from 'react'
import { toldOf, wordsOf } from '../data/client.ts'
import { isTyping } from '../frame/keys.ts'
import { complain } from '../frame/toasts.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import './call.css'
import { undo } from './deeds.ts'
import type { Call, Message, Talk } from './talk.ts'
import { Values } from './values.tsx'

interface Props {
  call: Call
  message: Message
  talk: Talk
}

const STATES: Record<Call['state'], [IconName, string]> = {
  running: ['clock', 'Under way'],
  waiting: ['pause', 'Waits for you'],
  done: ['done', 'Done'],
  failed: ['close', 'Failed'],
  declined: ['close', 'Declined'],
  undone: ['back', 'Undone'],
}

/** What the model did, or would do: to be opened, allowed, and taken back. */
export const CallCard = memo(function CallCard({ call, message, talk }: Props) {
  const { state, title, destroys, trouble } = call
  const isWaiting = state === 'waiting'
  const [isOpen, setOpen] = useState(false)
  const [icon, words] = STATES[state]
  const card = useRef<HTMLDivElement>(null)
  const answer: Answer = (approve, always) => {
    talk.confirm(message, call, approve, always).catch((error) => complain(wordsOf(error)))
    goOn(card.current!, always)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is one of many in a message, not a form
    <div
      ref={card}
      className={`tool-call ${state}${destroys ? ' grave' : ''}`}
      role="group"
      aria-label={title}
      onKeyDown={(event) => isWaiting && onKey(event, answer)}
    >
      <p className="sum">
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
          <span className={state === 'done' ? 'unseen' : 'how'}>{words}</span>
          {!isWaiting && <Icon name="chevron" />}
        </button>
        {call.can_undo && state === 'done' && <Undo {...{ call, talk, title }} />}
      </p>
      {trouble && <p className="wrong">{toldOf(trouble)}</p>}
      {(isWaiting || isOpen) && <Inside call={call} />}
      {isWaiting && <Deeds {...{ call, answer }} />}
    </div>
  )
})

function Undo({ call, talk }: Pick<Props, 'call' | 'talk'>) {
  const [busy, setBusy] = useState(false)
  const thread_id = talk.thread.get()
  if (thread_id === undefined) return null
  return (
    <button
      type="button"
      className="button quiet"
      disabled={busy}
      onClick={() => {
        setBusy(true)
        void undo(thread_id, call).finally(() => setBusy(false))
      }}
    >
      Undo<span className="unseen"> {call.title}</span>
    </button>
  )
}

/** What it was given, and what came of it. */
function Inside({ call: { state, input, output, tool } }: { call: Call }) {
  return (
    <div className="inside">
      {state === 'waiting' ? (
        <Values value={input} name="With" isWhole />
      ) : (
        <Values value={input} name="Asked" />
      )}
      {output !== undefined && <Values value={output} name="Answered" />}
      {state !== 'waiting' && <p className="soft tool">{tool}</p>}
    </div>
  )
}

type Answer = (approve: boolean, always?: true) => void

/** What was pressed goes away: to the next one that waits, or else to the box. */
function goOn(card: HTMLElement, isAll = false) {
  const others = card.ownerDocument.querySelectorAll('.chat .tool-call.waiting')
  const next = [...others].find(
    (one) => card.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING,
  )
  // What destroys is not one key away from what was just allowed.
  const button = !isAll && next?.matches(':not(.grave)') && next.querySelector('.deeds button')
  // A finger would be shown a keyboard.
  const box = matchMedia('(pointer: coarse)').matches ? '.chat' : '.chat .box textarea'
  const to = button || document.querySelector(box)
  if (to instanceof HTMLElement) to.focus()
}

/** Only where no letter is typed: y allows, n does not. */
function onKey(event: KeyboardEvent, answer: Answer) {
  if (isTyping(event.nativeEvent) || event.ctrlKey || event.metaKey || event.altKey) return
  const key = event.key.toLowerCase()
  if ((key !== 'y' && key !== 'n') || event.repeat) return
  event.preventDefault()
  answer(key === 'y')
}

function Deeds({ call: { destroys, title }, answer }: { call: Call; answer: Answer }) {
  const about = <span className="unseen">: {title}</span>
  return (
    <p className="deeds">
      <button
        type="button"
        className={`button ${destroys ? 'grave' : 'main'}`}
        onClick={() => answer(true)}
      >
        {destroys ? 'Do it' : 'Allow'}
        {about} <kbd>Y</kbd>
      </button>
      <button type="button" className="button quiet" onClick={() => answer(false)}>
        Don’t
        {about} <kbd>N</kbd>
      </button>
      {!destroys && (
        <button type="button" className="button plain" onClick={() => answer(true, true)}>
          Allow all in this chat
        </button>
      )}
    </p>
  )
}
