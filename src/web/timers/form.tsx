import { type FormEvent, useId, useState } from 'react'
import { useDraft } from '../data/drafts.ts'
import { dueWords } from '../parts/dates.ts'
import { PickWhen } from '../parts/when.tsx'
import { dayOf } from '../parts/zone.ts'
import { minutesIn } from './clock.ts'
import type { Written } from './deeds.ts'

interface Props {
  /** What the button does. */
  name: string
  before?: Written
  /** Under which name what is typed is kept. */
  draft: string
  /** Answers whether it was saved. */
  onSave(written: Written): Promise<boolean>
  onClose?(): void
}

const MOST_LETTERS = 500
const WRONG = 'Write it as 1h 30m, 1:30 or 90: at most 24 hours'

/** How long, on which day and what for. */
export function EntryForm({ name, before, draft, onSave, onClose }: Props) {
  const { typed, put, wrong, busy, submit } = useWriting({ before, draft, onSave, onClose })
  const says = useId()
  const { time, date, note } = typed
  return (
    <form className="entry-form" onSubmit={submit}>
      <input
        className="field time-field"
        aria-label="Time"
        placeholder="1h 30m"
        required
        aria-invalid={wrong !== ''}
        aria-describedby={says}
        value={time}
        onChange={({ target }) => put({ time: target.value })}
      />
      <PickWhen
        label="Day"
        value={date}
        onPick={(day) => put({ date: day ?? dayOf(new Date()) })}
        trigger={
          <button
            type="button"
            className="button plain"
            aria-label={`Day: ${dueWords(date).short}`}
          >
            {dueWords(date).short}
          </button>
        }
        usual={[]}
      />
      <input
        className="field"
        aria-label="Note"
        placeholder="What was done? Optional"
        dir="auto"
        maxLength={MOST_LETTERS}
        value={note}
        onChange={({ target }) => put({ note: target.value })}
      />
      <button type="submit" className="button main" disabled={busy}>
        {name}
      </button>
      {onClose && (
        <button type="button" className="button quiet" onClick={onClose}>
          Cancel
        </button>
      )}
      <p id={says} role="alert">
        {wrong}
      </p>
    </form>
  )
}

const timeOf = (minutes: number) =>
  minutes % 60 && minutes > 60
    ? `${Math.floor(minutes / 60)}h ${minutes % 60}m`
    : minutes % 60
      ? `${minutes}m`
      : `${minutes / 60}h`

function useWriting({ before, draft: key, onSave, onClose }: Omit<Props, 'name'>) {
  const draft = useDraft(key)
  const [typed, setTyped] = useState(() => ({
    time: before ? timeOf(before.minutes) : '',
    date: before?.date ?? dayOf(new Date()),
    note: before?.note ?? draft.found?.text ?? '',
  }))
  const [wrong, setWrong] = useState('')
  const [busy, setBusy] = useState(false)
  const put = (some: Partial<typeof typed>) => {
    setTyped((now) => ({ ...now, ...some }))
    setWrong('')
    if (some.note !== undefined) draft.keep(some.note)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const minutes = minutesIn(typed.time)
    if (!minutes) return setWrong(WRONG)
    setBusy(true)
    const isSaved = await onSave({ minutes, date: typed.date, note: typed.note.trim() })
    setBusy(false)
    if (!isSaved) return
    draft.drop()
    if (onClose) onClose()
    else setTyped({ ...typed, time: '', note: '' })
  }
  return { typed, put, wrong, busy, submit: (event: FormEvent) => void submit(event) }
}
