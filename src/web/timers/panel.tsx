import { useState } from 'react'
import { useAsk } from '../data/cache.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { spent } from './clock.ts'
import type { About } from './data.ts'
import { type Entry, isErased, log } from './deeds.ts'
import { EntryForm } from './form.tsx'
import { EntryLine } from './line.tsx'
import './panel.css'

interface Props {
  task: About
  /** Seconds of all people together, without timers that run. */
  total: number
  onClose(): void
}

/** All time that was spent on a task: one's own is logged and corrected here. */
export default function TimePanel({ task, total, onClose }: Props) {
  return (
    <Dialog open onClose={onClose} title={`Time on ${task.ticket_number}`}>
      <div className="time-panel">
        <EntryForm
          name="Log time"
          draft={`time:${task.task_id}`}
          onSave={(written) => log(task, written)}
        />
        <Entries task={task} />
        {total > 0 && (
          <p className="sum">
            Together <b>{spent(total)}</b>
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** The newest first, page by page. */
function Entries({ task, cursor }: { task: About; cursor?: string }) {
  const [more, setMore] = useState(false)
  const [, again] = useState(0)
  const { data: me } = useAsk('user_context.get', {})
  const list = useAsk('time.list', {
    ...{ task_identifier: task.task_id, limit: 50, running: false },
    ...(cursor && { cursor }),
  })
  const { data } = list
  if (!data) return <LoadError of={list} what="time entries" />
  const entries = data.items.filter(({ entry_id }) => !isErased(entry_id))
  const next = data.page.next_cursor
  const isMine = ({ actor }: Entry) => actor.user_id === me?.profile.user_id
  if (!entries.length && !cursor)
    return (
      <p className="soft">
        Nobody has spent time on this yet. Start the timer, or write down what you remember.
      </p>
    )
  return (
    <>
      <ul className="entries">
        {entries.map((entry) => (
          <EntryLine
            key={entry.entry_id}
            entry={entry}
            isMine={isMine(entry)}
            onChange={() => again((many) => many + 1)}
          >
            <Avatar actor={entry.actor} />
          </EntryLine>
        ))}
      </ul>
      {next && !more && (
        <button type="button" className="button quiet" onClick={() => setMore(true)}>
          Show earlier entries
        </button>
      )}
      {next && more && <Entries task={task} cursor={next} />}
    </>
  )
}
