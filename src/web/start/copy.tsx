import { useState } from 'react'
import { Icon } from '../parts/icon.tsx'

const SAID_MS = 2000

/** Text to take along, and a button that takes it. */
export function Copy({ label, text }: { label: string; text: string }) {
  const [said, setSaid] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      setSaid('Select the text and copy it: this browser does not let a page do it')
    }
    setTimeout(() => setSaid(''), SAID_MS)
  }
  return (
    <div className="copy">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keys, too */}
      <section tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <button type="button" className="button plain" onClick={copy}>
        <Icon name={said === 'Copied' ? 'check' : 'copy'} />
        {said || 'Copy'}
      </button>
      <span className="unseen" role="status">
        {said}
      </span>
    </div>
  )
}
