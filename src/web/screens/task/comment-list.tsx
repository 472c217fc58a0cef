import { useState } from 'react'
import { useOperation } from '../../data/cache.ts'
import type { Task } from '../../entities/task/data.ts'
import { useMembers } from '../../entities/user/members.ts'
import { storageName } from '../../kit/base-path.ts'
import { usePendingDeletes } from '../../kit/delayed-delete.ts'
import { LoadError } from '../../kit/load-error.tsx'
import { t } from '../../messages/t.ts'
import { foldActivity } from './activity.ts'
import { ActivityLine, FoldedActivity, keyOf } from './activity-line.tsx'
import { Comment } from './comment.tsx'
import { commentsQuery, type Row, type TaskComment } from './comments.ts'
import { Composer } from './composer.tsx'
import { DetailSection } from './detail-section.tsx'
import '../../entities/task/comments.css'

const STORAGE_KEY = storageName('without-activity')

/** Comments and activity, newest last. */
export function CommentList({ task }: { task: Task }) {
  const [hidesActivity, setHidesActivity] = useState(
    () => localStorage.getItem(STORAGE_KEY) !== null,
  )
  const toggle = () => {
    if (hidesActivity) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, '')
    setHidesActivity(!hidesActivity)
  }
  return (
    <DetailSection
      title={t('common.comments')}
      count={task.comment_count ? String(task.comment_count) : ''}
      end={
        <button
          type="button"
          className="button quiet"
          aria-pressed={!hidesActivity}
          onClick={toggle}
        >
          {hidesActivity ? t('task.show_activity') : t('task.hide_activity')}
        </button>
      }
    >
      <Page key={`${task.task_id} ${hidesActivity}`} task={task} hidesActivity={hidesActivity} />
      <Composer task={task} />
    </DetailSection>
  )
}

interface PageProps {
  task: Task
  hidesActivity: boolean
  cursor?: string
}

/** One page of comments. Earlier pages load above it on request. */
function Page({ task, hidesActivity, cursor }: PageProps) {
  const [earlier, setEarlier] = useState(false)
  const members = useMembers(task.project_id)
  const query = { ...commentsQuery(task.task_id, !hidesActivity), ...(cursor && { cursor }) }
  // A new comment shifts the page boundaries; `keep` shows the old page while it reloads.
  const list = useOperation('comments.list', query, { keepPrevious: cursor !== undefined })
  const deleted = usePendingDeletes()
  const { data } = list
  if (!data) return <LoadError of={list} what={t('task.comments')} />
  const rows = data.items
    .filter(({ comment_id }) => !deleted.has(`comment ${comment_id}`))
    .toReversed()
  const next = data.page.next_cursor
  const roots = new Set(rows.map(({ comment_id }) => comment_id))
  const isReply = ({ reply_to_comment_id: to }: Row) => to != null && roots.has(to)
  return (
    <>
      {next && !earlier && (
        <button type="button" className="button quiet" onClick={() => setEarlier(true)}>
          {t('task.show_earlier_comments')}
        </button>
      )}
      {next && earlier && <Page task={task} hidesActivity={hidesActivity} cursor={next} />}
      <ol className="comments">
        {foldActivity(rows.filter((row) => !isReply(row))).map((entry) =>
          entry.kind === 'comment' ? (
            <Comment
              key={entry.row.comment_id}
              comment={entry.row as TaskComment}
              replies={repliesTo(entry.row, rows)}
              task={task}
              members={members}
            />
          ) : entry.kind === 'fold' ? (
            <FoldedActivity key={keyOf(entry.entries[0]!)} {...entry} />
          ) : (
            <ActivityLine key={keyOf(entry)} {...entry} />
          ),
        )}
      </ol>
    </>
  )
}

/** All replies in the thread of a comment, direct or nested, in order. */
function repliesTo(root: Row, rows: readonly Row[]): TaskComment[] {
  const threadIds = new Set([root.comment_id])
  return rows.filter(({ comment_id, reply_to_comment_id: to }) => {
    if (to == null || !threadIds.has(to)) return false
    threadIds.add(comment_id)
    return true
  }) as TaskComment[]
}
