import { useRef, useState } from 'react'
import { hintOf, IN_TASK } from '../../frame/keys.ts'
import { complain } from '../../frame/toasts.tsx'
import { CodeField } from '../../task/code-field.tsx'
import type { Code } from '../../task/coding.ts'
import { Preview } from '../../task/preview.tsx'

interface Props {
  label: string
  hint: string
  text: string
  /** Counts up where `text` is another one than was typed. */
  edition: number
  autoFocus?: boolean
  onChange(text: string): void
  onSend(): void
  /** With it, the field has a button of its own that saves. */
  onCancel?: () => void
  /** Leaves the field, with what was typed kept. */
  onEscape?: () => void
}

const NO_FILES = 'Files belong to tasks: put it on one, and link it here'

/** Where the texts of a board are written: as that of a task, without files. */
export function Words({ label, hint, text, edition, autoFocus = false, ...does }: Props) {
  const { onChange, onSend, onCancel, onEscape } = does
  const code = useRef<Code>(undefined)
  const [looks, setLooks] = useState(false)
  return (
    <div className="editor">
      <div hidden={looks}>
        <CodeField
          {...{ label, hint, text, edition, autoFocus, code, onChange, onSend }}
          people={[]}
          onEscape={() => onEscape?.()}
          onFiles={() => complain(NO_FILES)}
        />
      </div>
      {looks && <Preview text={text} />}
      <footer>
        <button
          type="button"
          className="button quiet"
          aria-pressed={looks}
          disabled={!text.trim()}
          onClick={() => setLooks(!looks)}
        >
          {looks ? 'Write' : 'Preview'}
          <span className="unseen"> {label}</span>
        </button>
        <span className="loading" />
        {onCancel && (
          <>
            <button type="button" className="button quiet" onClick={onCancel}>
              Cancel
            </button>
            <button type="button" className="button main" onClick={onSend}>
              Save <kbd>{hintOf(IN_TASK.send)}</kbd>
            </button>
          </>
        )}
      </footer>
    </div>
  )
}
