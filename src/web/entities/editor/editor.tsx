import { type ReactNode, type Ref, useRef, useState } from 'react'
import { hintOf, SEND } from '../../kit/shortcuts.ts'
import { showToast } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'
import { CodeField } from './code-field.tsx'
import type { EditorHandle, EditorOptions } from './editor-types.ts'
import { PhotoButton } from './photo-button.tsx'
import { Preview } from './preview.tsx'
import { SourceButton } from './source-button.tsx'
import { useUploads } from './uploads.ts'

interface Props extends Omit<EditorOptions, 'onFiles' | 'onAttach'> {
  text: string
  task_id: number
  autoFocus?: boolean
  /** Increments when `text` was set from outside rather than typed. */
  resetKey?: number
  /** The label of the submit button. A text that saves itself has none. */
  submitLabel?: string | undefined
  /** Whether submitting is the primary action on the screen. */
  isPrimary?: boolean
  /** Submitting is disabled: the text is empty or being sent. */
  disabled?: boolean
  /** Shown in place of the submit button. */
  status?: ReactNode
  /** Why submitting is disabled, if that is not obvious. */
  reason?: string | false
  onCancel?: (() => void) | undefined
  /** Further fields below the text. */
  children?: ReactNode
}

/** A Markdown editor with a preview and file uploads. */
export function Editor({ text, task_id, autoFocus = false, resetKey = 0, ...rest }: Props) {
  const { submitLabel, isPrimary = false, disabled = false, reason, ...others } = rest
  const { status, onCancel, onSend, children, ...options } = others
  const [isPreview, setPreview] = useState(false)
  const editor = useRef<EditorHandle>(undefined)
  const files = useRef<HTMLInputElement>(null)
  const { progress, onFiles } = useUploads(task_id, editor)
  const submit = () => {
    if (progress !== undefined) return showToast(t('editor.wait_until_the_upload_has_finished'))
    setPreview(false)
    if (!disabled) onSend()
  }
  return (
    <div className="editor">
      <div hidden={isPreview}>
        <CodeField
          {...{ ...options, text, editor, resetKey, autoFocus, onFiles }}
          onSend={submit}
          onAttach={() => files.current?.click()}
        />
      </div>
      {isPreview && <Preview text={text} />}
      {children}
      <footer>
        <PreviewButton {...{ isPreview, setPreview }} disabled={!text.trim()} />
        {!isPreview && <SourceButton />}
        <Attach ref={files} onFiles={onFiles} />
        <PhotoButton onFiles={onFiles} />
        <span className="loading soft" role="status">
          {progress === undefined
            ? reason
            : t('editor.uploading_round', { round: Math.round(progress * 100) })}
        </span>
        {onCancel && (
          <button type="button" className="button quiet" onClick={onCancel}>
            {t('common.cancel')}
          </button>
        )}
        {status}
        {submitLabel && (
          <SubmitButton {...{ isPrimary, disabled }} label={submitLabel} onClick={submit} />
        )}
      </footer>
    </div>
  )
}

interface PreviewProps {
  isPreview: boolean
  setPreview(isPreview: boolean): void
  disabled: boolean
}

const PreviewButton = ({ isPreview, setPreview, disabled }: PreviewProps) => (
  <button
    type="button"
    className="button quiet"
    aria-pressed={isPreview}
    disabled={disabled}
    onClick={() => setPreview(!isPreview)}
  >
    {isPreview ? t('editor.write') : t('common.preview')}
  </button>
)

interface SubmitProps {
  label: string
  isPrimary: boolean
  disabled: boolean
  onClick(): void
}

const SubmitButton = ({ label, isPrimary, disabled, onClick }: SubmitProps) => (
  <button
    type="button"
    className={`button ${isPrimary ? 'main' : 'plain'}`}
    disabled={disabled}
    onClick={onClick}
  >
    {label} <kbd>{hintOf(SEND)}</kbd>
  </button>
)

interface AttachProps {
  ref: Ref<HTMLInputElement>
  onFiles(files: readonly File[]): void
}

const Attach = ({ ref, onFiles }: AttachProps) => (
  <label className="button quiet attach">
    <span>{t('editor.attach_a_file')}</span>
    <input
      ref={ref}
      type="file"
      className="unseen"
      multiple
      onChange={({ target }) => {
        onFiles([...(target.files ?? [])])
        target.value = ''
      }}
    />
  </label>
)
