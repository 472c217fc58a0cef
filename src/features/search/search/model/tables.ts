import { int, primaryKey, table, text } from '../../../../store/columns.ts'

/**
 * Words of tasks by length, for spelling suggestions. A word stays when its last task is gone, so a
 * suggestion is first searched for with the permissions of the caller.
 */
export const searchWords = table(
  'search_words',
  { exported: 'built again from the tasks' },
  {
    size: int('size').notNull(),
    word: text('word').notNull(),
  },
  (t) => [primaryKey({ columns: [t.size, t.word] })],
)
