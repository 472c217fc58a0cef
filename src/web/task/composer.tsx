import { useAct } from '../data/cache.ts'
import { ask, wordsOf } from '../data/client.ts'
import { send } from '../data/waiting.ts'
import { complain, record } from '../frame/toasts.tsx'
import { useComposing } from './composing.ts'
import { DELETED, readAgain, type Task, useMe, useMembers } from './data.ts'
import { Editor } from './editor.tsx'
import { leaveField } from './leave.ts'
import { mentionsIn } from './mentions.ts'
import { asTyped, patchTalk, type Said, without } from './said.ts'

interface Props {
  task: Task
  /** The comment that this answers. */
  to?: Pick<Said, 'comment_id' | 'author'>
  onClose?(): void
}

/** Where a comment is written. It is kept until the server has it. */
export function Composer({ task, to, onClose }: Props) {
  const { task_id, project_id } = task
  const isDeleted = task.status === 'Deleted'
  const members = useMembers(project_id)
  const field = useComposing(`${task_id}:comment${to ? `:${to.comment_id}` : ''}`)
  const { text, edition } = field
  const close = () => {
    leaveField('.composer')
    onClose?.()
  }
  const add = useAdd(task, {
    draft: field.name,
    lost: field.lost,
    done(words) {
      field.done(words)
      if (onClose) close()
    },
  })
  const send = () => {
    const words = text.trim()
    const mentions = mentionsIn(words, members)
    field.sent(words)
    add({
      ...{ task_id, text: words, content_type: 'markdown' },
      ...(mentions.length && { mentions }),
      ...(to && { reply_to_comment_id: to.comment_id }),
    })
  }
  return (
    <div className="composer">
      <Editor
        label={to ? `Answer ${to.author.name}` : 'Comment'}
        hint={to ? `Answer ${to.author.name}` : 'Comment; @ names people and agents'}
        {...{ text, edition, task_id }}
        people={members}
        autoFocus={to !== undefined}
        verb={to ? 'Answer' : 'Comment'}
        disabled={isDeleted || !text.trim()}
        why={isDeleted && DELETED}
        onChange={field.type}
        onSend={send}
        onCancel={onClose && close}
        onEscape={close}
      />
    </div>
  )
}

/** Takes a comment back that nobody answered, and puts its text into the field again. */
async function commentBack(task_id: number, comment_id: number, put: () => void) {
  const { reactions } = await ask('comments.get', { comment_id })
  const { items } = await ask('comments.list', { task_id, sort_order: 'desc', limit: 50 })
  const isAnswered = items.some(({ reply_to_comment_id }) => reply_to_comment_id === comment_id)
  if (isAnswered || reactions.length) {
    complain('Not undone: somebody answered the comment')
    return false
  }
  await send('comments.delete', { comment_id })
  put()
  patchTalk(task_id, (rows) => rows.filter((one) => one.comment_id !== comment_id))()
  readAgain(task_id)
  return true
}

interface Told {
  draft: string
  done(text: string): void
  /** It was not taken: here is what was typed. */
  lost(text: string): void
}

function useAdd({ task_id, ticket_number }: Task, { draft, done, lost }: Told) {
  const me = useMe()?.profile
  const { act } = useAct('comments.add', {
    draft,
    ahead({ text, reply_to_comment_id }) {
      const said: Said = {
        ...{ kind: 'comment', comment_id: -Date.now(), task_id, ticket_number, url: '' },
        author: { kind: 'person', name: me?.display_name ?? '', user_id: me?.user_id ?? 0 },
        ...{ text: asTyped(text), content_type: 'html', mentions: [], reactions: [] },
        ...{ attachments: [], created_at: new Date().toISOString(), edited_at: null },
        ...{ reply_to_comment_id: reply_to_comment_id ?? null, reply_to_invocation_id: null },
      }
      patchTalk(task_id, (rows, isFirst) => (isFirst ? [said, ...rows] : rows))
      // Reading again does not take it away where the task cannot be read any more.
      return () => patchTalk(task_id, without(said))()
    },
    done({ comment_id }, { text }) {
      patchTalk(task_id, (rows) => rows)()
      readAgain(task_id)
      done(text)
      record({
        what: `comment on ${ticket_number}`,
        undo: () => commentBack(task_id, comment_id, () => lost(text)),
      })
    },
    failed(error, { text }) {
      lost(text)
      complain(wordsOf(error))
    },
  })
  return act
}
