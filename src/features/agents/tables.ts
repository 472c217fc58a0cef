import type { Scope } from '../../kernel/caller.ts'
import {
  index,
  int,
  json,
  primaryKey,
  table,
  text,
  time,
  uniqueIndex,
} from '../../store/columns.ts'
import { actors } from '../people/index.ts'
import { teams } from '../teams/index.ts'
import type { State } from './rules.ts'

export const agents = table(
  'agents',
  {
    actor_id: int('actor_id')
      .primaryKey()
      .references(() => actors.actor_id),
    agent_id: text('agent_id').notNull(),
    team_id: int('team_id')
      .notNull()
      .references(() => teams.team_id),
    owner_id: int('owner_id')
      .notNull()
      .references(() => actors.actor_id),
    kind: text('kind').$type<'external' | 'native'>().notNull(),
    state: text('state').$type<State>().notNull(),
    scopes: json<Scope[]>('scopes').notNull(),
    /** Null: every board its owner can see. */
    project_ids: json<number[] | null>('project_ids'),
    created_at: time('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('agents_uuid').on(t.agent_id),
    index('agents_team').on(t.team_id, t.owner_id),
  ],
)

/** When each agent last called or listened. Apart from `agents`, which is remembered. */
export const agentPresence = table(
  'agent_presence',
  {
    team_id: int('team_id').notNull(),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    seen_at: time('seen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.actor_id] })],
)
