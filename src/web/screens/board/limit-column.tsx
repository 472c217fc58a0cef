import { useRef, useState } from 'react'
import type { Section } from '../../entities/board/data.ts'
import { MAX_LIMIT, parseLimit } from '../../entities/board/limit.ts'
import { TextField } from '../../kit/field.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
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
    <FormDialog
      title={`Set limit for ${column.title}`}
      verb={limit === null ? 'Remove limit' : 'Set limit'}
      disabled={limit === undefined}
      onSubmit={() => {
        if (limit === undefined) return
        setLimit(project_id, column, limit)
        onClose()
      }}
      {...{ field, onClose }}
    >
      <TextField
        ref={field}
        label="Maximum number of tasks"
        hint="The column shows when it is over the limit. You can still add tasks. Leave empty for no limit."
        error={limit === undefined ? `Enter a number from 1 to ${MAX_LIMIT}` : ''}
        inputMode="numeric"
        placeholder="No limit"
        value={text}
        onChange={setText}
      />
    </FormDialog>
  )
}
