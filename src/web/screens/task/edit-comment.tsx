import { useOperationMutation } from '../../data/cache.ts'
import { callOperation, type Output } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { useDraftText } from '../../entities/editor/draft-text.ts'
import { Editor } from '../../entities/editor/editor.tsx'
import { leaveField } from '../../entities/editor/leave-field.ts'
import { mentionsIn } from '../../entities/editor/mentions.ts'
import type { Member } from '../../entities/user/members.ts'
import { recordUndo, refuseUndo, showError } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { draftHtml, patchComments, reloadComments, type TaskComment } from './comments.ts'

interface Props {
  comment: TaskComment
  /** The comment's text as Markdown. */
  source: string
  /** The comment's text as stored. */
  stored: StoredText
  members: readonly Member[]
  onClose(): void
}

/** The editor for one's own comment. */
export function EditComment({ comment, source, stored, members, onClose }: Props) {
  const { comment_id, task_id } = comment
  const { text, draft, type } = useDraftText(`${task_id}:rewrite:${comment_id}`, source)
  const leave = () => {
    leaveField('.editor')
    onClose()
  }
  const close = () => {
    draft.discard()
    leave()
  }
  const { mutate, busy } = useUpdate(comment, stored, close)
  const save = () => {
    const body = text.trim()
    if (body === source) return close()
    const mentions = mentionsIn(body, members)
    mutate({
      ...{ comment_id, text: body, content_type: 'markdown' },
      ...(mentions.length && { mentions }),
    })
  }
  return (
    <Editor
      label={t('task.comment')}
      hint={t('task.comment')}
      {...{ text, task_id }}
      people={members}
      autoFocus
      submitLabel={t('common.save')}
      disabled={busy || !text.trim()}
      onChange={type}
      onSend={save}
      onCancel={close}
      onEscape={leave}
    />
  )
}

export type StoredText = Pick<Output<'comments.get'>, 'text' | 'content_type'>

/** Restores a comment's former text, unless it was edited again since. */
async function undoCommentEdit(
  { comment_id, task_id }: TaskComment,
  before: StoredText,
  editedAt: string | null,
) {
  const current = await callOperation('comments.get', { comment_id })
  if (current.edited_at !== editedAt) return refuseUndo('comment')
  const { text, content_type } = before
  await sendWrite('comments.update', { comment_id, text, content_type })
  reloadComments(task_id)
  return true
}

function useUpdate(comment: TaskComment, stored: StoredText, onSaved: () => void) {
  const { task_id, comment_id, ticket_number, text: before } = comment
  const show = (text: string) =>
    patchComments(task_id, (rows) =>
      rows.map((one) => (one.comment_id === comment_id ? { ...one, text } : one)),
    )
  return useOperationMutation('comments.update', {
    optimistic({ text }) {
      show(draftHtml(text))
      return () => show(before)()
    },
    onDone({ edited_at }) {
      reloadComments(task_id)
      recordUndo({
        what: t('task.comment_on_ticket_number', { ticket_number }),
        undo: () => undoCommentEdit(comment, stored, edited_at),
      })
      onSaved()
    },
    onFailed: showError,
  })
}
