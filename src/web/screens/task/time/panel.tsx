import { useState } from 'react'
import { useOperation } from '../../../data/cache.ts'
import { durationText } from '../../../entities/timer/clock.ts'
import type { TimedTask } from '../../../entities/timer/data.ts'
import { Avatar } from '../../../entities/user/avatar.tsx'
import { usePendingDeletes } from '../../../kit/delayed-delete.ts'
import { Dialog } from '../../../kit/dialog.tsx'
import { LoadError } from '../../../kit/load-error.tsx'
import { rich, t } from '../../../messages/t.ts'
import { type Entry, log, pendingDeleteName } from './entry-actions.ts'
import { EntryForm } from './form.tsx'
import { EntryLine } from './line.tsx'
import './panel.css'

interface Props {
  task: TimedTask
  /** The total seconds of everybody, without running timers. */
  total: number
  onClose(): void
}

/** All time entries of a task; the user's own can be logged and corrected here. */
export default function TimePanel({ task, total, onClose }: Props) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('task.time_on_ticket_number', { ticket_number: task.ticket_number })}
    >
      <div className="time-panel dialog-body">
        <EntryForm
          name={t('task.log_time')}
          draft={`time:${task.task_id}`}
          onSave={(written) => log(task, written)}
        />
        <Entries task={task} />
        {total > 0 && (
          <p className="headline">
            {rich('task.total_duration', { duration: <b>{durationText(total)}</b> })}
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** The time entries, newest first, page by page. */
function Entries({ task, cursor }: { task: TimedTask; cursor?: string }) {
  const [showsMore, setShowsMore] = useState(false)
  const deleted = usePendingDeletes()
  const { data: me } = useOperation('user_context.get', {})
  const list = useOperation('time.list', {
    ...{ task_identifier: task.task_id, limit: 50, running: false },
    ...(cursor && { cursor }),
  })
  const { data } = list
  if (!data) return <LoadError of={list} what={t('task.time_entries')} />
  const entries = data.items.filter(({ entry_id }) => !deleted.has(pendingDeleteName(entry_id)))
  const next = data.page.next_cursor
  const isMine = ({ actor }: Entry) => actor.user_id === me?.profile.user_id
  if (!entries.length && !cursor)
    return <p className="soft">{t('task.no_time_logged_yet_start_the_timer')}</p>
  return (
    <>
      <ul className="entries">
        {entries.map((entry) => (
          <EntryLine key={entry.entry_id} entry={entry} isMine={isMine(entry)}>
            <Avatar actor={entry.actor} />
          </EntryLine>
        ))}
      </ul>
      {next && !showsMore && (
        <button type="button" className="button quiet" onClick={() => setShowsMore(true)}>
          {t('task.show_earlier_entries')}
        </button>
      )}
      {next && showsMore && <Entries task={task} cursor={next} />}
    </>
  )
}
