import { type KeyboardEvent, type RefObject, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Choice, typedAt, useChoices } from './complete.ts'

interface Of {
  area: RefObject<HTMLTextAreaElement | null>
  text: string
  write(text: string): void
  project_id: number | undefined
}

/** What the letters before the caret may mean, and how one of it is taken. */
export function useChoosing({ area, text, write, project_id }: Of) {
  const id = useId()
  const [caret, setCaret] = useState<number>()
  const [at, setAt] = useState(0)
  const typed = caret === undefined ? undefined : typedAt(text, caret)
  const found = useChoices(typed, project_id)
  const some = found ?? []
  const index = Math.min(at, some.length - 1)
  const look = () => {
    const { selectionStart, selectionEnd } = area.current!
    const next = selectionStart === selectionEnd ? selectionStart : undefined
    if (next !== caret) setAt(0)
    setCaret(next)
  }
  const take = ({ words }: Choice) => {
    const next = text.slice(0, typed!.from) + words + text.slice(caret)
    const to = typed!.from + words.length
    flushSync(() => {
      write(next)
      setCaret(undefined)
    })
    area.current?.focus()
    area.current?.setSelectionRange(to, to)
  }
  /** True where the key was for the list. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (!some.length) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setAt((index + step + some.length) % some.length)
    else if (/^(Enter|Tab)$/.test(event.key) && !event.shiftKey) take(some[index]!)
    else if (event.key === 'Escape') setCaret(undefined)
    else return false
    event.preventDefault()
    return true
  }
  const close = () => setCaret(undefined)
  const isNone = typed?.kind === 'skill' && found?.length === 0
  const active = some[index] && `${id} ${some[index].id}`.replace(/\s/g, '-')
  return { id, some, isNone, active, onKey, look, take, close }
}

interface Props {
  id: string
  some: readonly Choice[]
  /** No skill is called so. */
  isNone: boolean
  active: string | undefined
  take(choice: Choice): void
}

export function Choices({ id, some, isNone, active, take }: Props) {
  return (
    <>
      <p className="unseen" role="status">
        {some.length ? `${some.length} suggestions` : ''}
      </p>
      {isNone && (
        <p className="popup choices none-such" role="status">
          No such skill. They are made in the settings, yours and those of a board.
        </p>
      )}
      {some.length > 0 && (
        <div className="popup choices" role="listbox" id={id} aria-label="Suggestions">
          {some.map((one) => {
            const name = `${id} ${one.id}`.replace(/\s/g, '-')
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box
              <div
                key={one.id}
                id={name}
                role="option"
                className="item"
                aria-selected={name === active}
                data-highlighted={name === active ? '' : undefined}
                // The box keeps the focus.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => take(one)}
              >
                <span className="name">{one.name}</span>
                <span className="end soft">{one.end}</span>
              </div>
            )
          })}
        </div>
      )}
    </>
  )
}
