import { type KeyboardEvent, useRef } from 'react'
import { isComposing } from '../../parts/composing.ts'
import { Icon } from '../../parts/icon.tsx'

interface Props {
  label: string
  placeholder: string
  /** One item per line. */
  text: string
  onChange(text: string): void
}

const MAX_LINES = 100

/** An editable list: the last field adds an item, and clearing an item removes it. */
export function LineListField({ label, placeholder, text, onChange }: Props) {
  const list = useRef<HTMLOListElement>(null)
  const lines = text ? text.split('\n') : []
  const rows = lines.length < MAX_LINES ? [...lines, ''] : lines
  const put = (next: readonly string[]) => onChange(next.join('\n'))
  // Synchronous, so that the next key goes to the new field.
  const focusLine = (index: number) =>
    list.current?.querySelectorAll('input')[Math.max(0, index)]?.focus()
  const remove = (index: number) => {
    put(lines.toSpliced(index, 1))
    focusLine(Math.min(index, lines.length - 1))
  }
  const handleKey = (event: KeyboardEvent<HTMLInputElement>, index: number) => {
    if (isComposing(event)) return
    const { value } = event.currentTarget
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      if (value) focusLine(index + 1)
    }
    if (event.key === 'Backspace' && !value && index > 0) {
      event.preventDefault()
      if (index < lines.length) put(lines.toSpliced(index, 1))
      focusLine(index - 1)
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
            aria-label={at < lines.length ? `${label}, ${at + 1}` : `${label}, new item`}
            placeholder={at < lines.length ? undefined : placeholder}
            maxLength={2000}
            value={line}
            onChange={({ target }) =>
              put(at < lines.length ? lines.with(at, target.value) : [...lines, target.value])
            }
            onPaste={(event) => {
              const pasted = event.clipboardData.getData('text').split(/\r?\n/).filter(Boolean)
              if (pasted.length < 2) return
              event.preventDefault()
              put([...lines.slice(0, at), ...pasted, ...lines.slice(at + 1)].slice(0, MAX_LINES))
            }}
            onKeyDown={(event) => handleKey(event, at)}
          />
          {at < lines.length && (
            <button type="button" className="button quiet only" onClick={() => remove(at)}>
              <Icon name="close" label={`Remove “${line}”`} />
            </button>
          )}
        </li>
      ))}
    </ol>
  )
}
