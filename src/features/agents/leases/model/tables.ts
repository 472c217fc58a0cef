import { sql } from 'drizzle-orm'
import { index, int, table, text, time, uniqueIndex } from '../../../../store/columns.ts'
import { actors } from '../../../identity/people/model/index.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'

/**
 * The last lease of each task. The row stays after the lease ends, so that every new lease gets a
 * higher fencing_token.
 */
export const leases = table(
  'leases',
  { exported: 'valid on their server only' },
  {
    task_id: int('task_id')
      .primaryKey()
      .references(() => tasks.task_id),
    team_id: int('team_id').notNull(),
    lease_id: text('lease_id').notNull(),
    fencing_token: int('fencing_token').notNull(),
    holder_id: int('holder_id')
      .notNull()
      .references(() => actors.actor_id),
    /** Distinguishes several workers that share one holder. */
    owner_id: text('owner_id'),
    /** In milliseconds. */
    ttl: int('ttl').notNull(),
    claimed_at: time('claimed_at').notNull(),
    expires_at: time('expires_at').notNull(),
    /** When it was released or completed, or when another claim found it expired. */
    ended_at: time('ended_at'),
  },
  (t) => [
    uniqueIndex('leases_id').on(t.team_id, t.lease_id),
    index('leases_lapse').on(t.team_id, t.expires_at).where(sql`${t.ended_at} is null`),
    index('leases_holder').on(t.team_id, t.holder_id).where(sql`${t.ended_at} is null`),
  ],
)
