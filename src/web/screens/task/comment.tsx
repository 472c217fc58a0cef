import { type ReactNode, useMemo, useState } from 'react'
import { callOperation } from '../../data/client.ts'
import { sendWrite } from '../../data/write-queue.ts'
import { Html } from '../../entities/editor/html.tsx'
import { reloadTask, type Task } from '../../entities/task/data.ts'
import { Avatar } from '../../entities/user/avatar.tsx'
import { useMe } from '../../entities/user/me.ts'
import type { Member } from '../../entities/user/members.ts'
import { contextMenu } from '../../kit/context-menu.tsx'
import { copyText } from '../../kit/copy-text.ts'
import { agoText } from '../../kit/dates.ts'
import { deleteLater } from '../../kit/delayed-delete.ts'
import { Icon } from '../../kit/icon.tsx'
import { Menu } from '../../kit/menu.tsx'
import type { MenuContent, MenuItem } from '../../kit/menu-popup.tsx'
import { showError } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { reloadComments, type TaskComment } from './comments.ts'
import { Composer } from './composer.tsx'
import { EditComment, type StoredText } from './edit-comment.tsx'
import { useLinkedComment } from './linked-comment.ts'
import { ReactionList, Reactions } from './reactions.tsx'

interface Props {
  comment: TaskComment
  replies?: readonly TaskComment[]
  task: Task
  members: readonly Member[]
  onReply?(): void
}

/** A comment with its replies. */
export function Comment({ comment, replies = [], task, members, onReply }: Props) {
  const [isReplying, setReplying] = useState(false)
  const [source, setSource] = useState<Source>()
  const names = useMemo(() => members.map(({ name }) => name), [members])
  const line = useLinkedComment(comment.comment_id)
  const startReply = onReply ?? (() => setReplying(true))
  const edit = () => sourceOf(comment.comment_id).then(setSource, showError)
  const menu = useCommentMenu(comment, task, startReply, () => void edit())
  return (
    <li
      className="comment-item"
      ref={line}
      data-comment={comment.comment_id}
      {...(comment.comment_id > 0 && contextMenu(() => menu))}
    >
      <Avatar actor={comment.author} />
      <div className="bubble">
        <CommentHeader comment={comment}>
          <Reactions comment={comment} onAnswer={startReply}>
            <CommentMenu comment={comment} menu={menu} />
          </Reactions>
        </CommentHeader>
        {source === undefined ? (
          <Html html={comment.text} format={comment.content_type} names={names} />
        ) : (
          <EditComment
            comment={comment}
            {...source}
            members={members}
            onClose={() => setSource(undefined)}
          />
        )}
        <ReactionList comment={comment} />
        {replies.length > 0 && (
          <ol className="replies">
            {replies.map((reply) => (
              <Comment
                key={reply.comment_id}
                comment={reply}
                task={task}
                members={members}
                onReply={startReply}
              />
            ))}
          </ol>
        )}
        {isReplying && (
          <Composer task={task} replyTo={comment} onClose={() => setReplying(false)} />
        )}
      </div>
    </li>
  )
}

interface Source {
  source: string
  stored: StoredText
}

/** Loads a comment as stored and as Markdown for editing. */
async function sourceOf(comment_id: number): Promise<Source> {
  const stored = await callOperation('comments.get', { comment_id })
  if (stored.content_type === 'markdown') return { stored, source: stored.text }
  const { text } = await callOperation('comments.get', { comment_id, format: 'markdown' })
  return { stored, source: text }
}

function CommentHeader({ comment, children }: { comment: TaskComment; children: ReactNode }) {
  const { author, created_at, edited_at } = comment
  const { short, full } = agoText(created_at)
  return (
    <header>
      <b>{author.name}</b>
      {author.kind === 'agent' && <span className="tag">{t('common.agent')}</span>}
      <time className="soft" dateTime={created_at} title={full}>
        {comment.comment_id < 0 ? t('task.sending') : short}
      </time>
      {edited_at && (
        <span className="soft" title={agoText(edited_at).full}>
          {t('task.edited')}
        </span>
      )}
      {comment.comment_id > 0 && children}
    </header>
  )
}

const CommentMenu = ({ comment, menu }: { comment: TaskComment; menu: MenuContent }) => (
  <Menu
    {...menu}
    trigger={
      <button type="button" className="button quiet only">
        <Icon
          name="dots"
          label={t('task.more_about_names_comment', { name: comment.author.name })}
        />
      </button>
    }
  />
)

function useCommentMenu(
  comment: TaskComment,
  task: Task,
  reply: () => void,
  edit: () => void,
): MenuContent {
  const me = useMe()?.profile.user_id
  const isMine = comment.author.user_id === me
  const { comment_id, url } = comment
  const items: MenuItem[] = [
    { name: t('task.reply'), icon: 'reply', run: reply },
    ...(isMine ? [{ name: t('common.edit'), icon: 'pencil' as const, run: edit }] : []),
    { name: t('common.copy_link'), icon: 'link', run: () => copyText(url, t('task.the_link')) },
  ]
  const remove: MenuItem = {
    ...{ name: t('common.delete_name'), icon: 'trash', danger: true },
    run: () => deleteComment(task, comment_id),
  }
  return { label: t('task.comment_actions'), groups: [items, [remove]] }
}

function deleteComment({ task_id }: Task, comment_id: number) {
  const run = async () => {
    await sendWrite('comments.delete', { comment_id })
    reloadComments(task_id)
    reloadTask(task_id)
  }
  deleteLater({ what: `comment ${comment_id}`, message: t('task.deleted_the_comment'), run })
}
