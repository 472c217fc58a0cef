import { type ReactNode, useRef, useState } from 'react'
import { hintOf, IN_TASK } from '../frame/keys.ts'
import { say } from '../frame/toasts.tsx'
import { CodeField } from './code-field.tsx'
import type { Code, Wishes } from './coding.ts'
import { Preview } from './preview.tsx'
import { useUploads } from './uploads.ts'

interface Props extends Omit<Wishes, 'onFiles'> {
  text: string
  task_id: number
  autoFocus?: boolean
  /** Counts up where `text` is another one than was typed. */
  edition?: number
  /** What sending it is called. */
  verb: string
  /** The main thing to do on the screen while one writes. */
  main?: boolean
  /** Not to be sent: it is empty, or on its way. */
  disabled: boolean
  /** Why it is not, where that is not plain to see. */
  why?: string | false
  onCancel?: (() => void) | undefined
  /** What is filled in beside the text. */
  children?: ReactNode
}

/** Where people write: markdown, as it is kept, and how it will look. */
export function Editor({ text, task_id, autoFocus = false, edition = 0, ...rest }: Props) {
  const { verb, main, disabled, why, onCancel, onSend, children, ...wishes } = rest
  const [looks, setLooks] = useState(false)
  const code = useRef<Code>(undefined)
  const { loading, onFiles } = useUploads(task_id, code)
  const send = () => {
    if (loading !== undefined) return say('A file is still on its way')
    setLooks(false)
    if (!disabled) onSend()
  }
  return (
    <div className="editor">
      <div hidden={looks}>
        <CodeField {...{ ...wishes, text, code, edition, autoFocus, onFiles }} onSend={send} />
      </div>
      {looks && <Preview text={text} />}
      {children}
      <footer>
        <button
          type="button"
          className="button quiet"
          aria-pressed={looks}
          disabled={!text.trim()}
          onClick={() => setLooks(!looks)}
        >
          {looks ? 'Write' : 'Preview'}
        </button>
        <Attach onFiles={onFiles} />
        <span className="loading" role="status">
          {loading === undefined ? why : `Uploading, ${Math.round(loading * 100)} %`}
        </span>
        {onCancel && (
          <button type="button" className="button quiet" onClick={onCancel}>
            Cancel
          </button>
        )}
        <button
          type="button"
          className={`button ${main ? 'main' : 'plain'}`}
          disabled={disabled}
          onClick={send}
        >
          {verb} <kbd>{hintOf(IN_TASK.send)}</kbd>
        </button>
      </footer>
    </div>
  )
}

const Attach = ({ onFiles }: { onFiles(files: readonly File[]): void }) => (
  <label className="button quiet attach">
    <span>Attach a file</span>
    <input
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
