import { useRef, useState } from 'react'
import type { Section } from '../../entities/board/data.ts'
import { MAX_LIMIT, parseLimit } from '../../entities/board/limit.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { setLimit } from './columns.ts'

interface Props {
  project_id: number
  column: Section
  onClose(): void
}

/** The dialog that sets the task limit of a column. */
export default function LimitColumn({ project_id, column, onClose }: Props) {
  const [text, setText] = useState(String(column.wip_limit ?? ''))
  const field = useRef<HTMLInputElement>(null)
  const limit = parseLimit(text)
  return (
    <Dialog open {...{ onClose, field }} title={`Set limit for ${column.title}`}>
      <form
        className="ask"
        onSubmit={(event) => {
          event.preventDefault()
          if (limit === undefined) return
          setLimit(project_id, column, limit)
          onClose()
        }}
      >
        <label>
          Maximum number of tasks
          <input
            ref={field}
            className="field"
            inputMode="numeric"
            placeholder="No limit"
            aria-invalid={limit === undefined}
            aria-describedby="about-limit"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        <p id="about-limit" className="soft">
          The column shows when it is over the limit. You can still add tasks. Leave empty for no
          limit.
        </p>
        <p role="alert">{limit === undefined && `Enter a number from 1 to ${MAX_LIMIT}`}</p>
        <button type="submit" className="button main" disabled={limit === undefined}>
          {limit === null ? 'Remove limit' : 'Set limit'}
        </button>
      </form>
    </Dialog>
  )
}
