import { useRef, useState } from 'react'
import { CodeField } from '../../../entities/editor/code-field.tsx'
import type { EditorHandle } from '../../../entities/editor/editor-types.ts'
import { Preview } from '../../../entities/editor/preview.tsx'
import { SubmitButton } from '../../../kit/form.tsx'
import { hintOf, SEND } from '../../../kit/shortcuts.ts'
import { showErrorToast } from '../../../kit/toasts.tsx'

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

const NO_FILES = 'Files can only be attached to tasks. Attach it to a task and link to it here.'

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
          {isPreview ? 'Write' : 'Preview'}
          <span className="unseen"> {label}</span>
        </button>
        <span className="loading" />
        {onCancel && (
          <>
            <button type="button" className="button quiet" onClick={onCancel}>
              Cancel
            </button>
            <SubmitButton>
              Save <kbd>{hintOf(SEND)}</kbd>
            </SubmitButton>
          </>
        )}
      </footer>
    </div>
  )
}
