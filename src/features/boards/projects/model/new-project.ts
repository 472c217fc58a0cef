import type { Context } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { cleanName, keyCandidates } from './names.ts'
import { type Project, placeOf } from './store.ts'
import { projects } from './tables.ts'

interface NewProject {
  title: string
  /** Tried before the keys that are made of the title. */
  key?: string
  access?: Project['access']
  description?: string | null
  source_summary?: string
}

/** Inserts a board without columns, with the first key that is free. */
export async function insertProject(
  ctx: Context,
  team_id: number,
  draft: NewProject,
): Promise<Project> {
  const { tx, caller, now } = ctx
  const title = cleanName('title', draft.title)
  for (const key of wantedKeys(draft.key, title)) {
    const [project] = await tx
      .insert(projects)
      .values({
        team_id,
        key,
        title,
        access: draft.access ?? 'team',
        status: 'Normal',
        description: draft.description ?? null,
        source_summary: draft.source_summary ?? null,
        next_number: 1,
        definition_of_done: [],
        playbook_version: 1,
        created_by: caller.actor_id,
        created_at: now,
        updated_at: now,
      })
      // If the key is taken, even by a concurrent request, try the next one.
      .onConflictDoNothing()
      .returning()
    if (!project) continue
    ctx.emit('project.created', placeOf(project), { key, title })
    return project
  }
  throw fault.conflict('No ticket key is available for this title', {
    field: 'title',
    value: title,
  })
}

/** Candidates for the key of a new board, the given one first. */
export function* wantedKeys(key: string | undefined, title: string): Generator<string> {
  if (key) yield* [key, ...[2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${key.slice(0, 9)}${number}`)]
  yield* keyCandidates(title)
}
