import { memo, useState } from 'react'
import { toldOf, wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { CallCard } from './call.tsx'
import { Keyed } from './keyed.tsx'
import { Markdown } from './markdown.tsx'
import type { Message, Part, Talk } from './talk.ts'

interface Props {
  message: Message
  talk: Talk
  /** Nothing was said after it. */
  isLast: boolean
}

/** Something that a person, an agent or the model said, with what it did. */
export const MessageView = memo(function MessageView({ message, talk, isLast }: Props) {
  const { role, author, parts, state, trouble } = message
  if (role === 'person') return <Asked text={wordsIn(parts)} />
  return (
    <li className={`message ${role}`}>
      {role === 'agent' && author && (
        <p className="by">
          <Avatar actor={author} />
          <b>{author.name}</b>
        </p>
      )}
      {parts.map((part, at) =>
        part.type === 'text' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: they only grow
          <Markdown key={at} text={part.text} />
        ) : (
          <CallCard key={part.call_id} {...{ call: part, message, talk }} />
        ),
      )}
      {trouble && <p className="wrong">{toldOf(trouble)}</p>}
      {state === 'stopped' && <p className="soft">Stopped</p>}
      {isLast && (trouble || state === 'stopped' || state === 'failed') && (
        <Retry {...{ message, talk }} />
      )}
    </li>
  )
})

function Retry({ message, talk }: Pick<Props, 'message' | 'talk'>) {
  const again = () => talk.retry(message.number).catch((error) => complain(wordsOf(error)))
  return (
    <button type="button" className="button plain" onClick={() => void again()}>
      Try again
    </button>
  )
}

const wordsIn = (parts: readonly Part[]) =>
  parts.flatMap((one) => (one.type === 'text' ? one.text : [])).join('\n')

/** Longer ones are folded. */
const MOST_LETTERS = 1500

/** What a person said, as they typed it. */
function Asked({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false)
  const short = isOpen || text.length <= MOST_LETTERS + 200 ? text : text.slice(0, MOST_LETTERS)
  return (
    <li className="message person">
      <p dir="auto">
        <span className="unseen">You: </span>
        <Keyed text={short} />
        {short !== text && '…'}
      </p>
      {short !== text && (
        <button type="button" className="button quiet" onClick={() => setOpen(true)}>
          Show all of it
        </button>
      )}
    </li>
  )
}
