import { int, primaryKey, table, text } from '../../store/columns.ts'

/**
 * Words that tasks hold, by their length: where a mistyped word is looked for. A word stays when its
 * last task is gone, so each is looked up in the index, as the caller, before it is told.
 */
export const searchWords = table(
  'search_words',
  {
    size: int('size').notNull(),
    word: text('word').notNull(),
  },
  (t) => [primaryKey({ columns: [t.size, t.word] })],
)
