import { useRef } from 'react'
import { isComposing } from '../parts/composing.ts'
import { useWayBack } from './way-back.ts'

interface RenameProps {
  title: string
  name: string
  /** Nothing: it stays as it was. */
  onPut(title: string | undefined): void
}

/** Enter or leaving keeps what is typed, Escape what was there. */
export function Rename({ title, name, onPut }: RenameProps) {
  const over = useRef(false)
  const goBack = useWayBack()
  const put = (next: string | undefined) => {
    if (over.current) return
    over.current = true
    onPut(next?.trim() && next.trim() !== title ? next.trim() : undefined)
    goBack()
  }
  return (
    <input
      className="field rename"
      aria-label={name}
      defaultValue={title}
      maxLength={500}
      // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked to type here
      autoFocus
      onFocus={({ target }) => target.select()}
      onBlur={({ target }) => put(target.value)}
      onKeyDown={(event) => {
        if (isComposing(event)) return
        if (event.key === 'Enter') put(event.currentTarget.value)
        if (event.key === 'Escape') put(undefined)
      }}
    />
  )
}
