import { type Project, projects } from '../../src/features/boards/projects/model/index.ts'
import type { World } from './world.ts'

let boardCount = 0

/** Inserts a board without columns, created by the owner of the team. */
export function createBoard(
  { store, clock, team_id, ada }: World,
  title: string,
  overrides: Partial<Project> = {},
): Promise<Project> {
  return store.write(async (tx) => {
    const [row] = await tx
      .insert(projects)
      .values({
        team_id,
        key: `B${boardCount++}`,
        title,
        access: 'team',
        status: 'Normal',
        next_number: 1,
        definition_of_done: [],
        playbook_version: 1,
        created_by: ada.caller.actor_id,
        created_at: clock.now,
        updated_at: clock.now,
        ...overrides,
      })
      .returning()
    return row!
  })
}
