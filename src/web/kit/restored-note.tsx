import { t } from '../messages/t.ts'

interface Props {
  isRestored: boolean
  /** The stored text has changed since. */
  isOutdated?: boolean
  reset(): void
}

/** Tells that a form shows a restored draft, and offers to discard it. */
export const RestoredNote = ({ isRestored, isOutdated = false, reset }: Props) => (
  <>
    {isOutdated
      ? t('kit.somebody_else_changed_this_saving')
      : isRestored && t('kit.your_unsaved_text_was_restored')}
    {isRestored && (
      <button type="button" className="button quiet" onClick={reset}>
        {t('common.discard')}
      </button>
    )}
  </>
)
