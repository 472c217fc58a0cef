import { useState } from 'react'

/** A button that takes a text along, and says whether it could. */
export function Copied({ text, name }: { text: string; name: string }) {
  const [said, setSaid] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('Not copied: select the text')
    }
  }
  return (
    <button type="button" className="button plain" onClick={() => void copy()}>
      <span aria-live="polite">{said || name}</span>
    </button>
  )
}
