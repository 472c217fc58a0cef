import type { Role } from '../../../../kernel/caller.ts'
import {
  id,
  index,
  int,
  primaryKey,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import { actors } from '../../people/model/index.ts'

export const teams = table(
  'teams',
  { exported: true, unstaged: 'the staged rows belong to it, so it is deleted last' },
  {
    team_id: id('team_id'),
    team_uuid: text('team_uuid').notNull(),
    name: text('name').notNull(),
    created_at: time('created_at').notNull(),
  },
  (t) => [uniqueIndex('teams_uuid').on(t.team_uuid)],
)

export const members = table(
  'members',
  { exported: true, unstaged: 'written when the import is published' },
  {
    team_id: int('team_id')
      .notNull()
      .references(() => teams.team_id),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    role: text('role').$type<Role>().notNull(),
    joined_at: time('joined_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.actor_id] }), index('members_actor').on(t.actor_id)],
)
