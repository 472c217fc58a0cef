import {
  bool,
  id,
  index,
  int,
  json,
  long,
  longId,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { projects } from '../../projects/model/index.ts'
import type { BoardFilters } from '../../views/model/index.ts'
import type { Action, Outcome, When } from './schema.ts'

export const rules = table(
  'rules',
  { exported: true },
  {
    rule_row_id: id('rule_row_id'),
    /** The public id, a UUID. */
    rule_id: text('rule_id').notNull(),
    team_id: int('team_id').notNull(),
    project_id: int('project_id')
      .notNull()
      .references(() => projects.project_id),
    /** The rule runs with the permissions of this person. */
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    /** The order on the board, from 1. */
    position: int('position').notNull(),
    enabled: bool('enabled').notNull(),
    /** Why the server disabled it; null if a person did, or nobody. */
    paused_reason: text('paused_reason'),
    when: json<When>('starts_when').notNull(),
    conditions: json<BoardFilters>('conditions').notNull(),
    actions: json<Action[]>('actions').notNull(),
    /** Executions in a row in which an action failed. */
    failures: int('failures').notNull(),
    last_fired_at: time('last_fired_at'),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('rules_public').on(t.rule_id),
    index('rules_board').on(t.team_id, t.project_id, t.position),
    index('rules_active').on(t.project_id, t.enabled),
  ],
)

/** A change that started a rule: queued, and then what came of it. Old ones are deleted. */
export const ruleExecutions = table(
  'rule_executions',
  { exported: 'the log of one server' },
  {
    execution_id: longId('execution_id'),
    team_id: int('team_id').notNull(),
    rule_row_id: int('rule_row_id')
      .notNull()
      .references(() => rules.rule_row_id),
    /** The change in the log that started it. */
    seq: long('seq').notNull(),
    task_id: int('task_id').notNull(),
    /** How many rules led to the change, plus one. */
    depth: int('depth').notNull(),
    state: text('state').$type<'queued' | 'done' | 'skipped' | 'failed'>().notNull(),
    /** Why nothing was done; null if something was. */
    reason: text('reason'),
    results: json<Outcome[]>('results').notNull(),
    attempts: int('attempts').notNull(),
    at: time('at').notNull(),
    finished_at: time('finished_at'),
    /** A server is executing it until then. */
    claimed_until: time('claimed_until'),
  },
  (t) => [
    uniqueIndex('rule_executions_once').on(t.rule_row_id, t.seq),
    index('rule_executions_queue').on(t.state, t.execution_id),
    index('rule_executions_newest').on(t.rule_row_id, t.execution_id),
    index('rule_executions_rate').on(t.rule_row_id, t.at),
  ],
)
