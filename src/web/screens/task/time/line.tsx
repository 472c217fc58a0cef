import { type ReactNode, useState } from 'react'
import { durationText } from '../../../entities/timer/clock.ts'
import { dueText } from '../../../kit/dates.ts'
import { Icon } from '../../../kit/icon.tsx'
import { dayOf } from '../../../kit/zone.ts'
import { t } from '../../../messages/t.ts'
import { correctEntry, deleteEntry, type Entry, type EntryFields } from './entry-actions.ts'
import { EntryForm } from './form.tsx'

interface Props {
  entry: Entry
  isMine: boolean
  /** The person of the entry. */
  children: ReactNode
}

/** A time entry. Its owner can correct and delete it. */
export function EntryLine({ entry, isMine, children }: Props) {
  const [isEditing, setIsEditing] = useState(false)
  const { entry_id, seconds, note, date, started_at, created_at } = entry
  const day = date ?? dayOf(new Date(started_at ?? created_at))
  const fields: EntryFields = {
    minutes: Math.max(1, Math.round(seconds / 60)),
    ...{ date: day, note: note ?? '' },
  }
  if (isEditing)
    return (
      <li className="editing">
        <EntryForm
          name={t('common.save')}
          draft={`time-entry:${entry_id}`}
          before={fields}
          onSave={(next) => correctEntry(entry, fields, next)}
          onClose={() => setIsEditing(false)}
        />
      </li>
    )
  const dayText = dueText(day)
  const length = durationText(seconds)
  return (
    <li>
      {children}
      <time className="soft" dateTime={day} title={dayText.full}>
        {dayText.short}
      </time>
      <b>{length}</b>
      <span className="note grow" dir="auto">
        {note}
      </span>
      {isMine && (
        <span className="actions">
          <button type="button" className="button quiet only" onClick={() => setIsEditing(true)}>
            <Icon name="pencil" label={t('task.edit_length', { length })} />
          </button>
          <button type="button" className="button quiet only" onClick={() => deleteEntry(entry)}>
            <Icon name="trash" label={t('task.delete_length', { length })} />
          </button>
        </span>
      )}
    </li>
  )
}
