import { sql } from 'drizzle-orm'
import type { Tx } from '../../../../kernel/caller.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { send } from '../../../../store/send.ts'
import { SYSTEM_ACTOR_ID } from '../../../identity/people/model/index.ts'
import { projectUses } from './tables.ts'

/** Records the time of each actor's last change on each board. System changes do not count. */
export async function recordUses(tx: Tx, changes: readonly LoggedChange[]): Promise<void> {
  const latestUses = new Map<string, typeof projectUses.$inferInsert>()
  for (const { actor_id, project_id, created_at } of changes)
    if (project_id !== null && actor_id !== SYSTEM_ACTOR_ID)
      latestUses.set(`${actor_id} ${project_id}`, {
        actor_id,
        project_id,
        last_used_at: created_at,
      })
  for (const use of latestUses.values()) await send(tx, upsertUse(tx).execute(use))
}

const upsertUse = prepared((tx) =>
  tx
    .insert(projectUses)
    .values({
      actor_id: param('actor_id'),
      project_id: param('project_id'),
      last_used_at: param('last_used_at'),
    })
    .onConflictDoUpdate({
      target: [projectUses.actor_id, projectUses.project_id],
      set: { last_used_at: sql`excluded.last_used_at` },
    })
    .prepare('project_use_put'),
)
