import { useState } from 'react'
import { isComposing } from '../../parts/composing.ts'

interface Props {
  label: string
  value: string
  /** False: it was refused, and what was typed stands there again. */
  onPut(text: string): Promise<boolean>
  maxLength?: number
  placeholder?: string
  /** Nothing may be written too. */
  mayEmpty?: boolean
  numeric?: boolean
  disabled?: boolean
}

/** A text that is changed where it stands: Enter or leaving keeps it, Escape what was there. */
export function Inline({ label, value, onPut, mayEmpty, numeric, ...rest }: Props) {
  const [typed, setTyped] = useState<string>()
  const put = () => {
    if (typed === undefined) return
    const next = typed.trim()
    setTyped(undefined)
    if (next === value || (!next && !mayEmpty)) return
    void onPut(next).then((isKept) => {
      if (!isKept) setTyped(next)
    })
  }
  return (
    <input
      className="field inline"
      dir="auto"
      aria-label={label}
      inputMode={numeric ? 'numeric' : undefined}
      {...rest}
      value={typed ?? value}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={put}
      onKeyDown={(event) => {
        if (isComposing(event)) return
        if (event.key === 'Enter') put()
        if (event.key === 'Escape') setTyped(undefined)
      }}
    />
  )
}
