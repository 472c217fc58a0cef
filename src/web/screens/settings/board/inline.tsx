import { useState } from 'react'
import { isComposing } from '../../../kit/composing.ts'

interface Props {
  label: string
  value: string
  /** Resolves to false if the server refused the text, which then returns to the field. */
  onPut(text: string): Promise<boolean>
  maxLength?: number
  placeholder?: string
  /** Whether the field may be empty. */
  mayEmpty?: boolean
  numeric?: boolean
  disabled?: boolean
}

/** A text edited in place: Enter and blur save it, Escape cancels. */
export function InlineField({ label, value, onPut, mayEmpty, numeric, ...rest }: Props) {
  const [draft, setDraft] = useState<string>()
  const commit = () => {
    if (draft === undefined) return
    const next = draft.trim()
    setDraft(undefined)
    if (next === value || (!next && !mayEmpty)) return
    void onPut(next).then((isSaved) => {
      if (!isSaved) setDraft(next)
    })
  }
  return (
    <input
      className="field inline"
      dir="auto"
      aria-label={label}
      inputMode={numeric ? 'numeric' : undefined}
      {...rest}
      value={draft ?? value}
      onChange={({ target }) => setDraft(target.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (isComposing(event)) return
        if (event.key === 'Enter') commit()
        if (event.key === 'Escape') setDraft(undefined)
      }}
    />
  )
}
