import { agoText } from '../kit/dates.ts'
import { Dialog } from '../kit/dialog.tsx'
import { hintOf, UNDO } from '../kit/shortcuts.ts'
import { undoEntry } from '../kit/toasts.tsx'
import { useUndoStack } from '../kit/undo.ts'
import { t } from '../messages/t.ts'
import './undo-history.css'

/** The edits of this tab, the last one first, each with a button that undoes it. */
export default function UndoHistory({ onClose }: { onClose(): void }) {
  const entries = useUndoStack().toReversed()
  return (
    <Dialog open onClose={onClose} title={t('shell.undo_history')}>
      <div className="undo-history">
        <p className="soft">
          {entries.length ? t('shell.the_last_changes_in_this_tab') : t('shell.nothing_to_undo')}
        </p>
        <ol>
          {entries.map((entry, index) => {
            const { id, what, at } = entry
            const { short, full } = agoText(new Date(at).toISOString())
            return (
              <li key={id}>
                <span className="truncate" dir="auto" title={what}>
                  {what}
                </span>
                <time className="soft" title={full}>
                  {short}
                </time>
                <button
                  type="button"
                  className="button plain"
                  onClick={() => void undoEntry(entry)}
                >
                  {t('kit.undo')} <span className="unseen">{t('shell.quoted', { what })}</span>{' '}
                  {index === 0 && <kbd>{hintOf(UNDO)}</kbd>}
                </button>
              </li>
            )
          })}
        </ol>
      </div>
    </Dialog>
  )
}
