import { useRef, useState } from 'react'
import type { Section } from '../../../entities/board/data.ts'
import { MAX_LIMIT, parseLimit } from '../../../entities/board/limit.ts'
import { TextField } from '../../../kit/field.tsx'
import { FormDialog } from '../../../kit/form-dialog.tsx'
import { t } from '../../../messages/t.ts'
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
      title={t('board.set_limit_for_title', { title: column.title })}
      submitLabel={limit === null ? t('board.remove_limit') : t('board.set_limit_name')}
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
        label={t('board.maximum_number_of_tasks')}
        hint={t('board.the_column_shows_when_it_is_over')}
        error={
          limit === undefined ? t('board.enter_a_number_from_1_to_max', { max: MAX_LIMIT }) : ''
        }
        inputMode="numeric"
        placeholder={t('board.no_limit')}
        value={text}
        onChange={setText}
      />
    </FormDialog>
  )
}
