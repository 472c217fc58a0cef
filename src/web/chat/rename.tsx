import { useRef } from 'react'
import { isComposing } from '../parts/composing.ts'

interface Props {
  title: string
  /** Undefined if the name stays the same. */
  onPut(title: string | undefined): void
}

/** Edits the name: Enter and blur save it, Escape cancels. */
export function RenameField({ title, onPut }: Props) {
  const isDone = useRef(false)
  const finish = (next: string) => {
    if (isDone.current) return
    isDone.current = true
    onPut(next.trim() && next.trim() !== title ? next.trim() : undefined)
  }
  return (
    <input
      className="field rename"
      aria-label="Chat name"
      defaultValue={title}
      maxLength={200}
      // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked to type here
      autoFocus
      onFocus={({ target }) => target.select()}
      onBlur={({ target }) => finish(target.value)}
      onKeyDown={(event) => {
        if (isComposing(event)) return
        if (event.key === 'Escape') event.preventDefault()
        if (event.key === 'Escape') finish('')
        if (event.key === 'Enter') finish(event.currentTarget.value)
      }}
    />
  )
}
