import { agoText } from '../../kit/dates.ts'
import { t } from '../../messages/t.ts'

interface Props {
  at: number
  onEdit(): void
  onDrop(): void
}

/** Offers an unsaved draft to continue or discard. */
export const Unsaved = ({ at, onEdit, onDrop }: Props) => (
  <p className="notice">
    <span>
      {t('editor.unsaved_draft_last_edited_short', {
        short: agoText(new Date(at).toISOString()).short,
      })}
    </span>
    <button type="button" className="button quiet" onClick={onEdit}>
      {t('editor.continue_writing')}
    </button>
    <button type="button" className="button quiet" onClick={onDrop}>
      {t('common.discard')}
    </button>
  </p>
)
