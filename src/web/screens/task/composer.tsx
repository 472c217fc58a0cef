import { useOperationMutation } from '../../data/cache.ts'
import { callOperation } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { useCommentDraft } from '../../entities/editor/comment-draft.ts'
import { Editor } from '../../entities/editor/editor.tsx'
import { leaveField } from '../../entities/editor/leave-field.ts'
import { mentionsIn } from '../../entities/editor/mentions.ts'
import { DELETED, reloadTask, type Task } from '../../entities/task/data.ts'
import { useMe } from '../../entities/user/me.ts'
import { useMembers } from '../../entities/user/members.ts'
import { recordUndo, showError, showErrorToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import {
  draftHtml,
  patchComments,
  reloadComments,
  type TaskComment,
  withoutComment,
} from './comments.ts'

interface Props {
  task: Task
  /** The comment that this replies to. */
  replyTo?: Pick<TaskComment, 'comment_id' | 'author'>
  onClose?(): void
}

/** The field for a new comment. Its text stays in a draft until the server has accepted it. */
export function Composer({ task, replyTo, onClose }: Props) {
  const { task_id, project_id } = task
  const isDeleted = task.status === 'Deleted'
  const members = useMembers(project_id)
  const field = useCommentDraft(`${task_id}:comment${replyTo ? `:${replyTo.comment_id}` : ''}`)
  const { text, resetKey } = field
  const close = () => {
    leaveField('.composer')
    onClose?.()
  }
  const add = useAddComment(task, {
    draft: field.name,
    onFailed: field.failSending,
    onSent(sentText) {
      field.finishSending(sentText)
      if (onClose) close()
    },
  })
  const submit = () => {
    const trimmed = text.trim()
    const mentions = mentionsIn(trimmed, members)
    field.startSending(trimmed)
    add({
      ...{ task_id, text: trimmed, content_type: 'markdown' },
      ...(mentions.length && { mentions }),
      ...(replyTo && { reply_to_comment_id: replyTo.comment_id }),
    })
  }
  return (
    <div className="composer">
      <Editor
        label={replyTo ? t('task.reply_to_name', { name: replyTo.author.name }) : t('task.comment')}
        hint={
          replyTo
            ? t('task.reply_to_name', { name: replyTo.author.name })
            : t('task.comment_mentions_people_and_agents')
        }
        {...{ text, resetKey, task_id, project_id }}
        people={members}
        autoFocus={replyTo !== undefined}
        submitLabel={replyTo ? t('task.reply') : t('task.comment')}
        disabled={isDeleted || !text.trim()}
        reason={isDeleted && DELETED}
        onChange={field.type}
        onSend={submit}
        onCancel={onClose && close}
        onEscape={close}
      />
    </div>
  )
}

/** Undoes a comment: deletes it and restores its text, unless somebody replied or reacted. */
async function undoComment(task_id: number, comment_id: number, restoreText: () => void) {
  const { reactions } = await callOperation('comments.get', { comment_id })
  const { items } = await callOperation('comments.list', { task_id, sort_order: 'desc', limit: 50 })
  const isAnswered = items.some(({ reply_to_comment_id }) => reply_to_comment_id === comment_id)
  if (isAnswered || reactions.length) {
    showErrorToast(t('task.not_undone_somebody_replied_or_reacted_to'))
    return false
  }
  await sendWrite('comments.delete', { comment_id })
  restoreText()
  reloadComments(task_id)
  reloadTask(task_id)
  return true
}

interface AddOptions {
  draft: string
  onSent(text: string): void
  /** The server refused the comment; `text` is what was typed. */
  onFailed(text: string): void
}

function useAddComment({ task_id, ticket_number }: Task, { draft, onSent, onFailed }: AddOptions) {
  const me = useMe()?.profile
  const { mutate } = useOperationMutation('comments.add', {
    draft,
    optimistic({ text, reply_to_comment_id }) {
      const comment: TaskComment = {
        ...{ kind: 'comment', comment_id: -Date.now(), task_id, ticket_number, url: '' },
        author: { kind: 'person', name: me?.display_name ?? '', user_id: me?.user_id ?? 0 },
        ...{ text: draftHtml(text), content_type: 'html', mentions: [], reactions: [] },
        ...{ attachments: [], created_at: new Date().toISOString(), edited_at: null },
        ...{ reply_to_comment_id: reply_to_comment_id ?? null, reply_to_invocation_id: null },
      }
      patchComments(task_id, (rows, isFirst) => (isFirst ? [comment, ...rows] : rows))
      // A reload alone would not remove it if the task can no longer be read.
      return () => patchComments(task_id, withoutComment(comment))()
    },
    onDone({ comment_id }, { text }) {
      reloadComments(task_id)
      reloadTask(task_id)
      onSent(text)
      recordUndo({
        what: t('task.comment_on_ticket_number', { ticket_number }),
        undo: () => undoComment(task_id, comment_id, () => onFailed(text)),
      })
    },
    onFailed(error, { text }) {
      onFailed(text)
      showError(error)
    },
  })
  return mutate
}
