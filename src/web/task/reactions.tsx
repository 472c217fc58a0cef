import { type ReactNode, useState } from 'react'
import { useAct } from '../data/cache.ts'
import { wordsOf } from '../data/client.ts'
import { complain } from '../frame/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import { Popover } from '../parts/popover.tsx'
import { useMe } from './data.ts'
import { patchTalk, type Row, type Said } from './said.ts'

const USUAL = [
  ['👍', 'Agreed'],
  ['🎉', 'Hooray'],
  ['❤️', 'Love it'],
  ['👀', 'Looking'],
  ['🚀', 'Shipped'],
  ['😄', 'Funny'],
  ['🤔', 'Not sure'],
  ['✅', 'Done'],
] as const

type Reaction = Said['reactions'][number]

/** Puts an emoji of one's own on a comment, or takes it off. */
function useReact({ comment_id, task_id }: Said) {
  const me = useMe()?.profile
  const failed = (error: Error) => complain(wordsOf(error))
  const show = (emoji: string, isMine: boolean) =>
    patchTalk(task_id, (rows) =>
      rows.map((row) => (row.comment_id === comment_id ? withOne(row, emoji, isMine, name) : row)),
    )
  const name = me?.display_name ?? ''
  const ahead = (emoji: string, isMine: boolean) => {
    show(emoji, isMine)
    return () => show(emoji, !isMine)()
  }
  const on = useAct('comments.react', { ahead: ({ emoji }) => ahead(emoji, true), failed })
  const off = useAct('comments.unreact', { ahead: ({ emoji }) => ahead(emoji, false), failed })
  return (emoji: string, isMine: boolean) => (isMine ? off : on).act({ comment_id, emoji })
}

function withOne(row: Row, emoji: string, isMine: boolean, name: string): Row {
  const reactions = [...(row.reactions ?? [])]
  const at = reactions.findIndex((one) => one.emoji === emoji)
  const before: Reaction = reactions[at] ?? { emoji, count: 0, mine: false, by: [] }
  if (before.mine === isMine) return row
  const by = isMine
    ? [...before.by, { kind: 'person' as const, name }]
    : before.by.filter((one) => one.name !== name)
  const next = { ...before, mine: isMine, count: before.count + (isMine ? 1 : -1), by }
  if (at >= 0) reactions.splice(at, 1, next)
  else reactions.push(next)
  return { ...row, reactions: reactions.filter(({ count }) => count > 0) }
}

/** The reactions that a comment has. */
export function Given({ said }: { said: Said }) {
  const react = useReact(said)
  if (!said.reactions.length) return null
  return (
    <ul className="reactions" aria-label="Reactions">
      {said.reactions.map(({ emoji, count, mine, by }) => (
        <li key={emoji}>
          <button
            type="button"
            aria-pressed={mine}
            aria-label={`${emoji}, ${count}: ${by.map(({ name }) => name).join(', ')}`}
            title={by.map(({ name }) => name).join(', ')}
            onClick={() => react(emoji, mine)}
          >
            {emoji} <span className="tabular">{count}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

interface Props {
  said: Said
  onAnswer(): void
  children: ReactNode
}

/** What can be done with a comment at once. */
export function Reactions({ said, onAnswer, children }: Props) {
  const react = useReact(said)
  const [open, setOpen] = useState(false)
  const isMine = (emoji: string) => said.reactions.some((one) => one.emoji === emoji && one.mine)
  return (
    <span className={`deeds${open ? ' open' : ''}`}>
      <Popover
        {...{ label: 'React', className: 'emojis', align: 'end', open, onOpen: setOpen }}
        trigger={
          <button type="button" className="button quiet only">
            <Icon name="smile" label={`React to ${said.author.name}`} />
          </button>
        }
      >
        {USUAL.map(([emoji, name]) => (
          <button
            key={emoji}
            type="button"
            className="button quiet only"
            aria-label={name}
            aria-pressed={isMine(emoji)}
            title={name}
            onClick={() => {
              setOpen(false)
              react(emoji, isMine(emoji))
            }}
          >
            {emoji}
          </button>
        ))}
      </Popover>
      <button type="button" className="button quiet only" onClick={onAnswer}>
        <Icon name="reply" label={`Answer ${said.author.name}`} />
      </button>
      {children}
    </span>
  )
}
