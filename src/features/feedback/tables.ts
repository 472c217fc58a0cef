import { id, int, primaryKey, table, text, time, uniqueIndex } from '../../store/columns.ts'
import { tasks } from '../tasks/index.ts'

/** What failed, how often; never by whom, nor at what moment somebody was there. */
export const feedbackReports = table(
  'feedback_reports',
  {
    feedback_report_id: id('feedback_report_id'),
    tool: text('tool').notNull(),
    /** 0 where none was given: an index takes nothing and nothing for two things. */
    status: int('status').notNull(),
    /** Empty where none was given. */
    error_code: text('error_code').notNull(),
    category: text('category').notNull(),
    count: int('count').notNull(),
    /** The beginning of the day in UTC. */
    first_day: time('first_day').notNull(),
    last_day: time('last_day').notNull(),
    task_id: int('task_id').references(() => tasks.task_id),
  },
  (t) => [uniqueIndex('feedback_reports_once').on(t.tool, t.status, t.error_code, t.category)],
)

/** How much an account reported within an hour, and nothing of what; swept when the hour is over. */
export const feedbackCounts = table(
  'feedback_counts',
  {
    actor_id: int('actor_id').notNull(),
    hour: time('hour').notNull(),
    fresh: int('fresh').notNull(),
    bumps: int('bumps').notNull(),
  },
  (t) => [primaryKey({ columns: [t.hour, t.actor_id] })],
)
