import { useRef, useState } from 'react'
import { Icon } from '../parts/icon.tsx'

const SAID_MS = 2000

interface Props {
  label: string
  text: string
  onCopied?(): void
}

/** Text to take along, and a button that takes it. */
export function Copy({ label, text, onCopied }: Props) {
  const [said, setSaid] = useState('')
  const place = useRef<HTMLPreElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      onCopied?.()
      setSaid('Copied')
    } catch {
      // A page that did not come by HTTPS may not copy, but may choose what is to be copied.
      getSelection()?.selectAllChildren(place.current!)
      setSaid('Chosen: copy it by key')
    }
    setTimeout(() => setSaid(''), SAID_MS)
  }
  return (
    <div className="copy" onCopy={onCopied}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keys, too */}
      <section tabIndex={0} aria-label={label}>
        <pre ref={place}>{text}</pre>
      </section>
      <button type="button" className="button plain" onClick={copy}>
        <Icon name={said === 'Copied' ? 'done' : 'copy'} />
        {said || 'Copy'}
        <span className="unseen"> {label}</span>
      </button>
      <span className="unseen" role="status">
        {said}
      </span>
    </div>
  )
}
