import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Refused, wordsOf } from '../data/client.ts'
import { complain, say as tell } from '../frame/toasts.tsx'
import { isComposing } from '../parts/composing.ts'
import { Icon } from '../parts/icon.tsx'
import './box.css'
import { Choices, useChoosing } from './choices.tsx'
import type { Now } from './now.ts'
import { sentOf } from './place.ts'
import { useAllow, useThread } from './read.ts'
import { joined, useWritten } from './written.ts'

/** The box, for whoever puts words into it. */
export interface Field {
  focus(): void
  /** Behind what stands there. */
  add(words: string): void
  /** What stands there is not touched. */
  say(words: string): void
}

interface Props {
  current: Now
  /** There is no model that would answer. */
  isOff: boolean
  ref: Ref<Field>
}

/** Where one says something. */
export function Box({ current, isOff, ref }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const { talk, about } = current
  const live = talk.live.use()
  const { text, write, last, say } = useSaying(current, isOff)
  const choosing = useChoosing({ area, text, write, project_id: about.project_id })
  const put = (words: string) => {
    flushSync(() => write(words))
    area.current?.focus()
    area.current?.setSelectionRange(words.length, words.length)
  }
  useImperativeHandle(ref, () => ({
    focus: () => area.current?.focus(),
    add: (words) => put(joined(text, words)),
    say,
  }))
  useEffect(() => {
    // Whoever opened the chat came before its box was there.
    if (document.activeElement?.matches('.chat')) area.current?.focus()
  }, [])
  const stop = () => talk.stop().catch((error) => complain(wordsOf(error)))
  const onEscape = useTwice(live !== undefined, stop)
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return event.stopPropagation()
    if (choosing.onKey(event)) return
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault()
      say(text)
    } else if (event.key === 'ArrowUp' && !text && last) {
      event.preventDefault()
      put(last)
    } else if (event.key === 'Escape' && onEscape()) event.preventDefault()
  }
  return (
    <footer className="box">
      <Allowed current={current} />
      <Choices {...choosing} />
      <textarea
        ref={area}
        dir="auto"
        rows={1}
        aria-label="Message"
        placeholder={about.name ? `Ask about ${about.name}` : 'Ask, or say what is to be done'}
        maxLength={20_000}
        value={text}
        aria-autocomplete="list"
        aria-controls={choosing.some.length ? choosing.id : undefined}
        aria-activedescendant={choosing.active}
        onChange={({ target }) => {
          write(target.value)
          choosing.look()
        }}
        onSelect={choosing.look}
        onBlur={choosing.close}
        onKeyDown={onKeyDown}
      />
      {live ? (
        <button type="button" className="button plain only" title="Stop (Esc Esc)" onClick={stop}>
          <Icon name="stop" label="Stop" />
        </button>
      ) : (
        <button
          type="button"
          className="button main only"
          title="Send (Enter)"
          disabled={isOff || !text.trim()}
          onClick={() => say(text)}
        >
          <Icon name="up" label="Send" />
        </button>
      )}
    </footer>
  )
}

/** Changes are made without asking, and this is how they are not. */
function Allowed({ current }: { current: Now }) {
  const thread = useThread(current.talk)
  const allow = useAllow(current)
  if (!(thread?.allow_writes ?? current.allow_writes)) return null
  return (
    <p className="allowed">
      Changes are made without asking.{' '}
      <button type="button" className="button quiet" onClick={() => allow(false)}>
        Ask again
      </button>
    </p>
  )
}

/** What is typed, and how it is said. It is kept until the server has it. */
function useSaying(current: Now, isOff: boolean) {
  const { talk, about, allow_writes } = current
  const { text, write, sending, sent, refused } = useWritten(talk, about)
  const thread = useThread(talk)
  const own = thread?.messages.findLast(({ role }) => role === 'person')
  const last = own?.parts.flatMap((one) => (one.type === 'text' ? one.text : [])).join('\n')
  const say = (words: string) => {
    const message = words.trim()
    if (!message) return
    const isTyped = words === text
    if (isOff || talk.live.get()) {
      if (!isTyped) write(joined(text, words))
      if (!isOff) tell('It still answers: wait for it, or stop it')
      return
    }
    sending(message, isTyped ? '' : text)
    talk
      .say({ message, ...sentOf(about), ...(allow_writes && { allow_writes }) }, () =>
        sent(message),
      )
      .catch((error) => {
        refused(message)
        // Whoever stopped it knows.
        if (error instanceof Refused) complain(wordsOf(error))
      })
  }
  return { text, write, last, say }
}

const TWICE_MS = 1500

/** The first time says what the second does; false where there is nothing to stop. */
function useTwice(isOn: boolean, deed: () => void): () => boolean {
  // The clock of a page begins with it.
  const before = useRef(Number.NEGATIVE_INFINITY)
  return () => {
    if (!isOn) return false
    const now = performance.now()
    if (now - before.current < TWICE_MS) deed()
    else tell('Press Esc once more to stop', undefined, 'stopping')
    before.current = now
    return true
  }
}
