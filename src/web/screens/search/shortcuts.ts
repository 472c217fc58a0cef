import type { Table } from '../../kit/shortcuts.ts'
import { t } from '../../messages/t.ts'

/** The shortcuts of the search, handled in search/result-keys.ts. */
export const IN_SEARCH = {
  next: { keys: ['j', 'ArrowDown'], does: t('search.next_result'), held: true },
  back: {
    keys: ['k', 'ArrowUp'],
    does: t('search.previous_result_or_the_search_field'),
    held: true,
  },
  open: { keys: ['Enter', 'o'], does: t('search.open_it') },
  type: { keys: ['/'], does: t('search.go_to_the_search_field') },
} as const satisfies Table
