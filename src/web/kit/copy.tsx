import { useRef, useState } from 'react'
import { t } from '../messages/t.ts'
import { Icon } from './icon.tsx'

const STATUS_MS = 2000

interface Props {
  label: string
  text: string
  onCopied?(): void
}

/** A text with a button that copies it. */
export function Copy({ label, text, onCopied }: Props) {
  const [status, setStatus] = useState('')
  const textElement = useRef<HTMLPreElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      onCopied?.()
      setStatus(t('kit.copied'))
    } catch {
      // Without HTTPS the browser forbids copying, so the text is selected instead.
      getSelection()?.selectAllChildren(textElement.current!)
      setStatus(t('kit.selected_copy_with_the_keyboard'))
    }
    setTimeout(() => setStatus(''), STATUS_MS)
  }
  return (
    <div className="copy" onCopy={onCopied}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys must be able to scroll long lines */}
      <section tabIndex={0} aria-label={label}>
        <pre ref={textElement}>{text}</pre>
      </section>
      <button type="button" className="button plain" onClick={copy}>
        <Icon name={status === 'Copied' ? 'done' : 'copy'} />
        {status || t('kit.copy')}
        <span className="unseen"> {label}</span>
      </button>
      <span className="unseen" role="status">
        {status}
      </span>
    </div>
  )
}
