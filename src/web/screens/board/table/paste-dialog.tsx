import { FormDialog } from '../../../kit/form-dialog.tsx'
import { t } from '../../../messages/t.ts'
import type { Paste } from './paste.ts'

interface Props {
  paste: Paste
  onPaste(): void
  onClose(): void
}

const MAX_SHOWN = 100

/**
 * Lists the cells of a paste that have no value that fits. Nothing is written until the user
 * confirms the other cells.
 */
export default function PasteDialog({ paste, onPaste, onClose }: Props) {
  const { edits, problems } = paste
  const others = problems.length - MAX_SHOWN
  return (
    <FormDialog
      title={t('table.some_cells_cannot_be_pasted')}
      submitLabel={t('table.paste_the_other_count', { count: edits.length })}
      disabled={!edits.length}
      onSubmit={onPaste}
      onClose={onClose}
    >
      <p>{t('table.nothing_was_changed_yet')}</p>
      <ul className="paste-problems">
        {problems.slice(0, MAX_SHOWN).map(({ ticket_number, label, problem }) => (
          <li key={`${ticket_number} ${label}`}>
            {ticket_number && (
              <span className="soft">
                {ticket_number}, {label}:
              </span>
            )}{' '}
            {problem}
          </li>
        ))}
      </ul>
      {others > 0 && <p className="soft">{t('table.and_count_others', { count: others })}</p>}
    </FormDialog>
  )
}
