import { sql } from 'drizzle-orm'
import { index, int, json, primaryKey, table, text, time } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import type { TextKind } from './schema.ts'

/**
 * The changes of texts that people edit together, in the order in which the server accepted them.
 * Saved changes are deleted after a while. The last change of each text stays, because the next one
 * continues its numbering.
 */
export const textChanges = table(
  'text_changes',
  {
    exported: 'a team export carries the saved text',
    unstaged: 'nobody edits the texts of a team before it is published',
  },
  {
    team_id: int('team_id').notNull(),
    kind: text('kind').$type<TextKind>().notNull(),
    /** The id of the task or of the page. */
    text_id: int('text_id').notNull(),
    /** Counts the changes of a text from 1. */
    number: int('number').notNull(),
    author_id: int('author_id')
      .notNull()
      .references(() => actors.actor_id),
    /** The editor that sent it. Empty for a write of the whole text. */
    client_id: text('client_id').notNull(),
    /** The change as clients apply it: to the text that the change before it left. */
    changes: json<unknown>('changes').notNull(),
    /** The same change as it applies to the saved text. Null once it is saved. */
    unsaved: json<unknown>('unsaved'),
    created_at: time('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.team_id, t.kind, t.text_id, t.number] }),
    index('text_changes_unsaved')
      .on(t.team_id, t.kind, t.text_id)
      .where(sql`${t.unsaved} is not null`),
  ],
)
