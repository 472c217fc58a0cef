import { id, index, int, table, text, time } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { tasks } from '../../tasks/model/index.ts'

/** A text that only its author can see until it is published. */
export const drafts = table(
  'drafts',
  { exported: 'private to their authors' },
  {
    draft_id: id('draft_id'),
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    author_id: int('author_id')
      .notNull()
      .references(() => actors.actor_id),
    draft_type: text('draft_type').$type<'comment' | 'description'>().notNull(),
    /** Cleaned HTML. */
    text: text('text').notNull(),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [index('drafts_author').on(t.team_id, t.author_id, t.updated_at, t.draft_id)],
)
