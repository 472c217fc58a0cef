import { type RefObject, useRef, useState } from 'react'
import { t } from '../messages/t.ts'
import { Calendar } from './calendar.tsx'
import { isComposing } from './composing.ts'
import { type DatePreset, duePresets } from './date-presets.ts'
import { dueText } from './dates.ts'
import { Form } from './form.tsx'
import type { PopupProps } from './opener.tsx'
import { parseWhen } from './parse-when.ts'
import PopoverPopup from './popover-popup.tsx'
import './when.css'
import { type Day, dayOf, momentOf, timeOf } from './zone.ts'

export interface WhenProps {
  /** The accessible name of the field. */
  label: string
  /** A day, a moment, or null. */
  value: string | null
  onPick(value: string | null): void
  /** Whether the value may have a time of day. */
  allowsTime?: boolean
  /** The time of day for a chosen day, if only a moment in the future is valid. */
  defaultTime?: string
  /** The presets to offer instead of the usual days. */
  presets?: readonly DatePreset[]
}

/** The popup of a date picker: a text field, presets and a calendar. */
export default function WhenPopup({
  onPick,
  value,
  allowsTime,
  defaultTime,
  presets,
  ...popupProps
}: WhenProps & PopupProps) {
  const field = useRef<HTMLInputElement>(null)
  const { label, close } = popupProps
  return (
    <PopoverPopup {...popupProps} className="when" field={field}>
      <Inside {...{ label, value, onPick, allowsTime, defaultTime, presets, field, close }} />
    </PopoverPopup>
  )
}

interface InsideProps extends WhenProps {
  field: RefObject<HTMLInputElement | null>
  close(): void
}

function Inside({
  label,
  allowsTime,
  defaultTime,
  field,
  presets = duePresets(),
  ...rest
}: InsideProps) {
  const { value, onPick } = rest
  const { text, setText, day, result, note, pick, withTime } = usePicking({
    ...rest,
    allowsTime,
    defaultTime,
    presets,
  })
  return (
    <>
      <Form className="typed" onSubmit={() => result && pick(result)}>
        <input
          ref={field}
          className="search"
          aria-label={label}
          placeholder={allowsTime ? t('kit.tomorrow_fri_14_00_3_dec') : t('kit.tomorrow_fri_3_dec')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <p className="parsed-date" aria-live="polite">
          {note}
        </p>
      </Form>
      <PresetList
        presets={presets}
        onPick={(preset) => pick(preset.length > 10 ? preset : withTime(preset))}
      />
      <Calendar day={day} onPick={(next) => pick(withTime(next))} />
      {allowsTime && day && <Time {...{ day, value, onPick }} needed={defaultTime !== undefined} />}
      {value && (
        <button type="button" className="button quiet clear" onClick={() => pick(null)}>
          {t('common.clear')}
        </button>
      )}
    </>
  )
}

const PresetList = ({
  presets,
  onPick,
}: {
  presets: readonly DatePreset[]
  onPick(value: string): void
}) => (
  <div className="presets">
    {presets.map(({ name, value, hint }) => (
      <button key={name} type="button" className="button plain" onClick={() => onPick(value)}>
        {name} <span className="hint">{hint}</span>
      </button>
    ))}
  </div>
)

const timeIn = (value: string | null) => (value && value.length > 10 ? timeOf(new Date(value)) : '')

const isPast = (moment: string) => new Date(moment) <= new Date()
const laterPresetOn = (day: Day, presets: readonly DatePreset[]) =>
  presets.find(({ value }) => value.length > 10 && dayOf(new Date(value)) === day)?.value

type PickingOptions = Omit<InsideProps, 'label' | 'field' | 'presets'> & {
  presets: readonly DatePreset[]
}

function usePicking({ value, onPick, allowsTime, defaultTime, presets, close }: PickingOptions) {
  const [text, setText] = useState('')
  const [hasPassed, setPassed] = useState(false)
  const day = value && (value.length > 10 ? dayOf(new Date(value)) : value)
  const withTime = (next: Day, time = timeIn(value) || defaultTime) => {
    const moment = allowsTime && time ? momentOf(next, time) : next
    // If the default time of that day has passed, a later preset of the same day is used.
    return defaultTime && isPast(moment) ? (laterPresetOn(next, presets) ?? moment) : moment
  }
  const typed = text.trim().toLowerCase()
  const parsed = typed ? parseWhen(typed) : undefined
  const preset = typed
    ? presets.find(({ name }) => name.toLowerCase().startsWith(typed))
    : undefined
  const result = parsed ? withTime(parsed.day, parsed.time) : preset?.value
  const pick = (next: string | null) => {
    if (defaultTime && next && isPast(next)) return setPassed(true)
    onPick(next)
    close()
  }
  const note = hasPassed
    ? t('kit.this_time_is_in_the_past')
    : result
      ? dueText(result).full
      : typed && t('kit.not_a_valid_date')
  return {
    ...{ text, day, result, note, pick, withTime },
    setText(next: string) {
      setPassed(false)
      setText(next)
    },
  }
}

interface TimeProps extends Pick<WhenProps, 'value' | 'onPick'> {
  day: Day
  /** The value needs a time of day. */
  needed: boolean
}

/** Adds a time of day to a date, or removes it. */
function Time({ day, value, onPick, needed }: TimeProps) {
  const before = timeIn(value)
  return (
    <label className="time">
      {t('kit.at')}
      <input
        type="time"
        className="field"
        defaultValue={before}
        required={needed}
        onBlur={({ target: { value: time } }) => {
          if (time !== before && (time || !needed)) onPick(time ? momentOf(day, time) : day)
        }}
        onKeyDown={(event) =>
          event.key === 'Enter' && !isComposing(event) && event.currentTarget.blur()
        }
      />
    </label>
  )
}
