import { useRef, useState } from 'react'
import { CodeField } from '../../../entities/editor/code-field.tsx'
import type { EditorHandle } from '../../../entities/editor/editor-types.ts'
import { Preview } from '../../../entities/editor/preview.tsx'
import { SubmitButton } from '../../../kit/form.tsx'
import { hintOf, SEND } from '../../../kit/shortcuts.ts'
import { showErrorToast } from '../../../kit/toasts.tsx'
import { rich, t } from '../../../messages/t.ts'

interface Props {
  label: string
  hint: string
  text: string
  /** Increments when `text` was set from outside rather than typed. */
  resetKey: number
  autoFocus?: boolean
  onChange(text: string): void
  /** Adds a Cancel and a Save button. */
  onCancel?: () => void
  /** Leaves the field; the typed text is kept. */
  onEscape?: () => void
}

const NO_FILES = t('settings.files_can_only_be_attached_to_tasks')

/** A Markdown editor in a form, without file uploads. Ctrl+Enter submits the form. */
export function MarkdownField({
  label,
  hint,
  text,
  resetKey,
  autoFocus = false,
  ...handlers
}: Props) {
  const { onChange, onCancel, onEscape } = handlers
  const root = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorHandle>(undefined)
  const [isPreview, setPreview] = useState(false)
  const submit = () =>
    root.current?.closest('form')?.querySelector<HTMLButtonElement>('[type="submit"]')?.click()
  return (
    <div className="editor" ref={root}>
      <div hidden={isPreview}>
        <CodeField
          {...{ label, hint, text, resetKey, autoFocus, editor, onChange }}
          people={[]}
          onSend={submit}
          onEscape={() => onEscape?.()}
          onFiles={() => showErrorToast(NO_FILES)}
        />
      </div>
      {isPreview && <Preview text={text} />}
      <footer>
        <button
          type="button"
          className="button quiet"
          aria-pressed={isPreview}
          disabled={!text.trim()}
          onClick={() => setPreview(!isPreview)}
        >
          {isPreview ? t('settings.write') : t('common.preview')}
          <span className="unseen"> {label}</span>
        </button>
        <span className="loading" />
        {onCancel && (
          <>
            <button type="button" className="button quiet" onClick={onCancel}>
              {t('common.cancel')}
            </button>
            <SubmitButton>
              {rich('settings.save_hint', { hint: <kbd>{hintOf(SEND)}</kbd> })}
            </SubmitButton>
          </>
        )}
      </footer>
    </div>
  )
}
