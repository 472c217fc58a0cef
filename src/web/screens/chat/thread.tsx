import { useLayoutEffect, useRef, useState } from 'react'
import { errorText } from '../../kit/errors.ts'
import { Icon } from '../../kit/icon.tsx'
import { showError } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { type Conversation, isMissing, type Live } from './conversation.ts'
import { type CurrentChat, openNew } from './current-chat.ts'
import { ChatStart } from './empty.tsx'
import { useFollowEnd } from './follow-end.ts'
import { MessageView } from './message.tsx'
import { useFollowAnswer, useThreadQuery } from './thread-queries.ts'
import type { Message } from './types.ts'
import './thread.css'

/** How many messages are shown at first; earlier ones on request. */
const INITIAL_COUNT = 40

interface Props {
  current: CurrentChat
  /** Puts a text into the message box. */
  onInsert(newText: string): void
}

/** The messages of a chat, and the answer as it streams. */
const liveState = (state: string) =>
  state === 'lost' ? t('chat.connection_lost') : t('chat.answering')

export function ThreadView({ current, onInsert }: Props) {
  const { conversation } = current
  const { data: thread, error } = useThreadQuery(conversation)
  const live = conversation.live.use()
  const scroller = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [visibleCount, setVisibleCount] = useState(INITIAL_COUNT)
  const followEnd = useFollowEnd(scroller, content)
  useFollowAnswer(conversation, thread)
  useDeletedThread(current, error)
  const messages = messagesOf(thread?.messages ?? [], live)
  const isEmpty = !messages.length && !live
  // Sending a message scrolls to the end.
  const sentText = live?.sentMessage?.text
  useLayoutEffect(() => {
    if (sentText !== undefined) followEnd.follow()
  }, [sentText, followEnd.follow])
  return (
    <div className="conversation fill">
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys, too
        tabIndex={0}
        aria-label={t('chat.messages')}
        onScroll={followEnd.onScroll}
      >
        <div ref={content}>
          {isEmpty && conversation.thread.get() === undefined && (
            <ChatStart {...{ current, onInsert }} />
          )}
          {error && !thread && <p className="nothing">{errorText(error)}</p>}
          {messages.length > visibleCount && (
            <button
              type="button"
              className="button quiet earlier"
              onClick={() => setVisibleCount(visibleCount * 3)}
            >
              {t('chat.show_earlier_messages', { count: messages.length - visibleCount })}
            </button>
          )}
          <ol>
            {messages.slice(-visibleCount).map((message, index, { length }) => (
              <MessageView
                key={message.number}
                message={message}
                conversation={conversation}
                isLast={index === length - 1 && !live}
              />
            ))}
            {live && <PendingAnswer {...{ live, conversation }} />}
          </ol>
        </div>
      </section>
      <p className="unseen" role="status">
        {live ? liveState(live.state) : conversation.announcement.get()}
      </p>
      {followEnd.isAway && (
        <button type="button" className="button plain below" onClick={followEnd.follow}>
          <Icon name="down" />
          {t('chat.new_messages')}
        </button>
      )}
    </div>
  )
}

const UNSENT_NUMBER = 1_000_000_000

/** The stored messages; from the number of the streaming answer on, the streamed parts instead. */
function messagesOf(stored: readonly Message[], live: Live | undefined): readonly Message[] {
  if (!live) return stored
  const { sentMessage, number = UNSENT_NUMBER, parts } = live
  const before = stored.filter((one) => one.number < number)
  const isStored = before.some((one) => one.number === sentMessage?.number)
  return [
    ...before,
    ...(sentMessage && !isStored
      ? [
          pendingMessage('person', sentMessage.number ?? UNSENT_NUMBER - 1, [
            { type: 'text', text: sentMessage.text },
          ]),
        ]
      : []),
    ...(parts.length ? [pendingMessage('assistant', number, parts)] : []),
  ]
}

const pendingMessage = (role: Message['role'], number: number, parts: Live['parts']): Message => ({
  ...{ number, parts: [...parts], role, author: null, state: 'answering' },
  ...{ trouble: null, tokens_in: 0, tokens_out: 0, created_at: '', updated_at: '' },
})

/** Opens a new chat if the thread was deleted elsewhere. */
function useDeletedThread(current: CurrentChat, error: Error | null) {
  const isGone = isMissing(error)
  useLayoutEffect(() => {
    if (isGone) openNew(current.about)
  }, [isGone, current])
}

const STATES = {
  sending: t('chat.not_sent_yet_the_server_is_not'),
  answering: '',
  lost: t('chat.connection_lost_the_answer_continues_on'),
} as const

/** The indicator while no text arrives. */
function PendingAnswer({
  live: { parts, state },
  conversation,
}: {
  live: Live
  conversation: Conversation
}) {
  const stop = () => conversation.stop().catch(showError)
  if (state === 'answering' && parts.at(-1)?.type === 'text') return null
  return (
    <li className="in-progress flex-row">
      <span className="beat" aria-hidden="true" />
      <span className="soft late">{STATES[state] || t('chat.thinking')}</span>
      {state === 'sending' && (
        <button type="button" className="button quiet late" onClick={stop}>
          {t('common.cancel')}
        </button>
      )}
    </li>
  )
}
