import { callOperation } from '../../data/client.ts'
import { undoTyping } from '../../entities/editor/shared-text/open.ts'
import type { TypedText } from '../../entities/editor/shared-text/session.ts'
import { useSharedText } from '../../entities/editor/shared-text/use-shared-text.ts'
import { type Page, patchPage, reloadPage } from '../../entities/page/data.ts'
import { recordUndo } from '../../kit/toasts.tsx'
import { t } from '../../messages/t.ts'

/** The text of a page, to edit together with others. */
export function useSharedPage(page: Page, onMissing: () => void) {
  const { page_id, title } = page
  const address = { page_id }
  const onLeave = (text: string, typed: TypedText | undefined) => {
    if (!typed) return
    void showText(page, text)
    const what = t('page.text_of_title', { title })
    const undo = async () => {
      const isUndone = await undoTyping(address, typed, what)
      void reloadPage(page)
      return isUndone
    }
    recordUndo({ what, undo })
  }
  return useSharedText({ address, draftKey: `page:${page_id}`, onLeave, onMissing })
}

/** Shows the text before the server has saved it as a version. */
async function showText(page: Page, text: string) {
  const preview = text.trim()
    ? await callOperation('drafts.preview', { text }).catch(() => undefined)
    : { html: '' }
  if (preview) patchPage(page, { content: preview.html })
}
