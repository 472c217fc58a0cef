import { Popover } from '@base-ui/react/popover'
import { type ReactElement, type RefObject, useRef, useState } from 'react'
import { Calendar } from './calendar.tsx'
import { isComposing } from './composing.ts'
import { dueWords } from './dates.ts'
import { readWhen } from './days.ts'
import { dues, type Usual } from './moments.ts'
import './when.css'
import { type Day, dayOf, momentOf, timeOf } from './zone.ts'

interface Props {
  /** What the date is of: the name of the field. */
  label: string
  /** A day, a moment, or nothing. */
  value: string | null
  onPick(value: string | null): void
  /** What opens it; left out where something else does. */
  trigger?: ReactElement
  /** Beside this instead of the trigger. */
  anchor?: Element | null
  /** Whether it may have a time of day. */
  timed?: boolean
  /** The time that a day alone stands for, where only a moment to come makes sense. */
  hour?: string
  /** What is offered by name, instead of days. */
  usual?: readonly Usual[]
  open?: boolean
  onOpen?(open: boolean): void
}

/** A date that is typed, chosen from what is usual, or from a calendar. */
export function PickWhen({ label, trigger, anchor, open, onOpen, ...rest }: Props) {
  const [own, setOwn] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const turn = (next: boolean) => (onOpen ? onOpen(next) : setOwn(next))
  return (
    <Popover.Root open={open ?? own} onOpenChange={turn}>
      {trigger && <Popover.Trigger render={trigger} />}
      <Popover.Portal>
        <Popover.Positioner className="above" sideOffset={4} align="start" anchor={anchor}>
          <Popover.Popup className="popup when" aria-label={label} initialFocus={field}>
            <Inside {...rest} label={label} field={field} close={() => turn(false)} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

interface InsideProps
  extends Pick<Props, 'label' | 'value' | 'onPick' | 'timed' | 'hour' | 'usual'> {
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

type Picking = Omit<InsideProps, 'label' | 'field' | 'usual'> & { usual: readonly Usual[] }

function usePicking({ value, onPick, timed, hour, usual, close }: Picking) {
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

interface TimeProps extends Pick<Props, 'value' | 'onPick'> {
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
