import { getTableColumns } from 'drizzle-orm'
import type { Context } from '../../kernel/caller.ts'
import { param, prepared } from '../../store/prepared.ts'
import type { Task } from './address.ts'
import { descriptionVersions } from './tables.ts'

/** Keeps the text a task has now beside those it had before. */
export async function keepVersion({ tx, caller, now }: Context, task: Task): Promise<void> {
  const { team_id, task_id, description, description_version, content_type } = task
  if (description === null) return
  await inserts(tx).execute({
    team_id,
    task_id,
    version: description_version,
    content: description,
    content_type,
    author_id: caller.actor_id,
    created_at: now,
  })
}

const inserts = prepared((tx) => {
  const { version_id: _, ...columns } = getTableColumns(descriptionVersions)
  const values = Object.fromEntries(Object.keys(columns).map((name) => [name, param(name)]))
  return tx
    .insert(descriptionVersions)
    .values(values as never)
    .prepare('description_insert')
})
