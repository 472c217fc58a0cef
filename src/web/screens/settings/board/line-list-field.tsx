import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react'
import { isComposing } from '../../../kit/composing.ts'
import { Icon } from '../../../kit/icon.tsx'
import { t } from '../../../messages/t.ts'

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
  const { list, lines, ...edit } = useLineList(text, onChange)
  const rows = lines.length < MAX_LINES ? [...lines, ''] : lines
  return (
    <ol ref={list} className="lines-typed" aria-label={label}>
      {rows.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their position
        <li key={at} className="flex-row">
          <input
            className="field"
            dir="auto"
            aria-label={
              at < lines.length ? `${label}, ${at + 1}` : t('settings.label_new_item', { label })
            }
            placeholder={at < lines.length ? undefined : placeholder}
            maxLength={2000}
            value={line}
            onChange={({ target }) => edit.type(at, target.value)}
            onPaste={(event) => edit.paste(event, at)}
            onKeyDown={(event) => edit.handleKey(event, at)}
          />
          {at < lines.length && (
            <button type="button" className="button quiet only" onClick={() => edit.remove(at)}>
              <Icon name="close" label={t('settings.remove_line', { line })} />
            </button>
          )}
        </li>
      ))}
    </ol>
  )
}

/** The lines of the text, and how typing, pasting and keys change them. */
function useLineList(text: string, onChange: (text: string) => void) {
  const list = useRef<HTMLOListElement>(null)
  const lines = text ? text.split('\n') : []
  const setLines = (next: readonly string[]) => onChange(next.join('\n'))
  const type = (index: number, value: string) =>
    setLines(index < lines.length ? lines.with(index, value) : [...lines, value])
  const paste = (event: ClipboardEvent, index: number) => {
    const pasted = event.clipboardData.getData('text').split(/\r?\n/).filter(Boolean)
    if (pasted.length < 2) return
    event.preventDefault()
    setLines([...lines.slice(0, index), ...pasted, ...lines.slice(index + 1)].slice(0, MAX_LINES))
  }
  // Synchronous, so that the next key goes to the new field.
  const focusLine = (index: number) =>
    list.current?.querySelectorAll('input')[Math.max(0, index)]?.focus()
  const remove = (index: number) => {
    setLines(lines.toSpliced(index, 1))
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
      if (index < lines.length) setLines(lines.toSpliced(index, 1))
      focusLine(index - 1)
    }
  }
  return { list, lines, type, paste, remove, handleKey }
}
