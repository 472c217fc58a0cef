import { sql } from 'drizzle-orm'
import { id, index, int, json, table, text, time, uniqueIndex } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import type { Stretch } from './rules.ts'

/** Time that somebody spent on a task: a timer, or minutes logged afterwards. */
export const timeEntries = table(
  'time_entries',
  { exported: true },
  {
    entry_id: id('entry_id'),
    team_id: int('team_id').notNull(),
    task_id: int('task_id')
      .notNull()
      .references(() => tasks.task_id),
    actor_id: int('actor_id')
      .notNull()
      .references(() => actors.actor_id),
    kind: text('kind').$type<'timer' | 'logged'>().notNull(),
    started_at: time('started_at').notNull(),
    /** Start of the current stretch; null while the timer is paused and after it has ended. */
    running_since: time('running_since'),
    paused_at: time('paused_at'),
    /** Null while the timer is open. */
    ended_at: time('ended_at'),
    /** The finished stretches of a timer. */
    stretches: json<Stretch[]>('stretches').notNull(),
    /** The length of the stretches, or the logged time. */
    seconds: int('seconds').notNull(),
    /** The day of a logged entry. */
    day: text('day'),
    note: text('note'),
    created_at: time('created_at').notNull(),
  },
  (t) => [
    index('time_entries_task').on(t.team_id, t.task_id, t.created_at),
    index('time_entries_actor').on(t.team_id, t.actor_id, t.created_at),
    index('time_entries_ended').on(t.team_id, t.ended_at),
    index('time_entries_day').on(t.team_id, t.day),
    // Prevents a second timer of a person on a task, which would count the same time twice.
    uniqueIndex('time_entries_open')
      .on(t.team_id, t.task_id, t.actor_id)
      .where(sql`ended_at is null`),
  ],
)
