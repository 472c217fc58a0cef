import { t } from '../messages/t.ts'
import { showErrorToast, showToast } from './toasts.tsx'

/** Copies a text and says what was copied, or that the browser forbids it. */
export function copyText(text: string, what: string) {
  const onFailed = () => showErrorToast(t('kit.could_not_copy'))
  // Without HTTPS there is no clipboard.
  if (!navigator.clipboard) return onFailed()
  navigator.clipboard
    .writeText(text)
    .then(() => void showToast(t('kit.copied_what', { what })), onFailed)
}
