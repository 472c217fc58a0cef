import { useRef } from 'react'
import { isComposing } from '../parts/composing.ts'

interface Props {
  title: string
  /** Nothing: it stays as it was. */
  onPut(title: string | undefined): void
}

/** Enter or leaving keeps what is typed, Escape what was there. */
export function Rename({ title, onPut }: Props) {
  const over = useRef(false)
  const put = (next: string) => {
    if (over.current) return
    over.current = true
    onPut(next.trim() && next.trim() !== title ? next.trim() : undefined)
  }
  return (
    <input
      className="field rename"
      aria-label="Name of the chat"
      defaultValue={title}
      maxLength={200}
      // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked to type here
      autoFocus
      onFocus={({ target }) => target.select()}
      onBlur={({ target }) => put(target.value)}
      onKeyDown={(event) => {
        if (isComposing(event)) return
        if (event.key === 'Escape') event.preventDefault()
        if (event.key === 'Escape') put('')
        if (event.key === 'Enter') put(event.currentTarget.value)
      }}
    />
  )
}
