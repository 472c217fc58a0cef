import { type ReactNode, useState } from 'react'
import { dueWords } from '../parts/dates.ts'
import { Icon } from '../parts/icon.tsx'
import { dayOf } from '../parts/zone.ts'
import { spent } from './clock.ts'
import { correct, type Entry, erase, type Written } from './deeds.ts'
import { EntryForm } from './form.tsx'

interface Props {
  entry: Entry
  isMine: boolean
  onChange(): void
  /** Whose it is. */
  children: ReactNode
}

/** One piece of time; whose it is may correct it and delete it. */
export function EntryLine({ entry, isMine, onChange, children }: Props) {
  const [editing, setEditing] = useState(false)
  const { entry_id, seconds, note, date, started_at, created_at } = entry
  const day = date ?? dayOf(new Date(started_at ?? created_at))
  const written: Written = {
    minutes: Math.max(1, Math.round(seconds / 60)),
    ...{ date: day, note: note ?? '' },
  }
  if (editing)
    return (
      <li className="editing">
        <EntryForm
          name="Save"
          draft={`time-entry:${entry_id}`}
          before={written}
          onSave={(next) => correct(entry, written, next)}
          onClose={() => setEditing(false)}
        />
      </li>
    )
  const when = dueWords(day)
  const length = spent(seconds)
  return (
    <li>
      {children}
      <time className="soft" dateTime={day} title={when.full}>
        {when.short}
      </time>
      <b>{length}</b>
      <span className="note" dir="auto">
        {note}
      </span>
      {isMine && (
        <span className="deeds">
          <button type="button" className="button quiet only" onClick={() => setEditing(true)}>
            <Icon name="pencil" label={`Correct ${length}`} />
          </button>
          <button
            type="button"
            className="button quiet only"
            onClick={() => erase(entry, onChange)}
          >
            <Icon name="trash" label={`Delete ${length}`} />
          </button>
        </span>
      )}
    </li>
  )
}
