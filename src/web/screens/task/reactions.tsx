import { type ReactNode, useState } from 'react'
import { useOperationMutation } from '../../data/cache.ts'
import { useMe } from '../../entities/user/me.ts'
import { Icon } from '../../kit/icon.tsx'
import { Popover } from '../../kit/popover.tsx'
import { showError } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { patchComments, type Row, type TaskComment } from './comments.ts'

const DEFAULT_EMOJIS = [
  ['👍', t('task.agreed')],
  ['🎉', t('task.hooray')],
  ['❤️', t('task.love_it')],
  ['👀', t('task.looking')],
  ['🚀', t('task.shipped')],
  ['😄', t('task.funny')],
  ['🤔', t('task.not_sure')],
  ['✅', t('common.done')],
] as const

type Reaction = TaskComment['reactions'][number]

/** Adds or removes one's own reaction. */
function useReact({ comment_id, task_id }: TaskComment) {
  const me = useMe()?.profile
  const show = (emoji: string, isMine: boolean) =>
    patchComments(task_id, (rows) =>
      rows.map((row) =>
        row.comment_id === comment_id ? withReaction(row, emoji, isMine, name) : row,
      ),
    )
  const name = me?.display_name ?? ''
  const ahead = (emoji: string, isMine: boolean) => {
    show(emoji, isMine)
    return () => show(emoji, !isMine)()
  }
  const on = useOperationMutation('comments.react', {
    optimistic: ({ emoji }) => ahead(emoji, true),
    onFailed: showError,
  })
  const off = useOperationMutation('comments.unreact', {
    optimistic: ({ emoji }) => ahead(emoji, false),
    onFailed: showError,
  })
  return (emoji: string, isMine: boolean) => (isMine ? off : on).mutate({ comment_id, emoji })
}

function withReaction(row: Row, emoji: string, isMine: boolean, name: string): Row {
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

/** The reactions on a comment. */
export function ReactionList({ comment }: { comment: TaskComment }) {
  const react = useReact(comment)
  if (!comment.reactions.length) return null
  return (
    <ul className="reactions" aria-label={t('task.reactions')}>
      {comment.reactions.map(({ emoji, count, mine, by }) => (
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
  comment: TaskComment
  onAnswer(): void
  children: ReactNode
}

/** The quick actions on a comment: react, reply, and the menu passed as children. */
export function Reactions({ comment, onAnswer, children }: Props) {
  const react = useReact(comment)
  const [open, setOpen] = useState(false)
  const isMine = (emoji: string) => comment.reactions.some((one) => one.emoji === emoji && one.mine)
  return (
    <span className={`actions${open ? ' open' : ''}`}>
      <Popover
        {...{ label: t('task.react'), className: 'emojis', align: 'end', open, onOpen: setOpen }}
        trigger={
          <button type="button" className="button quiet only">
            <Icon name="smile" label={t('task.react_to_name', { name: comment.author.name })} />
          </button>
        }
      >
        {DEFAULT_EMOJIS.map(([emoji, name]) => (
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
        <Icon name="reply" label={t('task.reply_to_name', { name: comment.author.name })} />
      </button>
      {children}
    </span>
  )
}
