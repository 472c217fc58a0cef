import { useState } from 'react'
import { useDraft } from '../../../data/drafts.ts'
import { parseMinutes } from '../../../entities/timer/clock.ts'
import { dueText } from '../../../kit/dates.ts'
import { Form, FormError, SubmitButton } from '../../../kit/form.tsx'
import { PickWhen } from '../../../kit/when.tsx'
import { dayOf } from '../../../kit/zone.ts'
import { t } from '../../../messages/t.ts'
import type { EntryFields } from './entry-actions.ts'

interface Props {
  /** The label of the submit button. */
  name: string
  before?: EntryFields
  /** The name of the draft. */
  draft: string
  onSave(fields: EntryFields): Promise<unknown>
  onClose?(): void
}

const MAX_NOTE = 500
const INVALID_TIME = t('task.enter_a_time_such_as_1h_30m')

/** The form of a time entry: duration, day and note. */
export function EntryForm({ name, before, draft, onSave, onClose }: Props) {
  const { typed, update, submit } = useEntryForm({ before, draft, onSave, onClose })
  const { time, date, note } = typed
  return (
    <Form className="entry-form flex-wrap" onSubmit={submit}>
      <input
        className="field time-field"
        aria-label={t('common.time')}
        placeholder="1h 30m"
        required
        value={time}
        onChange={({ target }) => update({ time: target.value })}
      />
      <PickWhen
        label={t('task.day')}
        value={date}
        onPick={(day) => update({ date: day ?? dayOf(new Date()) })}
        trigger={
          <button
            type="button"
            className="button plain"
            aria-label={t('task.day_short', { short: dueText(date).short })}
          >
            {dueText(date).short}
          </button>
        }
        presets={[]}
      />
      <input
        className="field"
        aria-label={t('common.note')}
        placeholder={t('task.note_optional')}
        dir="auto"
        maxLength={MAX_NOTE}
        value={note}
        onChange={({ target }) => update({ note: target.value })}
      />
      <SubmitButton>{name}</SubmitButton>
      {onClose && (
        <button type="button" className="button quiet" onClick={onClose}>
          {t('common.cancel')}
        </button>
      )}
      <FormError />
    </Form>
  )
}

const timeOf = (minutes: number) =>
  minutes % 60 && minutes > 60
    ? `${Math.floor(minutes / 60)}h ${minutes % 60}m`
    : minutes % 60
      ? `${minutes}m`
      : `${minutes / 60}h`

function useEntryForm({ before, draft: key, onSave, onClose }: Omit<Props, 'name'>) {
  const draft = useDraft(key)
  const [typed, setTyped] = useState(() => ({
    time: before ? timeOf(before.minutes) : '',
    date: before?.date ?? dayOf(new Date()),
    note: before?.note ?? draft.stored?.text ?? '',
  }))
  const update = (change: Partial<typeof typed>) => {
    setTyped((previous) => ({ ...previous, ...change }))
    if (change.note !== undefined) draft.save(change.note)
  }
  const submit = async () => {
    const minutes = parseMinutes(typed.time)
    if (!minutes) throw new Error(INVALID_TIME)
    await onSave({ minutes, date: typed.date, note: typed.note.trim() })
    draft.discard()
    if (onClose) onClose()
    else setTyped({ ...typed, time: '', note: '' })
  }
  return { typed, update, submit }
}
