import { Popover } from '@base-ui/react/popover'
import { type ReactElement, useRef, useState } from 'react'
import { Calendar } from './calendar.tsx'
import { dueWords } from './dates.ts'
import { type Day, dayOf, nextWeek, plus, readWhen } from './days.ts'
import './when.css'

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

interface InsideProps extends Pick<Props, 'label' | 'value' | 'onPick' | 'timed'> {
  field: React.RefObject<HTMLInputElement | null>
  close(): void
}

const moment = (day: Day, time: string) => new Date(`${day}T${time}`).toISOString()
const timeOf = (value: string | null) =>
  value && value.length > 10 ? new Date(value).toTimeString().slice(0, 5) : ''

function Inside({ label, value, onPick, timed, field, close }: InsideProps) {
  const [text, setText] = useState('')
  const day = value && (value.length > 10 ? dayOf(new Date(value)) : value)
  const read = text.trim() ? readWhen(text) : undefined
  const put = (next: Day | null, time = timeOf(value)) => {
    onPick(next && timed && time ? moment(next, time) : next)
    close()
  }
  const spelled = read && (timed && read.time ? moment(read.day, read.time) : read.day)
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (read) put(read.day, read.time)
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
          {spelled ? dueWords(spelled).full : text.trim() && 'No date can be read there'}
        </p>
      </form>
      <Usual onPick={put} />
      <Calendar day={day} onPick={put} />
      {timed && day && <Time day={day} value={value} onPick={onPick} />}
      {value && (
        <button type="button" className="button quiet clear" onClick={() => put(null)}>
          Clear
        </button>
      )}
    </>
  )
}

function Usual({ onPick }: { onPick(day: Day): void }) {
  const today = dayOf(new Date())
  const days = [
    ['Today', today],
    ['Tomorrow', plus(today, 1)],
    ['Next week', nextWeek(today)],
  ] as const
  return (
    <div className="usual">
      {days.map(([name, day]) => (
        <button key={name} type="button" className="button plain" onClick={() => onPick(day)}>
          {name}
        </button>
      ))}
    </div>
  )
}

interface TimeProps extends Pick<Props, 'value' | 'onPick'> {
  day: Day
}

/** A time of day makes a moment of the day; without one it is the day again. */
function Time({ day, value, onPick }: TimeProps) {
  const before = timeOf(value)
  return (
    <label className="time">
      At
      <input
        type="time"
        className="field"
        defaultValue={before}
        onBlur={({ target: { value: time } }) =>
          time !== before && onPick(time ? moment(day, time) : day)
        }
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    </label>
  )
}
