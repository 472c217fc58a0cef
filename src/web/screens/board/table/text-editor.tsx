import { type KeyboardEvent, useRef, useState } from 'react'
import { isComposing } from '../../../kit/composing.ts'
import { cellText } from './cell-text.ts'
import type { Field, Row, TableContext } from './types.ts'

type Next = 'down' | 'next' | 'previous' | 'stay'

interface Props {
  field: Field
  row: Row
  context: TableContext
  text: string | undefined
  onSave(text: string, then: Next): void
  onCancel(): void
}

/** A cell that is edited as text. Leaving the field saves it, as in a spreadsheet. */
export function TextEditor({ field, row, context, text, onSave, onCancel }: Props) {
  const before = cellText(field, field.read(row), context)
  const [draft, setDraft] = useState(text ?? before)
  // Enter and Tab move the focus, which would save a second time.
  const isDone = useRef(false)
  const finish = (action: () => void) => {
    if (isDone.current) return
    isDone.current = true
    action()
  }
  const save = (then: Next) => finish(() => (draft === before ? onCancel() : onSave(draft, then)))
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (isComposing(event)) return
    const then = { Enter: 'down', Tab: event.shiftKey ? 'previous' : 'next' }[event.key]
    if (then) {
      event.preventDefault()
      finish(() => onSave(draft, then as Next))
    }
    if (event.key === 'Escape') finish(onCancel)
  }
  return (
    <input
      className="cell-input"
      dir="auto"
      aria-label={field.label}
      inputMode={field.kind === 'number' ? 'decimal' : undefined}
      maxLength={field.kind === 'title' ? 500 : 10_000}
      // biome-ignore lint/a11y/noAutofocus: the user opened this field to type
      autoFocus
      value={draft}
      onFocus={({ currentTarget }) => text === undefined && currentTarget.select()}
      onChange={(event) => setDraft(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => save('stay')}
    />
  )
}
