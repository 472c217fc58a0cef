import { sql } from 'drizzle-orm'
import type { Tx } from '../../kernel/caller.ts'
import type { Logged } from '../../store/log.ts'
import { param, prepared } from '../../store/prepared.ts'
import { HOUSE } from '../people/index.ts'
import { projectUses } from './tables.ts'

/** Remembers when whoever made these changes last did so on each board. */
export async function trackUses(tx: Tx, changes: readonly Logged[]): Promise<void> {
  const last = new Map<string, typeof projectUses.$inferInsert>()
  for (const { actor_id, project_id, created_at } of changes)
    if (project_id !== null && actor_id !== HOUSE)
      last.set(`${actor_id} ${project_id}`, { actor_id, project_id, last_used_at: created_at })
  for (const use of last.values()) await puts(tx).execute(use)
}

const puts = prepared((tx) =>
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
