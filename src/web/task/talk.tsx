import { useState } from 'react'
import { useAsk } from '../data/cache.ts'
import { agoWords } from '../parts/dates.ts'
import { LoadError } from '../parts/load-error.tsx'
import { Comment } from './comment.tsx'
import { Composer } from './composer.tsx'
import { type Task, useMembers } from './data.ts'
import { isGone } from './later.ts'
import { Part } from './part.tsx'
import { type Row, type Said, talkOf } from './said.ts'
import './talk.css'

const KEPT = 'without-activity'

/** What was said and what happened, the newest last. */
export function Talk({ task }: { task: Task }) {
  const [without, setWithout] = useState(() => localStorage.getItem(KEPT) !== null)
  const turn = () => {
    if (without) localStorage.removeItem(KEPT)
    else localStorage.setItem(KEPT, '')
    setWithout(!without)
  }
  return (
    <Part
      title="Comments"
      count={task.comment_count ? String(task.comment_count) : ''}
      end={
        <button type="button" className="button quiet" aria-pressed={!without} onClick={turn}>
          {without ? 'Show activity' : 'Hide activity'}
        </button>
      }
    >
      <Page key={`${task.task_id} ${without}`} task={task} without={without} />
      <Composer task={task} />
    </Part>
  )
}

interface PageProps {
  task: Task
  without: boolean
  cursor?: string
}

/** One page, with those before it above once they are asked for. */
function Page({ task, without, cursor }: PageProps) {
  const [earlier, setEarlier] = useState(false)
  const members = useMembers(task.project_id)
  const asked = { ...talkOf(task.task_id, !without), ...(cursor && { cursor }) }
  // A new comment moves where this page begins; its comments stay while they are loaded again.
  const list = useAsk('comments.list', asked, { keep: cursor !== undefined })
  const { data } = list
  if (!data) return <LoadError of={list} what="comments" />
  const rows = data.items.filter(({ comment_id }) => !isGone(`comment ${comment_id}`)).toReversed()
  const next = data.page.next_cursor
  const roots = new Set(rows.map(({ comment_id }) => comment_id))
  const isReply = ({ reply_to_comment_id: to }: Row) => to != null && roots.has(to)
  return (
    <>
      {next && !earlier && (
        <button type="button" className="button quiet" onClick={() => setEarlier(true)}>
          Show earlier comments
        </button>
      )}
      {next && earlier && <Page task={task} without={without} cursor={next} />}
      <ol className="talk">
        {rows
          .filter((row) => !isReply(row))
          .map((row) =>
            row.kind === 'activity' ? (
              <Happened key={`${row.type} ${row.created_at}`} row={row} />
            ) : (
              <Comment
                key={row.comment_id}
                said={row as Said}
                replies={repliesTo(row, rows)}
                task={task}
                members={members}
              />
            ),
          )}
      </ol>
    </>
  )
}

/** All answers below a comment, to whichever of them they were given, in their order. */
function repliesTo(root: Row, rows: readonly Row[]): Said[] {
  const under = new Set([root.comment_id])
  return rows.filter(({ comment_id, reply_to_comment_id: to }) => {
    if (to == null || !under.has(to)) return false
    under.add(comment_id)
    return true
  }) as Said[]
}

function Happened({ row: { actor, summary, created_at } }: { row: Row }) {
  const { short, full } = agoWords(created_at)
  return (
    <li className="happened">
      <span>
        <b>{actor?.name}</b> {summary}
      </span>{' '}
      <time dateTime={created_at} title={full}>
        {short}
      </time>
    </li>
  )
}
