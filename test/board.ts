import { type Project, projects } from '../src/features/projects/index.ts'
import type { World } from './world.ts'

let made = 0

/** A bare board, opened by the team's owner. */
export function board(
  { store, clock, team_id, ada }: World,
  title: string,
  more: Partial<Project> = {},
): Promise<Project> {
  return store.write(async (tx) => {
    const [row] = await tx
      .insert(projects)
      .values({
        team_id,
        key: `B${made++}`,
        title,
        access: 'team',
        status: 'Normal',
        next_number: 1,
        definition_of_done: [],
        playbook_version: 1,
        created_by: ada.caller.actor_id,
        created_at: clock.now,
        updated_at: clock.now,
        ...more,
      })
      .returning()
    return row!
  })
}
