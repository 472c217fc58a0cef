import { useState } from 'react'
import { t } from '../messages/t.ts'

/** A button that copies a text and reports whether it worked. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const [status, setStatus] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setStatus(t('kit.copied'))
    } catch {
      setStatus(t('kit.could_not_copy_select_the_text'))
    }
  }
  return (
    <button type="button" className="button plain" onClick={() => void copy()}>
      <span aria-live="polite">{status || name}</span>
    </button>
  )
}
