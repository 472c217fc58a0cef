import { defineShortcuts } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** The shortcuts of a page, handled in pages/page-view.tsx and task/codemirror.ts. */
export const IN_PAGE = defineShortcuts('page', {
  edit: { keys: ['e'], description: t('pages.edit_the_text'), icon: 'pencil' },
  save: { keys: ['$mod+Enter', '$mod+s'], description: t('common.save') },
  versions: { keys: ['v'], description: t('pages.show_the_versions'), icon: 'history' },
  leave: { keys: ['Escape'], description: t('pages.stop_editing_or_go_back') },
})
