import type { Scope } from '../../../../kernel/caller.ts'
import {
  bool,
  id,
  index,
  int,
  json,
  long,
  primaryKey,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import { projects } from '../../../boards/projects/model/index.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { teams } from '../../../identity/teams/model/index.ts'
import type { State } from './rules.ts'

export const agents = table(
  'agents',
  { exported: true, unstaged: 'written when the import is published' },
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
    /** Null: every board that its owner can see. */
    project_ids: json<number[] | null>('project_ids'),
    /** The instructions of a native agent. */
    instructions: text('instructions'),
    /** What its runs may cost in a calendar month, in micro-dollars. Null: no limit. */
    budget_micro_usd: long('budget_micro_usd'),
    /** Null: not paused. */
    paused_at: time('paused_at'),
    paused_by: int('paused_by').references(() => actors.actor_id),
    created_at: time('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('agents_uuid').on(t.agent_id),
    index('agents_team').on(t.team_id, t.owner_id),
  ],
)

/**
 * When each agent last called or listened. A separate table, because rows of `agents` are cached.
 */
export const agentPresence = table(
  'agent_presence',
  { exported: 'recorded again when agents connect' },
  {
    team_id: int('team_id').notNull(),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    seen_at: time('seen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.actor_id] })],
)

/**
 * What the runs of an agent, and those of all agents on a board, cost in each calendar month (UTC).
 * Updated by the write that reports the cost, so that no budget adds up runs.
 */
export const monthlyCosts = table(
  'monthly_costs',
  { exported: 'sums over runs, which are not exported' },
  {
    team_id: int('team_id').notNull(),
    /** Such as `2026-11`. */
    month: text('month').notNull(),
    kind: text('kind').$type<'agent' | 'board'>().notNull(),
    /** The actor_id of the agent, or the project_id of the board. */
    subject_id: int('subject_id').notNull(),
    micro_usd: long('micro_usd').notNull(),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.month, t.kind, t.subject_id] })],
)

/** The webhook of an agent. Its secret is not stored; it is derived from the seed. */
export const webhooks = table(
  'webhooks',
  { exported: 'their secrets belong to the server that signs with them' },
  {
    webhook_id: id('webhook_id'),
    team_id: int('team_id').notNull(),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    url: text('url').notNull(),
    events: json<string[]>('events').notNull(),
    active: bool('active').notNull(),
    /** Null: every board that the agent can see. */
    project_id: int('project_id').references(() => projects.project_id),
    seed: text('seed').notNull(),
    /** The previous seed, which also signs until `old_until`. */
    old_seed: text('old_seed'),
    old_until: time('old_until'),
    /** Consecutive failures since the last successful delivery. */
    failures: int('failures').notNull(),
    /** A failing endpoint is not called before then. */
    resting_until: time('resting_until'),
    delivered_at: time('delivered_at'),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [uniqueIndex('webhooks_agent').on(t.actor_id), index('webhooks_team').on(t.team_id)],
)
