import { sql } from 'drizzle-orm'
import { index, int, table, text, time, uniqueIndex } from '../../../store/columns.ts'
import { actors } from '../../people/index.ts'
import { tasks } from '../tables.ts'

/**
 * The last lease of each task that was ever taken. The row outlives it, so that each new lease has a
 * higher fencing_token than all before.
 */
export const leases = table(
  'leases',
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
    /** Tells several workers of one holder apart. */
    owner_id: text('owner_id'),
    /** Milliseconds. */
    ttl: int('ttl').notNull(),
    claimed_at: time('claimed_at').notNull(),
    expires_at: time('expires_at').notNull(),
    /** Released, finished, or found to have run out when somebody else wanted it. */
    ended_at: time('ended_at'),
  },
  (t) => [
    uniqueIndex('leases_id').on(t.team_id, t.lease_id),
    index('leases_lapse').on(t.team_id, t.expires_at).where(sql`${t.ended_at} is null`),
    index('leases_holder').on(t.team_id, t.holder_id).where(sql`${t.ended_at} is null`),
  ],
)
