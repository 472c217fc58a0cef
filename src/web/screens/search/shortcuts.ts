import { defineShortcuts } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** The shortcuts of the search, handled in search/result-keys.ts. */
export const IN_SEARCH = defineShortcuts('search', {
  next: { keys: ['j', 'ArrowDown'], description: t('search.next_result'), repeats: true },
  back: {
    keys: ['k', 'ArrowUp'],
    description: t('search.previous_result_or_the_search_field'),
    repeats: true,
  },
  open: { keys: ['Enter', 'o'], description: t('search.open_it') },
  type: { keys: ['/'], description: t('search.go_to_the_search_field') },
})
