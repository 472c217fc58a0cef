import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { isComposing } from '../../kit/composing.ts'
import { hintOf } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'
import { CanvasPreview } from './canvas.tsx'
import { IN_PAGE } from './shortcuts.ts'

interface Props {
  text: string
  title: string
  submitLabel: string
  /** Saving is disabled: the text is empty or being sent. */
  disabled: boolean
  /** Why saving is disabled, if that is not obvious. */
  reason?: string | false
  onChange(text: string): void
  onSend(): void
  onEscape(): void
  onCancel?: (() => void) | undefined
  children?: ReactNode
}

/** The editor of a canvas with a live preview. */
export function CanvasEditor({
  text,
  title,
  submitLabel,
  disabled,
  reason,
  onCancel,
  children,
  ...handlers
}: Props) {
  const [isPreview, setPreview] = useState(true)
  const send = () => {
    if (!disabled) handlers.onSend()
  }
  const handleKey = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (isComposing(event)) return
    if (event.key === 'Escape') return handlers.onEscape()
    if (!(event.ctrlKey || event.metaKey) || !/^(s|Enter)$/.test(event.key)) return
    event.preventDefault()
    send()
  }
  return (
    <div className="drawing">
      <div className="editor">
        <textarea
          className="source"
          aria-label={t('pages.html')}
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked to write here
          autoFocus
          value={text}
          onChange={({ target }) => handlers.onChange(target.value)}
          onKeyDown={handleKey}
        />
        {children}
        <Footer {...{ submitLabel, disabled, reason, onCancel, isPreview, setPreview, send }} />
      </div>
      {isPreview && <CanvasPreview html={text} title={t('pages.preview_of_title', { title })} />}
    </div>
  )
}

interface FooterProps extends Pick<Props, 'submitLabel' | 'disabled' | 'reason' | 'onCancel'> {
  isPreview: boolean
  setPreview(showsPreview: boolean): void
  send(): void
}

const Footer = ({
  submitLabel,
  disabled,
  reason,
  onCancel,
  isPreview,
  setPreview,
  send,
}: FooterProps) => (
  <footer>
    <button
      type="button"
      className="button quiet"
      aria-pressed={isPreview}
      onClick={() => setPreview(!isPreview)}
    >
      {t('common.preview')}
    </button>
    <span className="loading soft" role="status">
      {reason}
    </span>
    {onCancel && (
      <button type="button" className="button quiet" onClick={onCancel}>
        {t('common.cancel')}
      </button>
    )}
    <button type="button" className="button main" disabled={disabled} onClick={send}>
      {submitLabel} <kbd>{hintOf(IN_PAGE.save)}</kbd>
    </button>
  </footer>
)
