import { useState } from 'react'

/** A button that copies a text and reports whether it worked. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const [status, setStatus] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setStatus('Copied')
    } catch {
      setStatus('Could not copy: select the text')
    }
  }
  return (
    <button type="button" className="button plain" onClick={() => void copy()}>
      <span aria-live="polite">{status || name}</span>
    </button>
  )
}
