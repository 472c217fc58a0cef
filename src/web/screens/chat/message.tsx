import { memo, useState } from 'react'
import { Avatar } from '../../entities/user/avatar.tsx'
import { messageWithHint } from '../../kit/errors.ts'
import { showError } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { CallCard } from './call.tsx'
import type { Conversation } from './conversation.ts'
import { Markdown } from './markdown.tsx'
import { TextWithTaskKeys } from './task-keys.tsx'
import type { Message, Part } from './types.ts'

interface Props {
  message: Message
  conversation: Conversation
  /** It is the last message. */
  isLast: boolean
}

/** A message with its tool calls. */
export const MessageView = memo(function MessageView({ message, conversation, isLast }: Props) {
  const { role, author, parts, state, trouble } = message
  if (role === 'person') return <PersonMessage text={textOf(parts)} />
  return (
    <li className={`message ${role}`}>
      {role === 'agent' && author && (
        <p className="flex-row">
          <Avatar actor={author} />
          <b>{author.name}</b>
        </p>
      )}
      {parts.map((part, at) =>
        part.type === 'text' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are only appended
          <Markdown key={at} text={part.text} />
        ) : (
          <CallCard key={part.call_id} {...{ call: part, message, conversation }} />
        ),
      )}
      {trouble && <p className="wrong">{messageWithHint(trouble)}</p>}
      {state === 'stopped' && <p className="soft">{t('chat.stopped')}</p>}
      {isLast && (trouble || state === 'stopped' || state === 'failed') && (
        <Retry {...{ message, conversation }} />
      )}
    </li>
  )
})

function Retry({ message, conversation }: Pick<Props, 'message' | 'conversation'>) {
  const retry = () => conversation.retry(message.number).catch(showError)
  return (
    <button type="button" className="button plain" onClick={() => void retry()}>
      {t('chat.try_again')}
    </button>
  )
}

const textOf = (parts: readonly Part[]) =>
  parts.flatMap((one) => (one.type === 'text' ? one.text : [])).join('\n')

/** Longer messages are collapsed. */
const MAX_CHARS = 1500

/** A message of a person as plain text. */
function PersonMessage({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false)
  const short = isOpen || text.length <= MAX_CHARS + 200 ? text : text.slice(0, MAX_CHARS)
  return (
    <li className="message person">
      <p dir="auto">
        <span className="unseen">{t('chat.you')} </span>
        <TextWithTaskKeys text={short} />
        {short !== text && '…'}
      </p>
      {short !== text && (
        <button type="button" className="button quiet" onClick={() => setOpen(true)}>
          {t('chat.show_all')}
        </button>
      )}
    </li>
  )
}
