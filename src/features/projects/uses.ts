import type { Tx } from '../../kernel/caller.ts'
import type { Logged } from '../../store/log.ts'
import { projectUses } from './tables.ts'

/** Remembers when whoever made these changes last did so on each board. */
export async function trackUses(tx: Tx, changes: readonly Logged[]): Promise<void> {
  const last = new Map<string, typeof projectUses.$inferInsert>()
  for (const { actor_id, project_id, created_at } of changes)
    if (project_id !== null)
      last.set(`${actor_id} ${project_id}`, { actor_id, project_id, last_used_at: created_at })
  for (const use of last.values())
    await tx
      .insert(projectUses)
      .values(use)
      .onConflictDoUpdate({
        target: [projectUses.actor_id, projectUses.project_id],
        set: { last_used_at: use.last_used_at },
      })
}
