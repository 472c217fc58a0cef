import { sql } from 'drizzle-orm'
import {
  id,
  index,
  int,
  long,
  primaryKey,
  table,
  text,
  time,
  uniqueIndex,
} from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import type { EntryKind, Origin, State } from './rules.ts'

export const runs = table(
  'runs',
  { exported: 'refer to agents connected to their server; their results are on the tasks' },
  {
    run_id: id('run_id'),
    team_id: int('team_id').notNull(),
    /** The board of its task; follows the task to another board. */
    project_id: int('project_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    /** The agent of the run. */
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    origin: text('origin').$type<Origin>().notNull(),
    state: text('state').$type<State>().notNull(),
    /** The last prompt. */
    prompt: text('prompt'),
    /** The comment that last called the agent to the run. */
    comment_id: int('comment_id'),
    /** The agent's own summary. */
    summary: text('summary'),
    /** Why it was stopped. */
    reason: text('reason'),
    /** The number of transcript entries, and the beginning of the last one. */
    entries: int('entries').notNull(),
    last_entry: text('last_entry'),
    /** Totals of the run, as its agent reports them; null: not reported. */
    input_tokens: long('input_tokens'),
    output_tokens: long('output_tokens'),
    cost_micro_usd: long('cost_micro_usd'),
    created_by: int('created_by')
      .notNull()
      .references(() => actors.actor_id),
    /** The author of the last prompt. */
    prompted_by: int('prompted_by').references(() => actors.actor_id),
    /** For native agents: the random name under which a server holds the run. */
    busy_by: text('busy_by'),
    /** The hold expires then. Without a holder: the run is not taken before then. */
    busy_until: time('busy_until'),
    created_at: time('created_at').notNull(),
    updated_at: time('updated_at').notNull(),
    started_at: time('started_at'),
    ended_at: time('ended_at'),
  },
  (t) => [
    // An agent has at most one open run on a task, even if several servers start one at once.
    uniqueIndex('runs_open')
      .on(t.team_id, t.task_id, t.actor_id)
      .where(sql`state in ('queued', 'running', 'waiting')`),
    index('runs_due').on(t.run_id).where(sql`state in ('queued', 'running')`),
    index('runs_board').on(t.team_id, t.project_id, t.created_at, t.run_id),
    index('runs_task').on(t.team_id, t.task_id, t.created_at, t.run_id),
    index('runs_actor').on(t.team_id, t.actor_id, t.created_at, t.run_id),
  ],
)

export const runEntries = table(
  'run_entries',
  { exported: 'depend on the runs' },
  {
    team_id: int('team_id').notNull(),
    run_id: int('run_id')
      .notNull()
      .references(() => runs.run_id),
    /** The position in the transcript, from 1. */
    number: int('number').notNull(),
    kind: text('kind').$type<EntryKind>().notNull(),
    text: text('text').notNull(),
    author_id: int('author_id')
      .notNull()
      .references(() => actors.actor_id),
    at: time('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.team_id, t.run_id, t.number] })],
)
