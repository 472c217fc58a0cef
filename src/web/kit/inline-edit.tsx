import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { isComposing } from './composing.ts'
import { errorText } from './errors.ts'
import { showError } from './toasts.tsx'

/** Resolves to false if the server refused the text and a message was shown. */
type Save = (text: string) => Promise<unknown>

/**
 * A text that is edited in place: Enter and leaving the field save it, Escape cancels. A refused text
 * stays in the field.
 */
export function useInlineEdit(value: string, onSave: Save, allowsEmpty = true) {
  const ref = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState<string>()
  const [error, setError] = useState('')
  const lastSent = useRef<string>(undefined)
  const type = (text: string | undefined) => {
    setDraft(text)
    setError('')
    lastSent.current = undefined
  }
  const save = async () => {
    const text = draft?.trim()
    if (text === undefined || text === lastSent.current) return
    if (text === value || (!text && !allowsEmpty)) return type(undefined)
    lastSent.current = text
    try {
      const isSaved = await onSave(text)
      if (isSaved !== false)
        setDraft((previous) => (previous?.trim() === text ? undefined : previous))
    } catch (failure) {
      if (ref.current) setError(errorText(failure))
      else showError(failure)
    }
  }
  useSaveOnLeave(save)
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (event.key === 'Enter') void save()
    if (event.key === 'Escape') type(undefined)
  }
  return {
    type,
    error,
    field: { ref, value: draft ?? value, onBlur: () => void save(), onKeyDown },
  }
}

/** Saves when the component unmounts or the page closes, because neither fires a blur event. */
function useSaveOnLeave(save: () => Promise<void>) {
  const latest = useRef(save)
  latest.current = save
  useEffect(() => {
    const leave = () => void latest.current()
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
}

interface Props {
  label: string
  value: string
  onSave: Save
  maxLength?: number
  placeholder?: string
  /** Whether the field may be empty. */
  allowsEmpty?: boolean
  numeric?: boolean
  disabled?: boolean
}

/** A field in a row that shows a text and edits it in place. */
export function InlineField({
  label,
  value,
  onSave,
  allowsEmpty = false,
  numeric,
  ...rest
}: Props) {
  const { type, field } = useInlineEdit(value, onSave, allowsEmpty)
  return (
    <input
      className="field inline"
      dir="auto"
      aria-label={label}
      inputMode={numeric ? 'numeric' : undefined}
      {...rest}
      {...field}
      onChange={({ target }) => type(target.value)}
    />
  )
}
