import { useRef } from 'react'
import { isComposing } from './composing.ts'
import { useRestoreFocus } from './restore-focus.ts'

interface Props {
  title: string
  /** The text to begin with, if it is not the title. */
  draft?: string
  className?: string
  /** The label of the field. */
  name: string
  maxLength?: number
  /** Undefined keeps the title. */
  onFinish(title: string | undefined): void
}

/** A field to rename something. Enter and blur save, Escape cancels. */
export function RenameField(props: Props) {
  const { title, draft = title, name, className = 'rename', maxLength = 500, onFinish } = props
  const isDone = useRef(false)
  const restoreFocus = useRestoreFocus()
  const finish = (next: string | undefined) => {
    if (isDone.current) return
    isDone.current = true
    onFinish(next?.trim() && next.trim() !== title ? next.trim() : undefined)
    restoreFocus()
  }
  return (
    <input
      className={`field ${className}`}
      aria-label={name}
      dir="auto"
      defaultValue={draft}
      maxLength={maxLength}
      // biome-ignore lint/a11y/noAutofocus: the user opened this field to type
      autoFocus
      onFocus={({ target }) => target.select()}
      onBlur={({ target }) => finish(target.value)}
      onKeyDown={(event) => {
        if (isComposing(event)) return
        if (event.key === 'Enter') finish(event.currentTarget.value)
        if (event.key !== 'Escape') return
        // The panel around the field stays open.
        event.preventDefault()
        finish(undefined)
      }}
    />
  )
}
