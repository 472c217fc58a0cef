import { type KeyboardEvent, useRef } from 'react'
import { isComposing } from '../../parts/composing.ts'
import { Icon } from '../../parts/icon.tsx'

interface Props {
  label: string
  placeholder: string
  /** One line for each. */
  text: string
  onChange(text: string): void
}

const MOST = 100

/** A list that is typed: the last field is the next line, and an emptied one goes. */
export function Lines({ label, placeholder, text, onChange }: Props) {
  const list = useRef<HTMLOListElement>(null)
  const lines = text ? text.split('\n') : []
  const rows = lines.length < MOST ? [...lines, ''] : lines
  const put = (next: readonly string[]) => onChange(next.join('\n'))
  // At once, so that the next letter is typed there: a line keeps its field.
  const goTo = (at: number) => list.current?.querySelectorAll('input')[Math.max(0, at)]?.focus()
  const remove = (at: number) => {
    put(lines.toSpliced(at, 1))
    goTo(Math.min(at, lines.length - 1))
  }
  const pressed = (event: KeyboardEvent<HTMLInputElement>, at: number) => {
    if (isComposing(event)) return
    const { value } = event.currentTarget
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      if (value) goTo(at + 1)
    }
    if (event.key === 'Backspace' && !value && at > 0) {
      event.preventDefault()
      if (at < lines.length) put(lines.toSpliced(at, 1))
      goTo(at - 1)
    }
  }
  return (
    <ol ref={list} className="lines-typed" aria-label={label}>
      {rows.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what is typed in belongs to its place
        <li key={at}>
          <input
            className="field"
            dir="auto"
            aria-label={at < lines.length ? `${label}, ${at + 1}` : `${label}, another`}
            placeholder={at < lines.length ? undefined : placeholder}
            maxLength={2000}
            value={line}
            onChange={({ target }) =>
              put(at < lines.length ? lines.with(at, target.value) : [...lines, target.value])
            }
            onPaste={(event) => {
              const words = event.clipboardData.getData('text').split(/\r?\n/).filter(Boolean)
              if (words.length < 2) return
              event.preventDefault()
              put([...lines.slice(0, at), ...words, ...lines.slice(at + 1)].slice(0, MOST))
            }}
            onKeyDown={(event) => pressed(event, at)}
          />
          {at < lines.length && (
            <button type="button" className="button quiet only" onClick={() => remove(at)}>
              <Icon name="close" label={`Take “${line}” off`} />
            </button>
          )}
        </li>
      ))}
    </ol>
  )
}
