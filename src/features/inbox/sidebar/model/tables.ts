import { int, json, table, time } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import type { SidebarEntry } from './schema.ts'

/** What a person has pinned to the sidebar. */
export const sidebars = table(
  'sidebars',
  { exported: 'its addresses contain ids, which are others in another database' },
  {
    actor_id: int('actor_id')
      .primaryKey()
      .references(() => actors.actor_id),
    /** Grows with every change, so that two tabs do not overwrite each other. */
    version: int('version').notNull(),
    entries: json<SidebarEntry[]>('entries').notNull(),
    updated_at: time('updated_at').notNull(),
  },
)
