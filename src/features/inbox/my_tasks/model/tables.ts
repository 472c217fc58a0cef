import {
  bool,
  id,
  index,
  int,
  json,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import type { BoardFilters, Match } from '../../../boards/views/model/index.ts'
import { actors } from '../../../identity/people/model/index.ts'
import type { Sorting } from '../../../search/filters/model/index.ts'
import type { Grouping, Involvement } from './rules.ts'

/** Saved views of My Tasks. They belong to an account and to no team. */
export const myViews = table(
  'my_views',
  { exported: true },
  {
    my_view_id: id('my_view_id'),
    /** The public id, a UUID. */
    view_id: text('view_id').notNull(),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    title: text('title').notNull(),
    grouping: text('grouping').$type<Grouping>().notNull(),
    involvement: text('involvement').$type<Involvement>().notNull().default('assigned'),
    /** Empty for all boards. */
    project_ids: json<number[]>('project_ids').notNull(),
    hidden_section_ids: json<number[]>('hidden_section_ids').notNull(),
    show_done: bool('show_done').notNull(),
    /** Null for all tasks. */
    board_filters: json<BoardFilters>('board_filters'),
    match: text('match').$type<Match>().notNull().default('ALL'),
    /** Null for the order of due dates. */
    sorting: json<Sorting[]>('sorting'),
    default_project_id: int('default_project_id'),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('my_views_public').on(t.view_id),
    index('my_views_actor').on(t.actor_id, t.title),
  ],
)

export type View = typeof myViews.$inferSelect
