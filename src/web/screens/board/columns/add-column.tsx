import { useState } from 'react'
import { isComposing } from '../../../kit/composing.ts'
import { Form, FormError } from '../../../kit/form.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { useRestoreFocus } from '../../../kit/restore-focus.ts'
import { t } from '../../../messages/t.ts'
import { addColumn, type ColumnPosition } from './columns.ts'

interface Props {
  project_id: number
  placement: ColumnPosition
  onClose(): void
}

/** A field for the name of a new column; Enter creates it. */
export function AddColumn({ project_id, placement, onClose }: Props) {
  const [title, setTitle] = useState('')
  const restoreFocus = useRestoreFocus('.more-columns')
  const close = () => {
    onClose()
    restoreFocus()
  }
  return (
    <section className="column" aria-label={t('board.new_column')}>
      <Form
        className="form quick-add"
        onSubmit={async () => {
          if (!title.trim()) return
          await focusColumn(await addColumn(project_id, title.trim(), placement))
          onClose()
        }}
      >
        <input
          className="field"
          aria-label={t('board.new_column_name')}
          placeholder={t('board.column_name')}
          maxLength={500}
          // biome-ignore lint/a11y/noAutofocus: the user opened this field to type
          autoFocus
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && !isComposing(event) && close()}
          onBlur={() => !title.trim() && onClose()}
        />
        <FormError />
      </Form>
    </section>
  )
}

const MAX_WAIT_MS = 2000

/** Focuses the button for a new task once the column is drawn. Until then the field has the focus. */
async function focusColumn(section_id: number) {
  const deadline = performance.now() + MAX_WAIT_MS
  while (performance.now() < deadline) {
    // The focus stays where it is if the user has moved it meanwhile.
    if (!document.activeElement?.closest(`[aria-label="${t('board.new_column')}"]`)) return
    const cards = document.querySelector(`.cards[data-column="${section_id}"]`)
    const add = cards
      ?.closest('.column')
      ?.querySelector<HTMLElement>('.actions > button:last-child')
    if (add) return add.focus()
    await new Promise(requestAnimationFrame)
  }
}

export const MoreColumns = ({ onAdd }: { onAdd(): void }) => (
  <button type="button" className="button quiet more-columns" onClick={onAdd}>
    <Icon name="plus" />
    {t('board.add_column')}
  </button>
)
