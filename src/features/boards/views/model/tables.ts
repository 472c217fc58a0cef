import {
  id,
  index,
  int,
  json,
  primaryKey,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import type { Sorting } from '../../../search/filters/model/index.ts'
import { projects } from '../../projects/model/index.ts'
import type { BoardFilters, Display, Match, SubtaskSetting, Visibility } from './schema.ts'

export const views = table(
  'views',
  { exported: 'refer to columns, labels and people by the ids of their server' },
  {
    saved_view_id: id('saved_view_id'),
    /** The public id, a UUID. */
    view_id: text('view_id').notNull(),
    team_id: int('team_id').notNull(),
    project_id: int('project_id')
      .notNull()
      .references(() => projects.project_id),
    owner_id: int('owner_id')
      .notNull()
      .references(() => actors.actor_id),
    title: text('title').notNull(),
    visibility: text('visibility').$type<Visibility>().notNull(),
    /** Null for all sections that are not hidden. */
    visible_section_ids: json<number[]>('visible_section_ids'),
    board_filters: json<BoardFilters>('board_filters').notNull(),
    /** Stored by id, so that labels can be renamed. */
    label_ids: json<number[]>('label_ids').notNull(),
    assignee_ids: json<(number | string)[]>('assignee_ids').notNull(),
    match: text('match').$type<Match>().notNull(),
    sorting: json<Sorting[]>('sorting').notNull(),
    subtask_setting: text('subtask_setting').$type<SubtaskSetting>().notNull(),
    /** Null for a table with the default columns. */
    display: json<Display>('display'),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('views_public').on(t.view_id),
    index('views_board').on(t.team_id, t.project_id, t.title),
  ],
)

/** The view that a board opens with, per member. */
export const defaultViews = table(
  'default_views',
  { exported: 'depend on the views' },
  {
    team_id: int('team_id').notNull(),
    project_id: int('project_id')
      .notNull()
      .references(() => projects.project_id),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    saved_view_id: int('saved_view_id')
      .notNull()
      .references(() => views.saved_view_id),
  },
  (t) => [
    primaryKey({ columns: [t.team_id, t.project_id, t.actor_id] }),
    index('default_views_view').on(t.team_id, t.saved_view_id),
  ],
)

/** When each actor last used a view. */
export const viewUses = table(
  'view_uses',
  { exported: 'depend on the views' },
  {
    team_id: int('team_id').notNull(),
    saved_view_id: int('saved_view_id')
      .notNull()
      .references(() => views.saved_view_id),
    actor_id: int('actor_id').notNull(),
    last_used_at: time('last_used_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.saved_view_id, t.actor_id] })],
)
