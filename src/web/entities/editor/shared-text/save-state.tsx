import { t } from '../../../messages/t.ts'
import type { SharedText } from './session.ts'

const TEXTS = {
  saved: t('editor.saved'),
  saving: t('editor.saving'),
  offline: t('editor.offline_will_be_saved'),
  refused: t('editor.not_saved'),
}

/** Whether the server has what was typed. */
export function SaveState({ session }: { session: SharedText }) {
  const state = session.saveState.use()
  return (
    <span className={`save-state ${state}`} role="status">
      {TEXTS[state]}
    </span>
  )
}
