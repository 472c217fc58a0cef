import { type RefObject, useRef, useState } from 'react'
import { Calendar } from './calendar.tsx'
import { isComposing } from './composing.ts'
import { dueWords } from './dates.ts'
import { dues, type Usual } from './moments.ts'
import type { Opened } from './opener.tsx'
import PopoverPopup from './popover-popup.tsx'
import { readWhen } from './read-when.ts'
import type { Picking } from './when.tsx'
import './when.css'
import { type Day, dayOf, momentOf, timeOf } from './zone.ts'

/** The field, what is usual and the calendar, above the page. */
export default function WhenPopup({
  onPick,
  value,
  timed,
  hour,
  usual,
  ...opened
}: Picking & Opened) {
  const field = useRef<HTMLInputElement>(null)
  const { label, close } = opened
  return (
    <PopoverPopup {...opened} className="when" field={field}>
      <Inside {...{ label, value, onPick, timed, hour, usual, field, close }} />
    </PopoverPopup>
  )
}

interface InsideProps extends Picking {
  field: RefObject<HTMLInputElement | null>
  close(): void
}

function Inside({ label, timed, hour, field, usual = dues(), ...rest }: InsideProps) {
  const { value, onPick } = rest
  const { text, setText, day, read, note, put, spelled } = usePicking({
    ...rest,
    timed,
    hour,
    usual,
  })
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (read) put(read)
        }}
      >
        <input
          ref={field}
          className="search"
          aria-label={label}
          placeholder={timed ? 'tomorrow, fri 14:00, 3 dec' : 'tomorrow, fri, 3 dec'}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <p className="read" aria-live="polite">
          {note}
        </p>
      </form>
      <ByName usual={usual} onPick={(one) => put(one.length > 10 ? one : spelled(one))} />
      <Calendar day={day} onPick={(next) => put(spelled(next))} />
      {timed && day && <Time {...{ day, value, onPick }} needed={hour !== undefined} />}
      {value && (
        <button type="button" className="button quiet clear" onClick={() => put(null)}>
          Clear
        </button>
      )}
    </>
  )
}

const ByName = ({ usual, onPick }: { usual: readonly Usual[]; onPick(value: string): void }) => (
  <div className="usual">
    {usual.map(({ name, value, hint }) => (
      <button key={name} type="button" className="button plain" onClick={() => onPick(value)}>
        {name} <span className="hint">{hint}</span>
      </button>
    ))}
  </div>
)

const timeIn = (value: string | null) => (value && value.length > 10 ? timeOf(new Date(value)) : '')

const isOver = (moment: string) => new Date(moment) <= new Date()
const laterOn = (day: Day, usual: readonly Usual[]) =>
  usual.find(({ value }) => value.length > 10 && dayOf(new Date(value)) === day)?.value

type Using = Omit<InsideProps, 'label' | 'field' | 'usual'> & { usual: readonly Usual[] }

function usePicking({ value, onPick, timed, hour, usual, close }: Using) {
  const [text, setText] = useState('')
  const [hasPassed, setPassed] = useState(false)
  const day = value && (value.length > 10 ? dayOf(new Date(value)) : value)
  const spelled = (next: Day, time = timeIn(value) || hour) => {
    const moment = timed && time ? momentOf(next, time) : next
    // Of a day whose hour is over, what has a name is still to come.
    return hour && isOver(moment) ? (laterOn(next, usual) ?? moment) : moment
  }
  const typed = text.trim().toLowerCase()
  const found = typed ? readWhen(typed) : undefined
  const named = typed ? usual.find(({ name }) => name.toLowerCase().startsWith(typed)) : undefined
  const read = found ? spelled(found.day, found.time) : named?.value
  const put = (next: string | null) => {
    if (hour && next && isOver(next)) return setPassed(true)
    onPick(next)
    close()
  }
  const note = hasPassed
    ? 'That has passed already'
    : read
      ? dueWords(read).full
      : typed && 'No date can be read there'
  return {
    ...{ text, day, read, note, put, spelled },
    setText(next: string) {
      setPassed(false)
      setText(next)
    },
  }
}

interface TimeProps extends Pick<Picking, 'value' | 'onPick'> {
  day: Day
  /** Without a time there is no such date. */
  needed: boolean
}

/** A time of day makes a moment of the day; without one it is the day again. */
function Time({ day, value, onPick, needed }: TimeProps) {
  const before = timeIn(value)
  return (
    <label className="time">
      At
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
