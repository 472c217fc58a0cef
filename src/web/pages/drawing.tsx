import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { hintOf } from '../frame/keys.ts'
import { isComposing } from '../parts/composing.ts'
import { Drawn } from './canvas.tsx'
import { IN_PAGE } from './table.ts'

interface Props {
  text: string
  title: string
  verb: string
  /** Not to be sent: it is empty, or on its way. */
  disabled: boolean
  /** Why it is not, where that is not plain to see. */
  why?: string | false
  onChange(text: string): void
  onSend(): void
  onEscape(): void
  onCancel?: (() => void) | undefined
  children?: ReactNode
}

/** A canvas while it is written: its document, and how that looks by now. */
export function Drawing({ text, title, verb, disabled, why, onCancel, children, ...does }: Props) {
  const [looks, setLooks] = useState(true)
  const send = () => {
    if (!disabled) does.onSend()
  }
  const pressed = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (isComposing(event)) return
    if (event.key === 'Escape') return does.onEscape()
    if (!(event.ctrlKey || event.metaKey) || !/^(s|Enter)$/.test(event.key)) return
    event.preventDefault()
    send()
  }
  return (
    <div className="drawing">
      <div className="editor">
        <textarea
          className="source"
          aria-label="HTML"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked to write here
          autoFocus
          value={text}
          onChange={({ target }) => does.onChange(target.value)}
          onKeyDown={pressed}
        />
        {children}
        <Foot {...{ verb, disabled, why, onCancel, looks, setLooks, send }} />
      </div>
      {looks && <Drawn html={text} title={`Preview of ${title}`} />}
    </div>
  )
}

interface FootProps extends Pick<Props, 'verb' | 'disabled' | 'why' | 'onCancel'> {
  looks: boolean
  setLooks(looks: boolean): void
  send(): void
}

const Foot = ({ verb, disabled, why, onCancel, looks, setLooks, send }: FootProps) => (
  <footer>
    <button
      type="button"
      className="button quiet"
      aria-pressed={looks}
      onClick={() => setLooks(!looks)}
    >
      Preview
    </button>
    <span className="loading" role="status">
      {why}
    </span>
    {onCancel && (
      <button type="button" className="button quiet" onClick={onCancel}>
        Cancel
      </button>
    )}
    <button type="button" className="button main" disabled={disabled} onClick={send}>
      {verb} <kbd>{hintOf(IN_PAGE.save)}</kbd>
    </button>
  </footer>
)
