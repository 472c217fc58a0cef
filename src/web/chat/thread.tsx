import { useLayoutEffect, useRef, useState } from 'react'
import { wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import { Begin } from './empty.tsx'
import { MessageView } from './message.tsx'
import { type Now, openNew } from './now.ts'
import { useFollowing, useReading } from './read.ts'
import { useEnd } from './stick.ts'
import { isMissing, type Live, type Message, type Talk } from './talk.ts'
import './thread.css'

/** Those before are shown when somebody asks for them. */
const MOST = 40

interface Props {
  current: Now
  /** There is no model that would answer. */
  isOff: boolean
  /** Puts words into the box. */
  onSay(words: string): void
}

/** What was said in a conversation, and the answer as it comes. */
export function ThreadView({ current, isOff, onSay }: Props) {
  const { talk } = current
  const { data: thread, error } = useReading(talk)
  const live = talk.live.use()
  const scroller = useRef<HTMLElement>(null)
  const inside = useRef<HTMLDivElement>(null)
  const [most, setMost] = useState(MOST)
  const end = useEnd(scroller, inside)
  useFollowing(talk, thread)
  useGone(current, error)
  const messages = messagesOf(thread?.messages ?? [], live)
  const isEmpty = !isOff && !messages.length && !live
  // What one says is seen, wherever one was.
  const saying = live?.asked?.text
  useLayoutEffect(() => {
    if (saying !== undefined) end.follow()
  }, [saying, end.follow])
  return (
    <div className="talk">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys, too */}
      <section ref={scroller} tabIndex={0} aria-label="Messages" onScroll={end.scrolled}>
        <div ref={inside}>
          {isEmpty && talk.thread.get() === undefined && <Begin {...{ current, onSay }} />}
          {error && !thread && <p className="nothing">{wordsOf(error)}</p>}
          {messages.length > most && (
            <button
              type="button"
              className="button quiet earlier"
              onClick={() => setMost(most * 3)}
            >
              Show {messages.length - most} earlier
            </button>
          )}
          <ol>
            {messages.slice(-most).map((one, at, { length }) => (
              <MessageView
                key={one.number}
                message={one}
                talk={talk}
                isLast={at === length - 1 && !live}
              />
            ))}
            {live && <UnderWay {...{ live, talk }} />}
          </ol>
        </div>
      </section>
      <p className="unseen" role="status">
        {live ? (live.state === 'lost' ? 'Connection lost' : 'Answering') : talk.heard.get()}
      </p>
      {end.isAway && (
        <button type="button" className="button plain below" onClick={end.follow}>
          <Icon name="down" />
          New below
        </button>
      )}
    </div>
  )
}

const NOT_YET = 1_000_000_000

/** What was read; from the answer on that comes now, only what comes. */
function messagesOf(stored: readonly Message[], live: Live | undefined): readonly Message[] {
  if (!live) return stored
  const { asked, number = NOT_YET, parts } = live
  const before = stored.filter((one) => one.number < number)
  const isStored = before.some((one) => one.number === asked?.number)
  return [
    ...before,
    ...(asked && !isStored
      ? [drawn('person', asked.number ?? NOT_YET - 1, [{ type: 'text', text: asked.text }])]
      : []),
    ...(parts.length ? [drawn('assistant', number, parts)] : []),
  ]
}

const drawn = (role: Message['role'], number: number, parts: Live['parts']): Message => ({
  ...{ number, parts: [...parts], role, author: null, state: 'answering' },
  ...{ trouble: null, tokens_in: 0, tokens_out: 0, created_at: '', updated_at: '' },
})

/** It was deleted elsewhere. */
function useGone(current: Now, error: Error | null) {
  const isGone = isMissing(error)
  useLayoutEffect(() => {
    if (isGone) openNew(current.about)
  }, [isGone, current])
}

const STATES = {
  sending: 'Not sent yet: the server does not answer',
  answering: '',
  lost: 'The connection is lost; the answer goes on',
} as const

/** Nothing is said for a while. */
function UnderWay({ live: { parts, state }, talk }: { live: Live; talk: Talk }) {
  const stop = () => talk.stop().catch((error) => complain(wordsOf(error)))
  if (state === 'answering' && parts.at(-1)?.type === 'text') return null
  return (
    <li className="under-way">
      <span className="beat" aria-hidden="true" />
      <span className="soft late">{STATES[state] || 'Thinking'}</span>
      {state === 'sending' && (
        <button type="button" className="button quiet late" onClick={stop}>
          Take it back
        </button>
      )}
    </li>
  )
}
