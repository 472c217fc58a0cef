import { id, int, primaryKey, table, text, time, uniqueIndex } from '../../../../store/columns.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'

/** What failed and how often, but not who reported it or at what moment. */
export const feedbackReports = table(
  'feedback_reports',
  { exported: 'belong to the server, not to a team' },
  {
    feedback_report_id: id('feedback_report_id'),
    tool: text('tool').notNull(),
    /** 0 if none was given, because a unique index treats nulls as different. */
    status: int('status').notNull(),
    /** Empty if none was given. */
    error_code: text('error_code').notNull(),
    category: text('category').notNull(),
    count: int('count').notNull(),
    /** The start of the day in UTC. */
    first_day: time('first_day').notNull(),
    last_day: time('last_day').notNull(),
    task_id: int('task_id').references(() => tasks.task_id),
  },
  (t) => [uniqueIndex('feedback_reports_once').on(t.tool, t.status, t.error_code, t.category)],
)

/**
 * The number of reports of an account in an hour, without their content; deleted after the hour.
 */
export const feedbackCounts = table(
  'feedback_counts',
  { exported: 'counts for one hour' },
  {
    actor_id: int('actor_id').notNull(),
    hour: time('hour').notNull(),
    fresh: int('fresh').notNull(),
    bumps: int('bumps').notNull(),
  },
  (t) => [primaryKey({ columns: [t.hour, t.actor_id] })],
)
