import { Autocomplete } from '@base-ui/react/autocomplete'
import { Popover } from '@base-ui/react/popover'
import { useRef, useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import './forms.css'
import { dues, isoDay, snoozes } from './moments.ts'

interface Props {
  what: 'snooze' | 'due'
  /** The row that it is about. */
  anchor: Element | null
  /** Whether there is something to take away. */
  isSet: boolean
  onPick(value: string | null): void
  onClose(): void
}

const WORDS = {
  snooze: { title: 'Snooze until', none: 'Wake it now', deed: 'Snooze' },
  due: { title: 'Due', none: 'No due date', deed: 'Set' },
} as const

interface Choice {
  name: string
  icon: IconName
  hint?: string
  run(): void
}

/** A few near moments, and any other. */
export function When({ what, anchor, isSet, onPick, onClose }: Props) {
  const [dated, setDated] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { title, none } = WORDS[what]
  if (dated) return <OnDate {...{ what, onPick, onClose }} />
  const icon = what === 'due' ? 'calendar' : 'bell'
  const moments = what === 'snooze' ? snoozes() : dues()
  const choices: Choice[] = [
    ...moments.map(
      ({ name, value, hint }) => ({ name, icon, hint, run: () => onPick(value) }) as const,
    ),
    { name: 'Pick a date…', icon: 'dots', run: () => setDated(true) },
    ...(isSet ? [{ name: none, icon: 'close' as const, run: () => onPick(null) }] : []),
  ]
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner className="above" sideOffset={4} align="end" anchor={anchor}>
          <Popover.Popup className="popup" aria-label={title} initialFocus={field}>
            <Autocomplete.Root
              {...({ open: true, inline: true, autoHighlight: 'always', items: choices } as const)}
              keepHighlight
              itemToStringValue={({ name }: Choice) => name}
            >
              <Autocomplete.Input
                {...{ ref: field, className: 'search', placeholder: title, 'aria-label': title }}
              />
              <Autocomplete.Empty className="nothing">Pick a date instead</Autocomplete.Empty>
              <Autocomplete.List>
                {(one: Choice) => (
                  <Autocomplete.Item key={one.name} value={one} className="item" onClick={one.run}>
                    <Icon name={one.icon} />
                    <span className="name">{one.name}</span>
                    <span className="soft">{one.hint}</span>
                  </Autocomplete.Item>
                )}
              </Autocomplete.List>
            </Autocomplete.Root>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

const MORNING = '09:00'

function OnDate({ what, onPick, onClose }: Pick<Props, 'what' | 'onPick' | 'onClose'>) {
  const [day, setDay] = useState(isoDay(new Date(Date.now() + 86_400_000)))
  const [time, setTime] = useState(what === 'snooze' ? MORNING : '')
  const { title, deed } = WORDS[what]
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog open {...{ onClose, title, field }}>
      <form
        className="on-date"
        onSubmit={(event) => {
          event.preventDefault()
          onPick(time ? new Date(`${day}T${time}`).toISOString() : day)
        }}
      >
        <label>
          Day
          <input
            {...{ ref: field, className: 'field', type: 'date', required: true, value: day }}
            onChange={(event) => setDay(event.target.value)}
          />
        </label>
        <label>
          Time
          <input
            {...{ className: 'field', type: 'time', required: what === 'snooze', value: time }}
            onChange={(event) => setTime(event.target.value)}
          />
        </label>
        <button type="submit" className="button main">
          {deed}
        </button>
      </form>
    </Dialog>
  )
}
